//! Lines that were skipped, and reading those that others append.

use crate::Result;
use crate::load::Index;
use crate::log::Log;
use crate::tree::Tree;

/// How many lines of a file could not be taken in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Lines that are not JSON.
    pub damaged: u32,
    /// Lines that are JSON, but no objects.
    pub not_objects: u32,
    /// Whether one of the damaged lines is a last one that may not be whole yet.
    torn_tail: bool,
}

/// What a last line without line feed is, if nothing in it can be read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    /// Torn: we hold the lock, so that nobody is in the middle of writing it.
    Final,
    /// Perhaps not whole yet: it is read again next time.
    Open,
}

impl Counts {
    pub fn of(index: &Index) -> Self {
        let Index { damaged, not_objects, torn_tail, .. } = *index;
        Counts { damaged, not_objects, torn_tail: torn_tail.is_some() }
    }

    /// Adds the lines that others have appended to the tree. The leaf stays ours.
    pub fn take_in(&mut self, tree: &mut Tree, log: &mut Log, tail: Tail) -> Result<()> {
        let mut index = Index::following(std::mem::take(tree));
        let read = log.catch_up(|line| {
            // There is a header already, so that any line will do.
            let _ = index.line(line);
            Ok(())
        });
        if let (Some(at), Tail::Open) = (index.torn_tail, tail) {
            log.unread(at);
        }
        // A tail that was counted before has been read again.
        self.damaged = self.damaged + index.damaged - u32::from(self.torn_tail);
        self.not_objects += index.not_objects;
        self.torn_tail = index.torn_tail.is_some() && tail == Tail::Open;
        *tree = index.tree;
        read
    }
}
