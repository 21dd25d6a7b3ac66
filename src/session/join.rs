//! A tree and a file that has entries of others.

use std::path::PathBuf;

use super::append::{push_line, untaken};
use super::counts::{Counts, Tail};
use super::{Session, Store};
use crate::load::{Loaded, load};
use crate::log::{Standing, lock, look};
use crate::tree::Tree;
use crate::{Error, Result};

impl Session {
    /// Takes in what other processes did to the file: lines that they appended join the tree, a
    /// file that replaced ours and holds our session becomes ours. The leaf stays where it is.
    ///
    /// # Errors
    /// If another session stands at our path, or lines that were read are gone.
    pub fn refresh(&mut self) -> Result<()> {
        let state = &mut self.state;
        let Store::File(log) = &mut state.store else {
            return Ok(());
        };
        match look(log)? {
            Standing::Here(mut file) => {
                if file.has_more()? {
                    self.changes += 1;
                    self.news.others = true;
                    state.counts.take_in(&mut state.tree, file.log(), Tail::Open)?;
                }
                return Ok(());
            }
            // What was deleted is written again by the next append.
            Standing::Gone => return Ok(()),
            Standing::Replaced => {}
        }
        self.follow(None)
    }

    /// Another file stands at our path: if it holds our session, it becomes our file, and what it
    /// lacks of ours is added to it, with one more entry.
    pub(super) fn follow(&mut self, entry: Option<&[u8]>) -> Result<()> {
        let path: PathBuf = self.state.path.clone().unwrap_or_default();
        let loaded = load(&path, &self.home.app)?;
        let loaded = loaded.ok_or_else(|| Error::ChangedWhileOpen(path.clone()))?;
        if loaded.header().id != self.state.id {
            return Err(Error::Replaced(path));
        }
        let ours = 0..self.state.tree.count();
        let texts = ours.map(|number| self.text_unless_known(number, &loaded.index.tree));
        let texts = texts.collect::<Result<Vec<_>>>()?;
        self.join(loaded, texts, entry)
    }

    /// The text of an entry, unless the other tree has it, too.
    fn text_unless_known(&self, number: u32, other: &Tree) -> Result<Vec<u8>> {
        match self.known(number, other) {
            Some(_) => Ok(Vec::new()),
            None => self.text(number),
        }
    }

    /// The number that an entry of ours has in another tree.
    fn known(&self, number: u32, other: &Tree) -> Option<u32> {
        let slot = self.state.tree.entries[number as usize].slot;
        other.entry(&self.state.tree.ids.text(slot)?)
    }

    /// Makes a file that was read ours: its entries come first, then those of ours that it lacks
    /// (`texts` has one for each of our entries), then `entry`, which becomes the leaf.
    pub(super) fn join(
        &mut self,
        loaded: Loaded,
        texts: Vec<Vec<u8>>,
        entry: Option<&[u8]>,
    ) -> Result<()> {
        if loaded.header().is_old() {
            return Err(Error::Replaced(loaded.log.path));
        }
        let Loaded { index, mut log } = loaded;
        let path = log.path.clone();
        let mut counts = Counts::of(&index);
        let mut tree = index.tree;
        let Standing::Here(mut locked) = lock(&mut log)? else {
            return Err(Error::ChangedWhileOpen(path));
        };
        if locked.has_more()? {
            counts.take_in(&mut tree, locked.log(), Tail::Final)?;
        }
        let mut moved = Vec::with_capacity(texts.len());
        let (mut lines, mut starts) = (Vec::new(), Vec::new());
        let mut add = |text: &[u8]| {
            starts.push(lines.len());
            lines.extend_from_slice(text);
            lines.push(b'\n');
            tree.count() + starts.len() as u32 - 1
        };
        for (number, text) in (0u32..).zip(&texts) {
            moved.push(self.known(number, &tree).unwrap_or_else(|| add(text)));
        }
        let entry = entry.map(|entry| untaken(entry, |id| tree.find(id).is_some()));
        if let Some((text, _)) = &entry {
            add(text);
        }
        if !lines.is_empty() {
            let at = locked.append(&lines, self.home.durability)?;
            for start in starts {
                push_line(&mut tree, &lines[start..], at + start as u64);
            }
        }
        drop(locked);
        let leaf = match &entry {
            Some(_) => tree.entries.last().map(|entry| entry.slot),
            None => {
                let leaf = self.state.tree.leaf().and_then(|slot| self.state.tree.ids.text(slot));
                leaf.and_then(|id| tree.find(&id))
            }
        };
        tree.set_leaf(leaf);
        self.news.new_header = self.state.header.as_ref() != Some(&index.header_text);
        self.news.moved = Some(moved);
        self.news.new_id = entry.and_then(|(_, new_id)| new_id);
        self.state.id = index.header.map_or_else(Vec::new, |header| header.id);
        self.state.header = Some(index.header_text);
        self.state.tree = tree;
        self.state.store = Store::File(log);
        self.state.counts = counts;
        self.changes += 1;
        Ok(())
    }
}
