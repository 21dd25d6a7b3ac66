//! Entries that are only described: callers' own arrays of objects.
//!
//! A description is JSON text of an object with the members that rules of the format ask for.

use crate::context::{self, Plan};
use crate::entry::Place;
use crate::header::{self, is_session};
use crate::ids::Slot;
use crate::json::edit::{Edit, edit};
use crate::json::quote;
use crate::line::{Fields, object};
use crate::migrate::{Later, Migration};
use crate::tree::{MemoryText, Tree};
use crate::{Error, Result};

/// From where a context is asked for.
pub enum Leaf<'a> {
    /// Before the first entry.
    BeforeAll,
    /// From the entry with this id or, if there is none, from the one with this number.
    At(Option<&'a [u8]>, Option<u32>),
}

/// The context of callers' entries, and the settings it leads to as JSON text.
///
/// `entries` are descriptions. With `keys`, entries are found under those keys instead of their
/// ids; one without a key is found under none.
pub fn context_of(
    entries: &[&[u8]],
    keys: Option<&[Option<Vec<u8>>]>,
    leaf: &Leaf<'_>,
) -> Result<(Plan, Vec<u8>)> {
    let mut tree = Tree::default();
    let mut own_ids = Vec::new();
    for (at, &text) in entries.iter().enumerate() {
        let keyed = match keys {
            None => None,
            Some(keys) => {
                // An object as id equals no other id.
                let key = keys.get(at).and_then(Option::as_deref).map_or(b"{}".to_vec(), quote);
                edit(text, &[(b"id", Edit::Set(key))])
            }
        };
        own_ids.push(tree.ids.intern(described(text)?.id));
        let number = tree.push(&described(keyed.as_deref().unwrap_or(text))?, Place::Memory);
        tree.memory.insert(number, MemoryText { text: text.into(), whole: false });
    }
    let path = match leaf {
        Leaf::BeforeAll => Vec::new(),
        Leaf::At(id, last) => {
            let found = id.filter(|id| !id.is_empty()).and_then(|id| tree.entry(id));
            let start = found.or(last.filter(|&last| last < tree.count()));
            start.map_or_else(Vec::new, |number| tree.path_to(number))
        }
    };
    let plan = context::plan(&tree, &path, |number| {
        own_ids.get(number as usize).copied().unwrap_or(Slot::MISSING)
    });
    let text = |number: u32| {
        Ok::<_, Error>(tree.memory.get(&number).map_or_else(Vec::new, |m| m.text.to_vec()))
    };
    let settings = context::settings(&tree, &plan, text)?;
    Ok((plan, settings))
}

/// What a migration does to each of callers' objects, as a JSON array of rows
/// `[number, [[member, value]…], [removed member…], role becomes custom, kept id is undefined]`.
/// Objects that stay as they are have no row.
pub fn migration_of(entries: &[&[u8]]) -> Result<Vec<u8>> {
    let fields = entries.iter().map(|text| described(text)).collect::<Result<Vec<_>>>()?;
    let header = fields.iter().find(|fields| is_session(fields));
    let version = header::version(header.and_then(|header| header.version));
    let mut rows = Vec::new();
    if let Some(mut migration) = Migration::from_version(version) {
        for (number, one) in fields.iter().enumerate() {
            let change = migration.next(one, |at| later(&fields, at));
            if change.is_empty() {
                continue;
            }
            let (mut set, mut removed) = (Vec::new(), Vec::new());
            for (key, value) in &change.edits {
                let key = quote(key);
                match value {
                    Edit::Set(value) => set.push([b"[", &key[..], b",", value, b"]"].concat()),
                    Edit::Remove => removed.push(key),
                }
            }
            let flags = format!("],{},{}]", change.role_to_custom, change.kept_is_undefined);
            let number = format!("[{number},[");
            rows.push(
                [
                    number.as_bytes(),
                    &set.join(&b','),
                    b"],[",
                    &removed.join(&b','),
                    flags.as_bytes(),
                ]
                .concat(),
            );
        }
    }
    Ok([b"[", &rows.join(&b',')[..], b"]"].concat())
}

fn later(fields: &[Fields<'_>], at: usize) -> Later {
    match fields.get(at) {
        Some(fields) if !is_session(fields) => {
            Later::Entry(fields.id.map(|id| id.bytes().to_vec()))
        }
        _ => Later::Nothing,
    }
}

fn described(text: &[u8]) -> Result<Fields<'_>> {
    object(text, 0).ok_or(Error::NotAnEntry("an object is needed"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::How;

    const A: &[u8] =
        br#"{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":0}}"#;
    const B: &[u8] =
        br#"{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":0}}"#;

    fn numbers(entries: &[&[u8]], keys: Option<&[Option<Vec<u8>>]>, leaf: Leaf<'_>) -> Vec<u32> {
        let (plan, _) = context_of(entries, keys, &leaf).unwrap();
        assert!(plan.messages.iter().all(|(_, how)| *how == How::Message));
        plan.messages.into_iter().map(|(number, _)| number).collect()
    }

    #[test]
    fn a_leaf_that_is_not_found_is_the_last_entry() {
        assert_eq!(numbers(&[A, B], None, Leaf::At(Some(b"a"), Some(1))), [0]);
        assert_eq!(numbers(&[A, B], None, Leaf::At(Some(b"gone"), Some(1))), [0, 1]);
        assert_eq!(numbers(&[A, B], None, Leaf::At(None, Some(1))), [0, 1]);
        assert_eq!(numbers(&[A, B], None, Leaf::BeforeAll), [0u32; 0]);
        assert_eq!(numbers(&[], None, Leaf::At(None, Some(1))), [0u32; 0]);
    }

    #[test]
    fn callers_keys_count_where_they_are_given() {
        let keys = [Some(b"x".to_vec()), Some(b"a".to_vec()), None];
        assert_eq!(numbers(&[A, B, B], Some(&keys), Leaf::At(Some(b"a"), Some(1))), [1]);
        assert_eq!(numbers(&[A, B, B], Some(&keys), Leaf::At(Some(b"b"), Some(2))), [1, 2]);
    }

    #[test]
    fn a_migration_is_a_list_of_assignments() {
        let rows = migration_of(&[
            br#"{"type":"session","version":2}"#,
            A,
            br#"{"type":"message","id":"h","message":{"role":"hookMessage"}}"#,
        ])
        .unwrap();
        assert_eq!(rows, br#"[[0,[["version",3]],[],false,false],[2,[],[],true,false]]"#);
        assert_eq!(migration_of(&[br#"{"type":"session","version":3}"#, A]).unwrap(), b"[]");
    }
}
