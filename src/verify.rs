//! Looking at a session file, line by line and as a tree, without writing.

use std::path::Path;

use crate::entry::Kind;
use crate::header::{CURRENT_VERSION, is_session};
use crate::ids::Slot;
use crate::line::Line;
use crate::load::{Index, objects};
use crate::log::{Handle, LineAt, Log};
use crate::tree::Tree;
use crate::{Error, Result};

/// What can be wrong with a session file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The last line has no line feed, and nothing in it can be read.
    TornTail,
    /// A line with NUL bytes, as a crash of the machine leaves them.
    NulRun,
    /// A line that holds whole records, but is not one.
    SplicedRecords,
    /// A line that is not JSON.
    NotJson,
    /// A line that is JSON, but no object.
    NotAnObject,
    /// A header after the first.
    SecondHeader,
    /// An entry whose parent is not there.
    Orphan,
    /// An entry that is its own ancestor.
    Cycle,
    /// An entry whose id an entry before it has.
    RepeatedId,
    /// A label on an entry that is not there.
    DanglingLabel,
    /// A compaction that keeps from an entry that is not there.
    DanglingCompaction,
    /// A version of the format that is newer than this module.
    NewerVersion,
}

impl Fault {
    /// Its name, as callers see it.
    pub fn name(self) -> &'static str {
        match self {
            Fault::TornTail => "tornTail",
            Fault::NulRun => "nulRun",
            Fault::SplicedRecords => "splicedRecords",
            Fault::NotJson => "notJson",
            Fault::NotAnObject => "notAnObject",
            Fault::SecondHeader => "secondHeader",
            Fault::Orphan => "orphan",
            Fault::Cycle => "cycle",
            Fault::RepeatedId => "repeatedId",
            Fault::DanglingLabel => "danglingLabel",
            Fault::DanglingCompaction => "danglingCompaction",
            Fault::NewerVersion => "newerVersion",
        }
    }

    /// Whether this is damage, which a repair mends. Anything else is a note: the file is read as
    /// it is meant to be, and a repair leaves it.
    pub fn is_damage(self) -> bool {
        use Fault::{NotAnObject, NotJson, NulRun, SecondHeader, SplicedRecords, TornTail};
        matches!(self, TornTail | NulRun | SplicedRecords | NotJson | NotAnObject | SecondHeader)
    }
}

/// A fault and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub fault: Fault,
    /// Offset of the line in the file, in bytes.
    pub offset: u64,
    /// Number of the line, from 1.
    pub line: u64,
    /// The id of the entry (WTF-8), if it is about one whose id is a string.
    pub id: Option<Vec<u8>>,
}

/// What was found in a session file.
#[derive(Debug, Default)]
pub struct Report {
    /// The problems: those of lines in the order of the file, then those of the tree.
    pub problems: Vec<Problem>,
    /// How many entries can be read.
    pub entries: u32,
}

/// What a line of a session file is, beyond what can be read of it; `None` if nothing is wrong.
/// `before_header` says that no header has been read, `found` how many objects are in the line.
pub fn fault_of(
    line: LineAt<'_>,
    read: &Line<'_>,
    found: usize,
    before_header: bool,
) -> Option<Fault> {
    match read {
        Line::Blank => None,
        Line::NotAnObject => Some(Fault::NotAnObject),
        Line::Object(fields) => {
            (!before_header && is_session(fields)).then_some(Fault::SecondHeader)
        }
        Line::Damaged if line.bytes.contains(&0) => Some(Fault::NulRun),
        Line::Damaged if found > 0 => Some(Fault::SplicedRecords),
        Line::Damaged if !line.terminated => Some(Fault::TornTail),
        Line::Damaged => Some(Fault::NotJson),
    }
}

/// Looks at the session file at `path`.
///
/// # Errors
/// If it cannot be read, or is no session of the application `app` at all.
pub fn verify(path: &Path, app: &str) -> Result<Report> {
    let mut log = Log::new(path.to_owned(), Handle::open(path)?);
    let mut index = Index::default();
    let mut report = Report::default();
    let mut places = Vec::new(); // of each entry: offset and number of its line
    let mut targets = Vec::new(); // of each label: entry and target
    let (mut number, mut header_at) = (0, (0, 1));
    let not_a_session = || Error::NotASession { app: app.to_owned(), path: path.to_owned() };
    log.catch_up(|line| {
        number += 1;
        let with_ids = index.header.as_ref().map(|header| header.has_ids());
        let (mut found, mut entries) = (0, 0);
        let read = objects(line, with_ids, |object| {
            found += 1;
            if index.header.is_none() || is_session(object.fields) {
                return Ok(());
            }
            entries += 1;
            if Kind::of(object.fields.kind) == Kind::Label {
                targets.push((
                    places.len() + entries - 1,
                    object.fields.target_id.map(|t| t.bytes().to_vec()),
                ));
            }
            Ok(())
        })?;
        if let Some(fault) = fault_of(line, &read, found, with_ids.is_none()) {
            report.problems.push(Problem { fault, offset: line.at, line: number, id: None });
        }
        index.line(line).map_err(|_| not_a_session())?;
        if with_ids.is_none() {
            header_at = (line.at, number);
        }
        places.resize(index.tree.entries.len(), (line.at, number));
        Ok(())
    })?;
    let header = index.header.as_ref().ok_or_else(not_a_session)?;
    if header.version > f64::from(CURRENT_VERSION) {
        let (offset, line) = header_at;
        report.problems.push(Problem { fault: Fault::NewerVersion, offset, line, id: None });
    }
    report.entries = index.tree.count();
    // Without ids there is no tree to look at.
    if header.has_ids() {
        let mut faults = tree_faults(&index.tree);
        for (entry, target) in targets {
            let target = target.and_then(|t| {
                crate::json::Raw::at(&t, 0).map(|(raw, _)| index.tree.ids.intern(Some(raw)))
            });
            if target.is_none_or(|target| index.tree.ids.last(target).is_none()) {
                faults.push((entry as u32, Fault::DanglingLabel));
            }
        }
        faults.sort_by_key(|&(entry, _)| entry);
        report.problems.extend(faults.into_iter().map(|(entry, fault)| {
            let (offset, line) = places[entry as usize];
            let slot = index.tree.entries[entry as usize].slot;
            let id = index.tree.ids.text(slot).map(|id| id.into_owned());
            Problem { fault, offset, line, id }
        }));
    }
    Ok(report)
}

