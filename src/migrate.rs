//! From version 1 to 2 to 3: which members of which entry change.
//!
//! Version 1 had no ids: entries followed one another, and a compaction named what it kept by its
//! place among all objects of the file. Version 2 called extension messages `hookMessage`.

use crate::entry::Kind;
use crate::fresh_id::fresh;
use crate::header::{CURRENT_VERSION, is_session};
use crate::json::edit::Edit;
use crate::json::{Raw, edit::edit, quote};
use crate::line::Fields;
use std::collections::HashSet;

/// What a migration does to one object.
#[derive(Debug, Default)]
pub struct Change {
    /// Members to set or remove.
    pub edits: Vec<(&'static [u8], Edit)>,
    /// Whether the message's role becomes `custom`.
    pub role_to_custom: bool,
    /// Whether `firstKeptEntryId` becomes a member that holds `undefined`: there in the object,
    /// absent from the file. So it is where a compaction names an entry that has no id yet.
    pub kept_is_undefined: bool,
}

impl Change {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && !self.role_to_custom && !self.kept_is_undefined
    }

    /// The changed text of `object`.
    pub fn apply(mut self, object: &[u8]) -> Vec<u8> {
        if self.role_to_custom
            && let Some(message) = crate::json::edit::member(object, b"message")
            && let Some(message) =
                edit(message.bytes(), &[(b"role", Edit::Set(b"\"custom\"".into()))])
        {
            self.edits.push((b"message", Edit::Set(message)));
        }
        if self.kept_is_undefined {
            self.edits.push((b"firstKeptEntryId", Edit::Remove));
        }
        edit(object, &self.edits).unwrap_or_else(|| object.to_vec())
    }
}

/// A migration on its way through the objects of a file, header first.
pub struct Migration {
    add_ids: bool,
    rename_role: bool,
    taken: HashSet<String>,
    previous: Option<String>,
    /// The id, as JSON text, of each object so far; `None` for headers.
    so_far: Vec<Option<Vec<u8>>>,
}

impl Migration {
    /// The migration that a file of this version needs, if any.
    pub fn from_version(version: f64) -> Option<Self> {
        (version < f64::from(CURRENT_VERSION)).then(|| Migration {
            add_ids: version < 2.0,
            rename_role: true,
            taken: HashSet::new(),
            previous: None,
            so_far: Vec::new(),
        })
    }

    /// What to do to the next object. `later` tells what stands at a place further on that has
    /// not been migrated yet: nothing, or an object with its id as written.
    pub fn next(&mut self, fields: &Fields<'_>, later: impl FnOnce(usize) -> Later) -> Change {
        let mut change = Change::default();
        if is_session(fields) {
            let version = CURRENT_VERSION.to_string().into_bytes();
            change.edits.push((b"version", Edit::Set(version)));
            self.so_far.push(None);
            return change;
        }
        let kind = Kind::of(fields.kind);
        if self.add_ids {
            self.add_ids(kind, fields, &mut change, later);
        }
        let role = fields.message.as_ref().and_then(|message| message.role);
        change.role_to_custom =
            self.rename_role && kind == Kind::Message && role.is_some_and(|r| r.is(b"hookMessage"));
        change
    }

    fn add_ids(
        &mut self,
        kind: Kind,
        fields: &Fields<'_>,
        change: &mut Change,
        later: impl FnOnce(usize) -> Later,
    ) {
        let id = fresh(|id| self.taken.contains(id));
        let parent =
            self.previous.replace(id.clone()).map_or(b"null".to_vec(), |p| quote(p.as_bytes()));
        change.edits.push((b"id", Edit::Set(quote(id.as_bytes()))));
        change.edits.push((b"parentId", Edit::Set(parent)));
        self.so_far.push(Some(quote(id.as_bytes())));
        self.taken.insert(id);
        let index = fields.first_kept_entry_index.and_then(Raw::number);
        if kind == Kind::Compaction
            && let Some(index) = index
        {
            self.keep_by_id(index, change, later);
            change.edits.push((b"firstKeptEntryIndex", Edit::Remove));
        }
    }

    fn keep_by_id(&self, index: f64, change: &mut Change, later: impl FnOnce(usize) -> Later) {
        if index < 0.0 || index.fract() != 0.0 || index > f64::from(u32::MAX) {
            return;
        }
        let index = index as usize;
        let kept = match self.so_far.get(index) {
            Some(Some(id)) => Later::Entry(Some(id.clone())),
            Some(None) => Later::Nothing,
            None => later(index),
        };
        match kept {
            Later::Nothing => {}
            Later::Entry(Some(id)) => change.edits.push((b"firstKeptEntryId", Edit::Set(id))),
            Later::Entry(None) => change.kept_is_undefined = true,
        }
    }
}

/// What stands at a place that the migration has not reached yet.
#[derive(Clone, Debug, PartialEq)]
pub enum Later {
    /// No object, or a header.
    Nothing,
    /// An entry, with its id as JSON text if it already has one.
    Entry(Option<Vec<u8>>),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::edit::member;
    use crate::line::object;

    fn migrated(version: f64, lines: &[&str]) -> Vec<Vec<u8>> {
        let mut migration = Migration::from_version(version).unwrap();
        let fields =
            |line: &str| object(line.as_bytes(), 0).map(|f| f.id.map(|id| id.bytes().to_vec()));
        lines
            .iter()
            .map(|line| {
                let later = |at: usize| {
                    lines.get(at).map_or(Later::Nothing, |l| Later::Entry(fields(l).unwrap()))
                };
                migration.next(&object(line.as_bytes(), 0).unwrap(), later).apply(line.as_bytes())
            })
            .collect()
    }

    #[test]
    fn version_one_gets_ids_in_a_chain() {
        let lines = migrated(
            1.0,
            &[
                r#"{"type":"session","id":"s"}"#,
                r#"{"type":"message","message":{}}"#,
                r#"{"type":"compaction","firstKeptEntryIndex":1,"summary":"s"}"#,
                r#"{"type":"compaction","firstKeptEntryIndex":4}"#,
                r#"{"type":"compaction","firstKeptEntryIndex":0}"#,
            ],
        );
        assert_eq!(lines[0], br#"{"type":"session","id":"s","version":3}"#);
        let id = member(&lines[1], b"id").unwrap();
        assert!(member(&lines[1], b"parentId").unwrap().is_null());
        assert_eq!(member(&lines[2], b"parentId").unwrap(), id);
        assert_eq!(member(&lines[2], b"firstKeptEntryId").unwrap(), id);
        for line in &lines[2..] {
            assert!(member(line, b"firstKeptEntryIndex").is_none());
        }
        assert!(member(&lines[3], b"firstKeptEntryId").is_none());
        assert!(member(&lines[4], b"firstKeptEntryId").is_none());
    }

    #[test]
    fn version_two_renames_the_role_and_nothing_else() {
        let lines = migrated(
            2.0,
            &[
                r#"{"type":"session","version":2,"id":"s"}"#,
                r#"{"type":"message","id":"a","message":{"role":"hookMessage","x":1e999}}"#,
                r#"{"type":"other","id":"b","message":{"role":"hookMessage"}}"#,
            ],
        );
        assert_eq!(lines[0], br#"{"type":"session","version":3,"id":"s"}"#);
        assert_eq!(
            lines[1],
            br#"{"type":"message","id":"a","message":{"role":"custom","x":1e999}}"#
        );
        assert_eq!(lines[2], br#"{"type":"other","id":"b","message":{"role":"hookMessage"}}"#);
    }
}
