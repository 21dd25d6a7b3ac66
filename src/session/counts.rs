//! Lines that were skipped, and reading those that others append.

use crate::Result;
use crate::load::Index;
use crate::log::{LineAt, Log};
use crate::tree::Tree;
use crate::verify::{Fault, tree_faults};

/// How many lines of a file could not be taken in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Lines that are not JSON.
    pub damaged: u32,
    /// Headers after the first.
    pub second_headers: u32,
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
        let Index { damaged, second_headers, not_objects, torn_tail, .. } = *index;
        Counts { damaged, second_headers, not_objects, torn_tail: torn_tail.is_some() }
    }

    /// Adds the lines that others have appended to the tree. The leaf stays ours.
    pub fn take_in(&mut self, tree: &mut Tree, log: &mut Log, tail: Tail) -> Result<()> {
        let mut index = Index::following(std::mem::take(tree));
        let read = log.catch_up(|line| {
            // There is a header already, so that any line will do.
            let terminated = line.terminated || tail == Tail::Final;
            let _ = index.line(LineAt { terminated, ..line });
            Ok(())
        });
        if let (Some(at), Tail::Open) = (index.torn_tail, tail) {
            log.unread(at);
        }
        // A tail that was counted before has been read again.
        self.damaged = self.damaged + index.damaged - u32::from(self.torn_tail);
        self.second_headers += index.second_headers;
        self.not_objects += index.not_objects;
        self.torn_tail = index.torn_tail.is_some() && tail == Tail::Open;
        *tree = index.tree;
        read
    }
}

/// What is odd about an open session, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    /// Lines that are not JSON. Whole records in them were read.
    pub damaged_lines: u32,
    /// Lines that are JSON, but no objects.
    pub lines_without_object: u32,
    /// Headers after the first.
    pub second_headers: u32,
    /// Entries whose parent is not there.
    pub orphans: u32,
    /// Entries that are their own ancestors.
    pub cycles: u32,
    /// Entries whose id an entry before them has.
    pub repeated_ids: u32,
    /// Labels in force on entries that are not there.
    pub dangling_labels: u32,
    /// Compactions that keep from an entry that is not there.
    pub dangling_compactions: u32,
}

impl Diagnostics {
    pub(super) fn of(counts: Counts, tree: &Tree) -> Self {
        let mut found = Diagnostics {
            damaged_lines: counts.damaged,
            lines_without_object: counts.not_objects,
            second_headers: counts.second_headers,
            ..Diagnostics::default()
        };
        for (_, fault) in tree_faults(tree) {
            match fault {
                Fault::Orphan => found.orphans += 1,
                Fault::Cycle => found.cycles += 1,
                Fault::RepeatedId => found.repeated_ids += 1,
                Fault::DanglingCompaction => found.dangling_compactions += 1,
                _ => {}
            }
        }
        let targets = tree.labels.in_order().into_iter().map(|(target, _)| target);
        found.dangling_labels =
            targets.filter(|&target| tree.ids.last(target).is_none()).count() as u32;
        found
    }
}
