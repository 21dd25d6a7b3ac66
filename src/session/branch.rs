//! A branch as a session of its own.

use std::collections::HashSet;

use super::append::push_line;
use super::open::new_path;
use super::{Line, Session, Store, unwritten};
use crate::entry::{Kind, Place};
use crate::fresh_id::fresh;
use crate::header::Fresh;
use crate::ids::Slot;
use crate::json::edit::{Edit, edit};
use crate::json::quote;
use crate::line;
use crate::log::{FreshFile, Log, create_directory};
use crate::tree::{MemoryText, Tree};
use crate::{Error, Result};

/// What changes in one entry of a branch: its place among them, and members with their new values
/// as JSON text.
pub type BranchChange = (u32, Vec<(&'static str, Vec<u8>)>);

/// A branch laid out as a new session, before anything is done.
///
/// Labels are entries, too, and stand in the chain. The new session leaves them out, chains what
/// follows them to what came before them, and sets the labels in force again at its end.
#[derive(Clone, Debug)]
pub struct BranchPlan {
    /// The new session's own part of its header.
    pub fresh: Fresh,
    /// The numbers of the entries that it takes over, root first.
    pub entries: Vec<u32>,
    /// Which of those (places in `entries`) must change, and how: `parentId` or
    /// `firstKeptEntryId`, with the new value as JSON text.
    pub changes: Vec<BranchChange>,
    /// The entries of the labels, as JSON text.
    pub labels: Vec<Vec<u8>>,
    /// Whether the new session is written to its file at once.
    pub writes: bool,
    made_at: u64,
}

impl Session {
    /// Plans the branch from the root to `leaf` (or to the current leaf) as a new session.
    ///
    /// # Errors
    /// If there is no such entry; the message says what was `asked_for`.
    pub fn plan_branch(&self, leaf: Option<&[u8]>, asked_for: &[u8]) -> Result<BranchPlan> {
        let tree = &self.state.tree;
        let from = match leaf {
            Some(id) => tree.find(id),
            None => tree.leaf(),
        };
        let path = tree.branch(from);
        if path.is_empty() {
            return Err(Error::NoSuchEntry(asked_for.to_vec()));
        }
        let (entries, changes) = without_labels(tree, &path);
        Ok(BranchPlan {
            fresh: Fresh::new(None)?,
            labels: labels_again(tree, &entries),
            writes: self.home.persist
                && entries.iter().any(|&n| tree.entries[n as usize].is_conversation()),
            entries,
            changes,
            made_at: self.changes,
        })
    }

    /// Turns to the session that `plan` lays out. `header` is its header's line; `lines` has one
    /// for each entry taken over, in which the changes of the plan are done already; where it has
    /// none, the text that the session has is taken and changed.
    ///
    /// A session with a user or assistant message is written to its file at once, any other with
    /// its first one.
    ///
    /// # Errors
    /// If the file cannot be written, or the session was changed since the plan was made. The
    /// manager then keeps the session it has.
    pub fn create_branched_session(
        &mut self,
        plan: &BranchPlan,
        header: &[u8],
        lines: Vec<Line>,
    ) -> Result<()> {
        if plan.made_at != self.changes {
            return Err(Error::ChangedDuringCall("createBranchedSession"));
        }
        let mut state =
            unwritten(&plan.fresh, new_path(&self.home, &plan.fresh).or(self.state.path.clone()));
        let tree = match &state.path {
            Some(path) if plan.writes => {
                if let Some(directory) = path.parent() {
                    create_directory(directory, self.home.durability)?;
                }
                let mut file = FreshFile::begin(path)?;
                file.line(header)?;
                let mut tree = Tree::default();
                self.each_text(plan, lines, |text, _| {
                    let at = file.line(text)?;
                    push_line(&mut tree, text, at);
                    Ok(())
                })?;
                let end = file.length();
                let file = file.ready(self.home.durability)?;
                let handle = file.open(path)?;
                if !file.create()? {
                    return Err(Error::Replaced(path.clone()));
                }
                let mut log = Log::new(path.clone(), handle);
                (log.end, log.seen) = (end, end);
                state.store = Store::File(log);
                state.header = Some(header.to_vec());
                tree
            }
            _ => {
                let mut tree = Tree::default();
                self.each_text(plan, lines, |text, whole| {
                    let fields = line::object(text, 0).unwrap_or_default();
                    let number = tree.push(&fields, Place::Memory);
                    tree.memory.insert(number, MemoryText { text: text.into(), whole });
                    Ok(())
                })?;
                tree
            }
        };
        state.tree = tree;
        state.tree.leaf_as_loaded();
        self.turn_to(state);
        Ok(())
    }

    /// Shows `each` the texts of the new session's entries, and whether they are whole.
    fn each_text(
        &self,
        plan: &BranchPlan,
        lines: Vec<Line>,
        mut each: impl FnMut(&[u8], bool) -> Result<()>,
    ) -> Result<()> {
        let mut changes = plan.changes.iter().peekable();
        let mut lines = lines.into_iter();
        for (place, &number) in (0u32..).zip(&plan.entries) {
            let change = changes.next_if(|(at, _)| *at == place);
            if let Some(line) = lines.next().flatten() {
                super::append::entry_fields(&line)?;
                each(&line, true)?;
                continue;
            }
            let text = self.text(number)?;
            let text = match change {
                Some((_, members)) => {
                    let set = |(key, value): &(&'static str, Vec<u8>)| {
                        (key.as_bytes(), Edit::Set(value.clone()))
                    };
                    edit(&text, &members.iter().map(set).collect::<Vec<_>>()).unwrap_or(text)
                }
                None => text,
            };
            each(&text, self.is_whole(number))?;
        }
        plan.labels.iter().try_for_each(|label| each(label, true))
    }
}

/// The entries of a path without its labels, and what must change so that they still hang together.
fn without_labels(tree: &Tree, path: &[u32]) -> (Vec<u32>, Vec<BranchChange>) {
    let (mut entries, mut changes) = (Vec::new(), Vec::new());
    let mut next_kept = std::collections::HashMap::new(); // what stands for a label that is gone
    let mut pending: Vec<Slot> = Vec::new();
    let mut last_id = b"null".to_vec();
    for &number in path {
        let entry = &tree.entries[number as usize];
        if entry.kind == Kind::Label {
            pending.push(entry.slot);
            continue;
        }
        let id = tree.ids.json(entry.slot);
        let mut members = Vec::new();
        if pending.contains(&entry.parent) {
            members.push(("parentId", last_id));
        }
        next_kept.extend(pending.drain(..).map(|label| (label, id.clone())));
        if let Some(replacement) = tree.kept.get(&number).and_then(|kept| next_kept.get(kept)) {
            members.push(("firstKeptEntryId", replacement.clone()));
        }
        if !members.is_empty() {
            changes.push((entries.len() as u32, members));
        }
        entries.push(number);
        last_id = id;
    }
    (entries, changes)
}

/// New label entries for the labels in force on `entries`, chained to the last of them.
fn labels_again(tree: &Tree, entries: &[u32]) -> Vec<Vec<u8>> {
    let on_path: HashSet<Slot> = entries.iter().map(|&n| tree.entries[n as usize].slot).collect();
    let last = entries.last().map(|&n| tree.entries[n as usize].slot);
    let mut parent = last.map_or(b"null".to_vec(), |slot| tree.ids.json(slot));
    let mut taken = HashSet::new();
    let mut lines = Vec::new();
    for (target, label) in tree.labels.in_order() {
        if !on_path.contains(&target) {
            continue;
        }
        let is_taken = |id: &str| {
            taken.contains(id)
                || tree.find(id.as_bytes()).is_some_and(|slot| on_path.contains(&slot))
        };
        let id = fresh(is_taken);
        let quoted = quote(id.as_bytes());
        taken.insert(id);
        let mut line = br#"{"type":"label","id":"#.to_vec();
        line.extend_from_slice(&quoted);
        line.extend_from_slice(b",\"parentId\":");
        line.extend_from_slice(&parent);
        if let Some(timestamp) = &label.timestamp {
            line.extend_from_slice(b",\"timestamp\":");
            line.extend_from_slice(timestamp);
        }
        line.extend_from_slice(b",\"targetId\":");
        line.extend_from_slice(&tree.ids.json(target));
        line.extend_from_slice(b",\"label\":");
        line.extend_from_slice(&label.label);
        line.push(b'}');
        lines.push(line);
        parent = quoted;
    }
    lines
}
