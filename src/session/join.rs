//! A tree and a file that has entries of others.

use std::path::PathBuf;

use super::append::{make_leaf, push_line, untaken};
use super::{Session, Store};
use crate::load::{Loaded, load};
use crate::log::{Standing, lock};
use crate::{Error, Result};

impl Session {
    /// Another file stands at our path: if it holds our session, it becomes our file, and what it
    /// lacks of ours is added to it, with one more entry.
    pub(super) fn follow(&mut self, entry: &[u8]) -> Result<super::Appended> {
        let path: PathBuf = self.state.path.clone().unwrap_or_default();
        let loaded =
            load(&path, &self.home.app)?.ok_or_else(|| Error::ChangedWhileOpen(path.clone()))?;
        if loaded.header().id != self.state.id {
            return Err(Error::Replaced(path));
        }
        let ours =
            (0..self.state.tree.count()).map(|number| self.text_unless_known(number, &loaded));
        let texts = ours.collect::<Result<Vec<_>>>()?;
        self.join(loaded, texts, entry).map(super::Appended::Done)
    }

    /// An entry that the file has need not be read again.
    fn text_unless_known(&self, number: u32, loaded: &Loaded) -> Result<Vec<u8>> {
        let entry = &self.state.tree.entries[number as usize];
        let id = self.state.tree.ids.text(entry.slot);
        if id.is_some_and(|id| loaded.index.tree.entry(&id).is_some()) {
            Ok(Vec::new())
        } else {
            self.text(number)
        }
    }

    /// Makes a file that was read ours: its entries come first, then those of ours that it lacks
    /// (`texts` has one for each of our entries), then `entry`, the leaf.
    pub(super) fn join(
        &mut self,
        loaded: Loaded,
        texts: Vec<Vec<u8>>,
        entry: &[u8],
    ) -> Result<u32> {
        if loaded.header().is_old() {
            return Err(Error::Replaced(loaded.log.path));
        }
        let Loaded { index, mut log } = loaded;
        let mut tree = index.tree;
        let mut moved = Vec::with_capacity(texts.len());
        let mut lines = Vec::new();
        let mut starts = Vec::new();
        for (number, text) in (0u32..).zip(&texts) {
            let slot = self.state.tree.entries[number as usize].slot;
            let known = self.state.tree.ids.text(slot).and_then(|id| tree.entry(&id));
            moved.push(known.unwrap_or(tree.count() + starts.len() as u32));
            if known.is_none() {
                starts.push(lines.len());
                lines.extend_from_slice(text);
                lines.push(b'\n');
            }
        }
        let (entry, new_id) = untaken(entry, |id| tree.find(id).is_some());
        starts.push(lines.len());
        lines.extend_from_slice(&entry);
        lines.push(b'\n');
        let path = log.path.clone();
        let at = match lock(&mut log)? {
            Standing::Here(mut locked) if !locked.has_more()? => locked.append(&lines)?,
            _ => return Err(Error::ChangedWhileOpen(path)),
        };
        let mut number = 0;
        for start in starts {
            number = push_line(&mut tree, &lines[start..], at + start as u64);
        }
        self.state.tree = tree;
        make_leaf(&mut self.state.tree, number);
        self.state.id = index.header.map_or_else(Vec::new, |header| header.id);
        self.news.new_header = self.state.header.as_ref() != Some(&index.header_text);
        self.state.header = Some(index.header_text);
        self.state.store = Store::File(log);
        self.state.damaged = index.damaged;
        self.state.not_objects = index.not_objects;
        self.news.moved = Some(moved);
        self.news.new_id = new_id;
        self.changes += 1;
        Ok(number)
    }
}
