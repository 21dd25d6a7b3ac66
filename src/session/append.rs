//! One more entry, in memory or in the file.

use std::borrow::Cow;

use super::counts::Tail;
use super::{Session, Store};
use crate::entry::Place;
use crate::fresh_id::fresh;
use crate::json::edit::{Edit, edit};
use crate::json::{Raw, quote};
use crate::line::{self, Fields};
use crate::log::{Standing, lock};
use crate::tree::{MemoryText, Tree};
use crate::{Error, Result};

/// What became of an entry that was to be appended.
#[derive(Debug, PartialEq, Eq)]
pub enum Appended {
    /// It is there, with this number, and is the leaf.
    Done(u32),
    /// Nothing was changed: the session has to be written whole. Call [`Session::write_whole`].
    NeedsWhole,
}

impl Session {
    /// Appends an entry and makes it the leaf.
    ///
    /// `text` is JSON of one object on one line: the entry (`whole`), or, as long as the session is
    /// not written ([`Session::is_written`]), a description of it (see [`MemoryText`]).
    ///
    /// # Errors
    /// If the entry cannot be written. Session and file are then as before, except that lines
    /// which another process appended meanwhile are part of both.
    pub fn append(&mut self, text: &[u8], whole: bool) -> Result<Appended> {
        let fields = entry_fields(text)?;
        if whole != self.is_written() {
            return Err(Error::ChangedDuringCall("append"));
        }
        let state = &mut self.state;
        self.changes += 1;
        if !self.home.persist {
            return Ok(keep_in_memory(&mut state.tree, &fields, text));
        }
        match &mut state.store {
            Store::Memory if is_conversation(&fields) => Ok(self.needs_whole()),
            Store::Memory => Ok(keep_in_memory(&mut state.tree, &fields, text)),
            Store::File(log) => {
                match lock(log)? {
                    Standing::Here(mut locked) => {
                        if locked.has_more()? {
                            self.news.others = true;
                            state.counts.take_in(&mut state.tree, locked.log(), Tail::Final)?;
                        }
                        let (entry, new_id) = untaken(text, |id| state.tree.find(id).is_some());
                        let at =
                            locked.append(&[&entry, &b"\n"[..]].concat(), self.home.durability)?;
                        self.news.new_id = new_id;
                        let number = push_line(&mut state.tree, &entry, at);
                        return Ok(Appended::Done(make_leaf(&mut state.tree, number)));
                    }
                    Standing::Gone => {
                        self.take_in_the_rest();
                        return Ok(self.needs_whole());
                    }
                    Standing::Replaced => {}
                }
                match self.follow(Some(text))? {
                    true => Ok(Appended::Done(self.state.tree.count() - 1)),
                    false => Ok(self.needs_whole()),
                }
            }
            Store::Unmigrated(..) => {
                self.migrate_late()?;
                self.append(text, whole)
            }
        }
    }

    fn needs_whole(&mut self) -> Appended {
        self.whole_wanted = Some(self.changes);
        Appended::NeedsWhole
    }

    /// Reads what others appended to our file before it was deleted or replaced.
    pub(super) fn take_in_the_rest(&mut self) {
        let state = &mut self.state;
        if let Store::File(log) = &mut state.store {
            let before = state.tree.count();
            // Should it be out of reach, there is nothing more to be had.
            let _ = state.counts.take_in(&mut state.tree, log, Tail::Final);
            self.news.others |= state.tree.count() > before;
        }
    }

    /// Tries once more to migrate the file of a session that was migrated in memory only.
    pub(super) fn migrate_late(&mut self) -> Result<()> {
        if let Store::Unmigrated(copy, unmigrated) = &self.state.store {
            self.state.store = Store::File(unmigrated.finish(copy)?);
        }
        Ok(())
    }
}

/// The fields of an entry handed over for writing.
pub(super) fn entry_fields(text: &[u8]) -> Result<Fields<'_>> {
    match line::object(text, 0) {
        Some(fields) if fields.range.end == text.len() && !text.contains(&b'\n') => Ok(fields),
        _ => Err(Error::NotAnEntry("one JSON object on one line is needed")),
    }
}

fn keep_in_memory(tree: &mut Tree, fields: &Fields<'_>, text: &[u8]) -> Appended {
    let number = tree.push(fields, Place::Memory);
    let memory = MemoryText { text: text.into(), whole: false };
    tree.memory.insert(number, memory);
    Appended::Done(make_leaf(tree, number))
}

fn is_conversation(fields: &Fields<'_>) -> bool {
    use crate::entry::Entry;
    use crate::ids::Slot;
    Entry::new(fields, Place::Memory, Slot::MISSING, Slot::NULL).is_conversation()
}

/// The text of an entry, with another id if `is_taken` says that its own is: another process may
/// have had the same idea meanwhile.
pub(super) fn untaken<'a>(
    text: &'a [u8],
    is_taken: impl Fn(&[u8]) -> bool,
) -> (Cow<'a, [u8]>, Option<String>) {
    let id = line::object(text, 0).and_then(|fields| fields.id).and_then(Raw::text);
    if !id.is_some_and(|id| is_taken(&id)) {
        return (text.into(), None);
    }
    let id = fresh(|id| is_taken(id.as_bytes()));
    let edited = edit(text, &[(b"id", Edit::Set(quote(id.as_bytes())))]);
    (edited.map_or(text.into(), Cow::Owned), Some(id))
}

/// Adds the entry of a line that was just written at offset `at`.
pub(super) fn push_line(tree: &mut Tree, line: &[u8], at: u64) -> u32 {
    let fields = line::object(line, 0).unwrap_or_default();
    let place = Place::in_file(at, &line[fields.range.clone()]);
    tree.push(&fields, place)
}

pub(super) fn make_leaf(tree: &mut Tree, number: u32) -> u32 {
    tree.set_leaf(Some(tree.entries[number as usize].slot));
    number
}
