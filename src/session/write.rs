//! The first write, and writing again what was deleted.

use std::path::Path;

use super::append::{entry_fields, make_leaf, push_line};
use super::counts::Counts;
use super::{Session, Store};
use crate::entry::Place;
use crate::line;
use crate::load::load_log;
use crate::log::{FreshFile, Handle, Log, Standing, create_directory, end_of_links, lock};
use crate::tree::Tree;
use crate::{Error, Result};

/// The line of an entry: given by the caller, who holds the object, or `None` to take the text
/// that the session has.
pub type Line = Option<Vec<u8>>;

impl Session {
    /// Writes the whole session to its file, which is not there, with one more entry.
    ///
    /// `header` is the header's line; `lines` has one for each entry there is, in their order.
    /// All are JSON texts without line feeds. Should the file be there after all: with 0 bytes it
    /// is taken over; if it holds a session, its header becomes ours, its entries join the tree,
    /// and ours follow.
    ///
    /// # Errors
    /// If the session cannot be written, or something else stands at the path. Session and file
    /// are then as before.
    pub fn write_whole(&mut self, header: &[u8], lines: Vec<Line>, entry: &[u8]) -> Result<u32> {
        entry_fields(entry)?;
        if self.whole_wanted.take() != Some(self.changes) {
            return Err(Error::ChangedDuringCall("append"));
        }
        let path = self.state.path.clone().unwrap_or_default();
        let texts = self.all_texts(lines)?;
        if !self.is_written()
            && let Some(parent) = path.parent()
        {
            create_directory(parent, self.home.durability)?;
        }
        let mut file = FreshFile::begin(&end_of_links(&path))?;
        file.line(header)?;
        let mut tree = Tree::default();
        for text in texts.iter().map(Vec::as_slice).chain([entry]) {
            let at = file.line(text)?;
            push_line(&mut tree, text, at);
        }
        let end = file.length();
        let file = file.ready(self.home.durability)?;
        let handle = file.open(&path)?;
        if !file.create()? {
            return self.write_onto(&path, header, texts, entry);
        }
        let mut log = Log::new(path.clone(), handle);
        (log.end, log.seen) = (end, end);
        let number = make_leaf(&mut tree, texts.len() as u32);
        self.state.tree = tree;
        self.state.header = Some(header.to_vec());
        self.state.store = Store::File(log);
        self.state.counts = Counts::default();
        self.changes += 1;
        Ok(number)
    }

    fn all_texts(&self, mut lines: Vec<Line>) -> Result<Vec<Vec<u8>>> {
        let count = self.state.tree.count();
        lines.resize(count as usize, None);
        let text = |(number, line): (u32, Line)| match line {
            Some(line) => {
                entry_fields(&line)?;
                Ok(line)
            }
            None if self.is_whole(number) => self.text(number),
            None => Err(Error::NotAnEntry("the session does not have its text")),
        };
        (0..count).zip(lines).map(text).collect()
    }

    /// The file is there, made by someone else meanwhile.
    fn write_onto(
        &mut self,
        path: &Path,
        header: &[u8],
        texts: Vec<Vec<u8>>,
        entry: &[u8],
    ) -> Result<u32> {
        let mut log = Log::new(path.to_owned(), Handle::open(path)?);
        let Standing::Here(mut locked) = lock(&mut log)? else {
            return Err(Error::ChangedWhileOpen(path.to_owned()));
        };
        if locked.length()? == 0 {
            let lines = texts.iter().map(Vec::as_slice).chain([entry]);
            let lines: Vec<u8> = [header]
                .into_iter()
                .chain(lines)
                .flat_map(|l| [l, b"\n"])
                .flatten()
                .copied()
                .collect();
            locked.append(&lines, self.home.durability)?;
            drop(locked);
            self.state.tree = reread(&lines);
            self.state.header = Some(header.to_vec());
            let number = self.state.tree.count() - 1;
            make_leaf(&mut self.state.tree, number);
            self.state.store = Store::File(log);
            self.changes += 1;
            return Ok(number);
        }
        drop(locked);
        let loaded = load_log(log, &self.home.app)?;
        let loaded = loaded.ok_or_else(|| Error::ChangedWhileOpen(path.to_owned()))?;
        if self.is_written() && loaded.header().id != self.state.id {
            return Err(Error::Replaced(path.to_owned()));
        }
        self.join(loaded, texts, Some(entry))?;
        Ok(self.state.tree.count() - 1)
    }
}

/// The tree of a file with this content, which was just written.
fn reread(content: &[u8]) -> Tree {
    let mut tree = Tree::default();
    let mut at = 0;
    for (number, text) in content.split_inclusive(|&b| b == b'\n').enumerate() {
        if number > 0
            && let Some(fields) = line::object(text, 0)
        {
            tree.push(&fields, Place::in_file(at, &text[fields.range.clone()]));
        }
        at += text.len() as u64;
    }
    tree
}
