//! The tree: entries, their parents, the leaf and the labels.

use std::collections::HashMap;

use crate::entry::{Entry, Kind, Place};
use crate::ids::{Ids, Slot};
use crate::labels::Labels;
use crate::line::Fields;

/// The text of an entry that is not in the file yet.
#[derive(Debug)]
pub struct MemoryText {
    /// JSON text of one object.
    pub text: Box<[u8]>,
    /// Whether that is the whole entry. If not, it is a short description of an object that the
    /// caller holds, with the members of [`Fields`] only.
    pub whole: bool,
}

/// All entries of a session, in the order of the file.
#[derive(Default)]
pub struct Tree {
    /// The entries.
    pub entries: Vec<Entry>,
    /// Their ids.
    pub ids: Ids,
    /// The labels in force.
    pub labels: Labels,
    /// The texts of entries that are not in the file yet, by number.
    pub memory: HashMap<u32, MemoryText>,
    /// The number of the latest session info.
    pub latest_info: Option<u32>,
    /// Which entry each compaction keeps from, by the compaction's number.
    pub kept: HashMap<u32, Slot>,
    /// Whether a user or assistant message is among the entries.
    pub has_conversation: bool,
    leaf: Option<Slot>,
}

impl Tree {
    /// How much memory entries and ids take, in bytes. Labels, and entries that are not written
    /// yet, are not counted: there are few.
    pub fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.ids.heap_bytes()
    }

    /// Adds an entry at the end. The leaf stays where it is.
    pub fn push(&mut self, fields: &Fields<'_>, place: Place) -> u32 {
        let number = self.entries.len() as u32;
        let slot = self.ids.intern(fields.id);
        let parent = self.ids.intern(fields.parent_id);
        let entry = Entry::new(fields, place, slot, parent);
        self.ids.enter(slot, number);
        self.has_conversation |= entry.is_conversation();
        match entry.kind {
            Kind::Label => {
                let target = self.ids.intern(fields.target_id);
                self.labels.change(target, fields.label, fields.timestamp);
            }
            Kind::SessionInfo => self.latest_info = Some(number),
            Kind::Compaction => {
                let kept = self.ids.intern(fields.first_kept_entry_id);
                self.kept.insert(number, kept);
            }
            _ => {}
        }
        self.entries.push(entry);
        number
    }

    /// How many entries there are.
    pub fn count(&self) -> u32 {
        self.entries.len() as u32
    }

    /// The id of the leaf.
    pub fn leaf(&self) -> Option<Slot> {
        self.leaf
    }

    /// Moves the leaf; `None` is the place before the first entry.
    pub fn set_leaf(&mut self, leaf: Option<Slot>) {
        self.leaf = leaf;
    }

    /// Moves the leaf to where loading leaves it: the last entry with a string id.
    pub fn leaf_as_loaded(&mut self) {
        let ids = self.entries.iter().rev().map(|entry| entry.slot);
        self.leaf = ids.into_iter().find(|&slot| self.ids.is_string(slot));
    }

    /// The slot of an id that some entry has.
    pub fn find(&self, id: &[u8]) -> Option<Slot> {
        self.ids.find(id).filter(|&slot| self.ids.last(slot).is_some())
    }

    /// The number of the entry with this id; of several, the last.
    pub fn entry(&self, id: &[u8]) -> Option<u32> {
        self.ids.last(self.ids.find(id)?)
    }

    /// The entry that another one names as its parent, if it is followed there.
    pub fn parent(&self, number: u32) -> Option<u32> {
        self.follow(self.entries[number as usize].parent)
    }

    /// The entry a slot leads to when it is followed from a leaf or a child.
    fn follow(&self, slot: Slot) -> Option<u32> {
        if self.ids.truthy(slot) { self.ids.last(slot) } else { None }
    }

    /// The numbers of the entries from the root to `from`. Ends at the first repeat.
    pub fn branch(&self, from: Option<Slot>) -> Vec<u32> {
        match from.and_then(|slot| self.follow(slot)) {
            Some(number) => self.path_to(number),
            None => Vec::new(),
        }
    }

    /// The numbers of the entries from the root to entry `number`. Ends at the first repeat.
    pub fn path_to(&self, number: u32) -> Vec<u32> {
        let mut seen = vec![0u64; self.ids.count().div_ceil(64)];
        let mut path = Vec::new();
        let mut next = Some(number);
        while let Some(number) = next {
            let entry = &self.entries[number as usize];
            let at = self.ids.index(entry.slot);
            let bit = 1u64 << (at % 64);
            if seen[at / 64] & bit != 0 {
                break;
            }
            seen[at / 64] |= bit;
            path.push(number);
            next = self.follow(entry.parent);
        }
        path.reverse();
        path
    }

    /// The numbers of the entries that stand for an id each, in the order in which the ids first
    /// came: an id's entry is its last one.
    pub fn distinct(&self) -> impl Iterator<Item = u32> + '_ {
        self.entries.iter().enumerate().filter_map(|(number, entry)| {
            let is_first = self.ids.first(entry.slot) == Some(number as u32);
            is_first.then(|| self.ids.last(entry.slot)).flatten()
        })
    }

    /// The direct children of an id, `null` included.
    pub fn children(&self, parent: Slot) -> Vec<u32> {
        self.distinct().filter(|&n| self.entries[n as usize].parent == parent).collect()
    }

    /// The text of an id, for messages and lines.
    pub fn id_text(&self, slot: Slot) -> Vec<u8> {
        self.ids.text(slot).unwrap_or_default().into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::object;

    fn tree(entries: &[(&str, &str)]) -> Tree {
        let mut tree = Tree::default();
        for (id, parent) in entries {
            let parent = if parent.is_empty() { "null".into() } else { format!("\"{parent}\"") };
            let text = format!(r#"{{"type":"custom","id":"{id}","parentId":{parent}}}"#);
            tree.push(&object(text.as_bytes(), 0).unwrap(), Place::Memory);
        }
        tree.leaf_as_loaded();
        tree
    }

    #[test]
    fn a_branch_runs_from_the_root_to_the_leaf() {
        let t = tree(&[("a", ""), ("b", "a"), ("c", "a"), ("d", "c")]);
        assert_eq!(t.branch(t.leaf()), [0, 2, 3]);
        assert_eq!(t.branch(t.find(b"b")), [0, 1]);
        assert_eq!(t.branch(t.find(b"nope")), [0u32; 0]);
        assert_eq!(t.children(t.find(b"a").unwrap()), [1, 2]);
        assert_eq!(t.children(Slot::NULL), [0]);
    }

    #[test]
    fn walks_end_at_the_first_repeat() {
        let t = tree(&[("a", "b"), ("b", "a"), ("s", "s")]);
        assert_eq!(t.branch(t.find(b"a")), [1, 0]);
        assert_eq!(t.branch(t.find(b"s")), [2]);
    }

    #[test]
    fn of_a_repeated_id_the_last_entry_counts() {
        let t = tree(&[("a", ""), ("b", "a"), ("a", ""), ("b", "a")]);
        assert_eq!(t.branch(t.leaf()), [2, 3]);
        assert_eq!(t.distinct().collect::<Vec<_>>(), [2, 3]);
        assert_eq!(t.entry(b"a"), Some(2));
    }

    #[test]
    fn parents_may_come_later_and_an_empty_id_is_not_followed() {
        let t = tree(&[("b", "a"), ("a", ""), ("", "a")]);
        assert_eq!(t.branch(t.find(b"b")), [1, 0]);
        assert_eq!(t.leaf(), Some(Slot::EMPTY));
        assert_eq!(t.branch(t.leaf()), [0u32; 0]);
    }
}