/// What is wrong with the tree, by entry; labels are not looked at.
pub fn tree_faults(tree: &Tree) -> Vec<(u32, Fault)> {
    let mut faults = Vec::new();
    let on_cycle = entries_on_cycles(tree);
    for (number, entry) in (0u32..).zip(&tree.entries) {
        let parent = entry.parent;
        if parent != Slot::NULL && parent != Slot::MISSING && tree.ids.last(parent).is_none() {
            faults.push((number, Fault::Orphan));
        }
        if on_cycle[number as usize] {
            faults.push((number, Fault::Cycle));
        }
        if tree.ids.is_string(entry.slot) && tree.ids.first(entry.slot) != Some(number) {
            faults.push((number, Fault::RepeatedId));
        }
        if let Some(&kept) = tree.kept.get(&number)
            && kept != Slot::MISSING
            && tree.ids.last(kept).is_none()
        {
            faults.push((number, Fault::DanglingCompaction));
        }
    }
    faults
}

/// For each entry, whether following parents from it comes back to it.
fn entries_on_cycles(tree: &Tree) -> Vec<bool> {
    let mut on_cycle = vec![false; tree.entries.len()];
    let mut walk_of = vec![0u32; tree.entries.len()]; // which walk came by, from 1
    for start in 0..tree.count() {
        let mut next = Some(start);
        while let Some(number) = next {
            let seen = &mut walk_of[number as usize];
            if *seen == start + 1 && !on_cycle[number as usize] {
                // This walk has come full circle.
                on_cycle[number as usize] = true;
            } else if *seen != 0 {
                break;
            }
            *seen = start + 1;
            next = tree.parent(number);
        }
    }
    on_cycle
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: &str = r#"{"type":"session","version":3,"id":"h1","timestamp":"t","cwd":"/w"}"#;

    fn entry(id: &str, parent: &str) -> String {
        let parent = if parent.is_empty() { "null".into() } else { format!("\"{parent}\"") };
        format!(r#"{{"type":"custom","id":"{id}","parentId":{parent},"timestamp":"t"}}"#)
    }

    fn found(lines: &[&str], tail: &str) -> Vec<(Fault, u64)> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), format!("{}\n{tail}", lines.join("\n"))).unwrap();
        let report = verify(file.path(), "elyra").unwrap();
        report.problems.into_iter().map(|p| (p.fault, p.line)).collect()
    }

    #[test]
    fn nothing_is_wrong_with_a_good_file() {
        assert_eq!(found(&[H, "", &entry("a", ""), &entry("b", "a")], ""), []);
        assert_eq!(found(&[H], &entry("a", "")), []);
    }

    #[test]
    fn damage_is_told_apart() {
        use Fault::*;
        let spliced = format!("{{\"torn{}", entry("b", "a"));
        let nul = format!("\0\0{}", entry("c", "b"));
        let lines = ["{bad", H, &entry("a", ""), "{bad", "17", H, &spliced, &nul];
        let faults = [
            (NotJson, 1),
            (NotJson, 4),
            (NotAnObject, 5),
            (SecondHeader, 6),
            (SplicedRecords, 7),
            (NulRun, 8),
            (TornTail, 9),
        ];
        assert_eq!(found(&lines, "{\"type\""), faults);
        assert!(faults.iter().all(|(fault, _)| fault.is_damage()));
    }

    #[test]
    fn notes_are_about_the_tree() {
        use Fault::*;
        let label = r#"{"type":"label","id":"l","parentId":null,"timestamp":"t","targetId":"gone","label":"x"}"#;
        let compaction = r#"{"type":"compaction","id":"c","parentId":null,"timestamp":"t","firstKeptEntryId":"gone"}"#;
        let lines = [
            &H.replace("\"version\":3", "\"version\":4")[..],
            &entry("a", "b"),
            &entry("b", "a"),
            &entry("s", "s"),
            &entry("o", "gone"),
            &entry("i", "a"),
            label,
            compaction,
            &entry("o", ""),
        ];
        let notes = [
            (NewerVersion, 1),
            (Cycle, 2),
            (Cycle, 3),
            (Cycle, 4),
            (Orphan, 5),
            (DanglingLabel, 7),
            (DanglingCompaction, 8),
            (RepeatedId, 9),
        ];
        assert_eq!(found(&lines, ""), notes);
        assert!(!notes.iter().any(|(fault, _)| fault.is_damage()));
    }

    #[test]
    fn what_is_no_session_is_an_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(matches!(verify(file.path(), "elyra"), Err(Error::NotASession { .. })));
        std::fs::write(file.path(), "{bad").unwrap();
        assert!(matches!(verify(file.path(), "elyra"), Err(Error::NotASession { .. })));
    }
}
