//! The texts of entries, from the file or from memory.

use std::borrow::Cow;

use super::{Session, Store};
use crate::entry::Place;
use crate::log::Log;
use crate::{Error, Result};

/// How much of the file is read at once for entries that stand close to each other.
const BLOCK: u64 = 4 << 20;
/// How much of what is read in between may be of no use.
const GAP: u64 = 64 << 10;

/// Some of the entries that were asked for.
pub struct Batch {
    /// Their texts as one JSON array.
    pub array: Vec<u8>,
    /// How many they are.
    pub count: usize,
}

impl Session {
    fn log(&self) -> Option<&Log> {
        match &self.state.store {
            Store::Memory => None,
            Store::File(log) | Store::Unmigrated(log, _) => Some(log),
        }
    }

    /// The text of an entry: as it stands in the file or, for one that is not there yet, as the
    /// caller described it.
    ///
    /// # Errors
    /// If the file does not hold what was read from it any more.
    pub fn text(&self, number: u32) -> Result<Vec<u8>> {
        match (self.state.tree.entries[number as usize].place, self.log()) {
            (Place::File { at, len, .. }, Some(log)) => {
                let text = log.read(at, len as usize)?;
                self.check(number, &text, log)?;
                Ok(text)
            }
            _ => Ok(self.memory(number).to_vec()),
        }
    }

    /// Whether an entry's text is the whole entry, and not just a description of it.
    pub fn is_whole(&self, number: u32) -> bool {
        self.state.tree.memory.get(&number).is_none_or(|memory| memory.whole)
    }

    fn memory(&self, number: u32) -> &[u8] {
        self.state.tree.memory.get(&number).map_or(b"null", |memory| &memory.text)
    }

    fn check(&self, number: u32, text: &[u8], log: &Log) -> Result<()> {
        if self.state.tree.entries[number as usize].place.holds(text) {
            Ok(())
        } else {
            Err(Error::ChangedWhileOpen(log.path.clone()))
        }
    }

    /// The texts of the first few of `numbers`, at least one of them: as many as stand close to
    /// each other in the file and fit in a few megabytes.
    pub fn texts(&self, numbers: &[u32]) -> Result<Batch> {
        let (start, end, count) = self.run(numbers);
        let block = match self.log() {
            Some(log) if end > start => log.read(start, (end - start) as usize)?,
            _ => Vec::new(),
        };
        let mut array = Vec::with_capacity(block.len() + count + 2);
        array.push(b'[');
        for &number in &numbers[..count] {
            if array.len() > 1 {
                array.push(b',');
            }
            let text = match (self.state.tree.entries[number as usize].place, self.log()) {
                (Place::File { at, len, .. }, Some(log)) => {
                    let from = (at - start) as usize;
                    let text = &block[from..from + len as usize];
                    self.check(number, text, log)?;
                    Cow::Borrowed(text)
                }
                _ => Cow::Borrowed(self.memory(number)),
            };
            array.extend_from_slice(&text);
        }
        array.push(b']');
        Ok(Batch { array, count })
    }

    /// The stretch of the file that holds the first few of `numbers`, and how many those are.
    fn run(&self, numbers: &[u32]) -> (u64, u64, usize) {
        let (mut start, mut end) = (0, 0);
        for (count, &number) in numbers.iter().enumerate() {
            let Place::File { at, len, .. } = self.state.tree.entries[number as usize].place else {
                continue;
            };
            let (first, last) = (at, at + u64::from(len));
            let fits = first >= end && first - end <= GAP && last - start <= BLOCK;
            if end == 0 {
                (start, end) = (first, last);
            } else if fits {
                end = last;
            } else {
                return (start, end, count);
            }
        }
        (start, end, numbers.len())
    }
}
