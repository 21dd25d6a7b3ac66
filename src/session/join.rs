//! A tree and a file that has entries of others.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;

use super::append::{push_line, untaken};
use super::counts::{Counts, Tail};
use super::{Session, Store};
use crate::entry::Place;
use crate::load::{Loaded, load};
use crate::log::{Standing, lock, look};
use crate::rewrite;
use crate::tree::Tree;
use crate::{Error, Result};

/// How often a file is followed that is replaced again meanwhile.
const ATTEMPTS: u32 = 20;

/// By what an entry is known again in another file.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    /// Its id.
    Id(Vec<u8>),
    /// Length and checksum of its text, if it has no id.
    Text(u32, u32),
}

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
        self.follow(None).map(drop)
    }

    /// Another file stands at our path: if it holds our session, it becomes our file, and what it
    /// lacks of ours is added to it, with one more entry. Returns false if it has 0 bytes: then the
    /// session has to be written whole.
    pub(super) fn follow(&mut self, entry: Option<&[u8]>) -> Result<bool> {
        for _ in 0..ATTEMPTS {
            match self.follow_once(entry) {
                Err(Error::ChangedWhileOpen(_)) => {}
                result => return result,
            }
        }
        self.follow_once(entry)
    }

    fn follow_once(&mut self, entry: Option<&[u8]>) -> Result<bool> {
        self.take_in_the_rest();
        let path: PathBuf = self.state.path.clone().unwrap_or_default();
        let Some(loaded) = load(&path, &self.home.app)? else {
            return Ok(false);
        };
        if loaded.header().id != self.state.id {
            return Err(Error::Replaced(path));
        }
        let known = self.known_in(&loaded.index.tree);
        let text = |(number, known): (u32, Option<u32>)| match known {
            Some(_) => Ok(Vec::new()),
            None => self.text(number),
        };
        let texts = (0..).zip(known).map(text).collect::<Result<Vec<_>>>()?;
        self.join(loaded, texts, entry)?;
        Ok(true)
    }

    /// For each entry of ours, the number it has in another tree: entries with an id are the same
    /// if that is, the first with it is the first there, and so on; others if their texts are.
    fn known_in(&self, other: &Tree) -> Vec<Option<u32>> {
        let key = |tree: &Tree, number: u32| {
            let entry = &tree.entries[number as usize];
            match (tree.ids.text(entry.slot), entry.place) {
                (Some(id), _) => Some(Key::Id(id.into_owned())),
                (None, Place::File { len, check, .. }) => Some(Key::Text(len, check)),
                (None, Place::Memory) => None,
            }
        };
        let mut theirs: HashMap<Key, VecDeque<u32>> = HashMap::new();
        for number in 0..other.count() {
            if let Some(key) = key(other, number) {
                theirs.entry(key).or_default().push_back(number);
            }
        }
        let mut known = |number| {
            let numbers = theirs.get_mut(&key(&self.state.tree, number)?)?;
            // The last one stands for all that come after it: an id is never added twice.
            if numbers.len() > 1 { numbers.pop_front() } else { numbers.front().copied() }
        };
        (0..self.state.tree.count()).map(&mut known).collect()
    }

    /// Makes a file that was read ours: its entries come first, then those of ours that it lacks
    /// (`texts` has one for each of our entries), then `entry`, which becomes the leaf.
    pub(super) fn join(
        &mut self,
        loaded: Loaded,
        texts: Vec<Vec<u8>>,
        entry: Option<&[u8]>,
    ) -> Result<()> {
        let loaded = match loaded.header().is_old() {
            true => match rewrite::migrate(&loaded.log.path.clone(), loaded, &self.home)? {
                (loaded, _, None) => loaded,
                (loaded, ..) => return Err(Error::Replaced(loaded.log.path)),
            },
            false => loaded,
        };
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
        let known = self.known_in(&tree);
        let mut moved = Vec::with_capacity(texts.len());
        let (mut lines, mut starts) = (Vec::new(), Vec::new());
        let mut add = |text: &[u8]| {
            starts.push(lines.len());
            lines.extend_from_slice(text);
            lines.push(b'\n');
            tree.count() + starts.len() as u32 - 1
        };
        for (known, text) in known.into_iter().zip(&texts) {
            moved.push(known.unwrap_or_else(|| add(text)));
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
