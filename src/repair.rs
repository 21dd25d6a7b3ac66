//! Mending a damaged session file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::header::{Header, is_session};
use crate::load::objects;
use crate::log::{Durability, FreshFile, Handle, Locked, Log, Standing, lock};
use crate::verify::{Fault, Problem, Report, fault_of, verify};
use crate::{Error, Result, time};

/// What a repair did.
#[derive(Debug)]
pub struct Repaired {
    /// The damage that was there, and is mended now.
    pub mended: Vec<Problem>,
    /// The notes, which are left.
    pub notes: Vec<Problem>,
    /// How many entries the file has.
    pub entries: u32,
    /// The file as it was. `None` if there was no damage: nothing was written then.
    pub backup: Option<PathBuf>,
}

/// Mends the damage of the session file at `path`: whole records in damaged lines get lines of
/// their own; the other bytes of such lines, lines that are no objects and repeated headers are
/// taken out. Everything else stays byte for byte. The file as it was is kept beside it under the
/// name `<name>.bak-<time>`, which no list shows.
///
/// # Errors
/// If there is no readable header, another process has the file locked or changes it meanwhile, or
/// it cannot be written. The file is then as before.
pub fn repair(path: &Path, app: &str) -> Result<Repaired> {
    // A link is followed, not replaced.
    let target = fs::canonicalize(path).map_err(Error::io("open", path))?;
    for _ in 0..ATTEMPTS {
        let mut log = Log::new(target.clone(), Handle::open(&target)?);
        // Another process may have replaced the file while we waited.
        if let Standing::Here(locked) = lock(&mut log)? {
            return repair_locked(&locked, &target, app);
        }
    }
    Err(Error::ChangedWhileOpen(target))
}

/// How often a repair is begun again because others replace the file.
const ATTEMPTS: u32 = 20;

fn repair_locked(locked: &Locked<'_>, target: &Path, app: &str) -> Result<Repaired> {
    let Report { problems, entries } = verify(target, app)?;
    let (mended, notes): (Vec<_>, Vec<_>) = problems.into_iter().partition(|p| p.fault.is_damage());
    if mended.is_empty() {
        return Ok(Repaired { mended, notes, entries, backup: None });
    }
    let mut file = FreshFile::begin(target)?;
    let mut source = Log::new(target.to_owned(), Handle::open(target)?);
    write_mended(&mut source, &mut file)?;
    let backup = backup_path(target);
    let done = file.ready(Durability::Fsync)?.replace(|| {
        if locked.length()? != source.seen {
            return Err(Error::ChangedWhileOpen(target.to_owned()));
        }
        // The old file itself is the backup; where a file can't have two names, a copy is.
        fs::hard_link(target, &backup)
            .or_else(|_| fs::copy(target, &backup).map(drop))
            .map_err(Error::io("write", &backup))
    });
    if let Err(e) = done {
        let _ = fs::remove_file(&backup);
        return Err(e);
    }
    locked.carry_late_lines(source.seen, target);
    Ok(Repaired { mended, notes, entries, backup: Some(backup) })
}

fn write_mended(source: &mut Log, file: &mut FreshFile) -> Result<()> {
    let mut with_ids = None;
    source.catch_up(|line| {
        let (mut records, mut found_any) = (Vec::new(), 0);
        let before_header = with_ids.is_none();
        let read = objects(line, with_ids, |found| {
            if before_header {
                with_ids = Header::of(found.fields).map(|header| header.has_ids());
            }
            if before_header || !is_session(found.fields) {
                records.push(found.text);
            }
            found_any += 1;
            Ok(())
        })?;
        match fault_of(line, &read, found_any, before_header) {
            None => file.line(line.bytes).map(drop),
            Some(Fault::SplicedRecords | Fault::NulRun) => {
                records.into_iter().try_for_each(|record| file.line(record).map(drop))
            }
            Some(_) => Ok(()),
        }
    })
}

/// A name beside the file that is not taken.
fn backup_path(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let stamp = time::for_file_name(&time::now());
    let names = (0..).map(|n| if n == 0 { String::new() } else { format!("-{n}") });
    let mut paths = names.map(|more| target.with_file_name(format!("{name}.bak-{stamp}{more}")));
    paths.find(|path| !path.exists()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: &str = r#"{"type":"session","version":3,"id":"h1","timestamp":"t","cwd":"/w"}"#;
    const A: &str = r#"{"type":"custom","id":"a","parentId":"gone","timestamp":"t"}"#;
    const B: &str = r#"{"type":"custom","id":"b","parentId":"a","timestamp":"t"}"#;

    #[test]
    fn damage_goes_and_notes_stay() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        let before = format!("{{bad\n{H}\r\n\n{A}\n17\n\0\0{B}{A}\n{H}\n{{\"type\":\"mess");
        fs::write(&path, &before).unwrap();
        let done = repair(&path, "elyra").unwrap();
        assert_eq!(done.mended.len(), 5);
        assert_eq!(done.entries, 3);
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{H}\r\n\n{A}\n{B}\n{A}\n"));
        assert_eq!(fs::read_to_string(done.backup.unwrap()).unwrap(), before);
        let after = verify(&path, "elyra").unwrap();
        let kinds = |problems: &[Problem]| {
            problems.iter().map(|p| (p.fault, p.id.clone())).collect::<Vec<_>>()
        };
        assert_eq!(kinds(&after.problems), kinds(&done.notes));
        let again = repair(&path, "elyra").unwrap();
        assert!(again.backup.is_none() && again.mended.is_empty());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_file_without_a_header_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        fs::write(&path, format!("{A}\n{H}\n")).unwrap();
        assert!(matches!(repair(&path, "elyra"), Err(Error::NotASession { .. })));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
