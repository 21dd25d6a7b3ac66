//! A session and its manager's state: header, tree and file.
//!
//! | file | role |
//! |---|---|
//! | `open.rs` | which session a manager holds: new, opened, switched |
//! | `append.rs` | one more entry, in memory or in the file |
//! | `write.rs` | the first write, and writing again what was deleted |
//! | `join.rs` | a tree and a file that has entries of others |
//! | `counts.rs` | lines that were skipped, and reading those that others append |
//! | `faults.rs` | the test that makes every file operation fail |
//! | `texts.rs` | the texts of entries, from the file or from memory |
//! | `branch.rs` | a branch as a session of its own |

mod append;
mod branch;
mod counts;
#[cfg(test)]
mod faults;
mod join;
mod open;
mod texts;
mod write;

pub use append::Appended;
pub use branch::{BranchChange, BranchPlan};
pub use counts::Diagnostics;
pub use open::Opened;
pub use texts::Batch;
pub use write::Line;

use std::path::{Path, PathBuf};

use counts::Counts;

use crate::context::{self, Plan};
use crate::fresh_id::fresh;
use crate::header::{Fresh, Header};
use crate::ids::Slot;
use crate::json::{self, Raw};
use crate::load::Loaded;
use crate::log::{Durability, Log};
use crate::rewrite::Unmigrated;
use crate::tree::Tree;
use crate::{Error, Result};

/// The settings of a manager that outlive its session.
#[derive(Clone, Debug)]
pub struct Home {
    /// The name of the host application, for messages.
    pub app: String,
    /// The working directory that new sessions are for.
    pub cwd: String,
    /// The directory that new session files go to.
    pub dir: String,
    /// Whether sessions are kept in files.
    pub persist: bool,
    /// What an append that has returned survives.
    pub durability: Durability,
}

/// Where a session's entries are kept.
enum Store {
    /// In memory: either for good, or until the first write.
    Memory,
    /// In a file.
    File(Log),
    /// In a file that can't be written to and is of an old version; the log is a migrated copy.
    Unmigrated(Log, Unmigrated),
}

/// All that changes when a manager turns to another session.
struct State {
    /// The session's id (WTF-8).
    id: Vec<u8>,
    /// The session's file, there or to be. None for a manager that keeps nothing in files.
    path: Option<PathBuf>,
    /// The header as written in the file; `None` while the caller holds the only one.
    header: Option<Vec<u8>>,
    /// The working directory that a header read from a file names (WTF-8).
    cwd: Option<Vec<u8>>,
    tree: Tree,
    store: Store,
    counts: Counts,
}

/// What happened to entries and header in the course of a call, beyond what was asked for.
#[derive(Debug, Default, PartialEq)]
pub struct News {
    /// For each entry there was, the number it now has.
    pub moved: Option<Vec<u32>>,
    /// The id that the appended entry was given, since another process took the one it had.
    pub new_id: Option<String>,
    /// Whether the header is now the one in the file.
    pub new_header: bool,
    /// Whether entries that others appended came before the one that was appended.
    pub others: bool,
}

/// One session at a time, with its tree and its file.
pub struct Session {
    home: Home,
    state: State,
    news: News,
    /// Counts changes, so that a plan made earlier can tell whether it still holds.
    changes: u64,
    /// At which count of changes an append asked for the session to be written whole.
    whole_wanted: Option<u64>,
}

impl Session {
    /// The settings.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// Chooses what appends from now on survive.
    pub fn set_durability(&mut self, durability: Durability) {
        self.home.durability = durability;
    }

    /// The session's id (WTF-8).
    pub fn id(&self) -> &[u8] {
        &self.state.id
    }

    /// The session's file, there or to be.
    pub fn path(&self) -> Option<&Path> {
        self.state.path.as_deref()
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.state.tree
    }

    /// The header as it is in the file; `None` if it is not in a file yet.
    pub fn header(&self) -> Option<&[u8]> {
        self.state.header.as_deref()
    }

    /// Whether the session is in its file, so that every append must be.
    pub fn is_written(&self) -> bool {
        self.home.persist && !matches!(self.state.store, Store::Memory)
    }

    /// What is odd about the session, in numbers.
    pub fn diagnostics(&self) -> Diagnostics {
        Diagnostics::of(self.state.counts, &self.state.tree)
    }

    /// Whether anything happened that [`Session::take_news`] tells.
    pub fn has_news(&self) -> bool {
        self.news != News::default()
    }

    /// What happened since this was last asked.
    pub fn take_news(&mut self) -> News {
        std::mem::take(&mut self.news)
    }

    /// An id that no entry has.
    pub fn fresh_id(&self) -> String {
        fresh(|id| self.state.tree.find(id.as_bytes()).is_some())
    }

    /// Moves the leaf to an entry.
    ///
    /// # Errors
    /// If there is no entry with this id.
    pub fn branch(&mut self, id: &[u8]) -> Result<()> {
        let slot = self.find(id)?;
        self.state.tree.set_leaf(Some(slot));
        self.changes += 1;
        Ok(())
    }

    /// Moves the leaf to before the first entry.
    pub fn reset_leaf(&mut self) {
        self.state.tree.set_leaf(None);
        self.changes += 1;
    }

    /// The slot of an entry's id.
    ///
    /// # Errors
    /// If there is no entry with this id.
    pub fn find(&self, id: &[u8]) -> Result<Slot> {
        let found = self.state.tree.find(id);
        found.ok_or_else(|| Error::NoSuchEntry(id.to_vec()))
    }

    /// The display name: that of the latest session info, trimmed; none if that is empty or no
    /// string (WTF-8).
    pub fn name(&self) -> Result<Option<Vec<u8>>> {
        let Some(number) = self.state.tree.latest_info else {
            return Ok(None);
        };
        let text = self.text(number)?;
        let name = json::edit::member(&text, b"name").and_then(Raw::text);
        Ok(name.map(|name| json::trim(&name).to_vec()).filter(|name| !name.is_empty()))
    }

    /// The plan of the context at the leaf.
    pub fn context(&self) -> Plan {
        let tree = &self.state.tree;
        let Some(leaf) = tree.leaf() else {
            return Plan::default();
        };
        // As in the reference, an id that is not followed stands for the last entry.
        let mut path = tree.branch(Some(leaf));
        if path.is_empty() && !tree.entries.is_empty() {
            path = tree.path_to(tree.count() - 1);
        }
        context::plan(tree, &path, |number| tree.entries[number as usize].slot)
    }

    /// The settings that a plan leads to: see [`context::settings`].
    pub fn settings(&self, plan: &Plan) -> Result<Vec<u8>> {
        context::settings(&self.state.tree, plan, |number| self.text(number))
    }
}

/// A state that is not in a file yet.
fn unwritten(fresh: &Fresh, path: Option<PathBuf>) -> State {
    State {
        id: fresh.id.clone().into_bytes(),
        path,
        header: None,
        cwd: None,
        tree: Tree::default(),
        store: Store::Memory,
        counts: Counts::default(),
    }
}

/// The state of a session that was read from a file.
fn read_from(loaded: Loaded) -> State {
    let Header { id, cwd, .. } = loaded.header();
    let Loaded { index, log } = loaded;
    let counts = Counts::of(&index);
    State {
        id,
        path: Some(log.path.clone()),
        header: Some(index.header_text),
        cwd,
        tree: index.tree,
        store: Store::File(log),
        counts,
    }
}
