//! Writing an old file anew in the current version, losing nothing of it.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::header::is_session;
use crate::json::edit::Edit;
use crate::line::{Fields, Line};
use crate::load::{Loaded, load, load_log, objects};
use crate::log::{Durability, FreshFile, Handle, Identity, LineAt, Log, Standing, lock};
use crate::migrate::{Change, Later, Migration};
use crate::salvage::{Piece, layout};
use crate::session::Home;
use crate::{Error, Result};

/// An object of a migrated session that has a member JSON cannot hold: `firstKeptEntryId`, as
/// `undefined`.
#[derive(Debug, PartialEq, Eq)]
pub struct UndefinedMember {
    /// The number of the entry.
    pub entry: u32,
    /// The entry's text with `null` for that member.
    pub text: Vec<u8>,
}

/// A session file of an old version that could not be migrated in its place.
pub struct Unmigrated {
    path: PathBuf,
    identity: Identity,
    length: u64,
}

/// A migrated session, the members of its objects that JSON cannot hold, and the file that is not
/// migrated yet, if that could not be done.
pub type Migrated = (Loaded, Vec<UndefinedMember>, Option<Unmigrated>);

/// Migrates the file at `path`, which was read as `old`. Where it cannot or (without `persist`)
/// must not be written, a copy without a name is migrated instead.
pub fn migrate(path: &Path, old: Loaded, home: &Home) -> Result<Migrated> {
    let mut old = old;
    for _ in 0..ATTEMPTS {
        let mut undefined = Vec::new();
        let done = match home.persist {
            true => in_place(path, &old, home, &mut undefined),
            false => Err(Error::io("migrate", path)(io::ErrorKind::ReadOnlyFilesystem.into())),
        };
        match done {
            Ok(loaded) => return Ok((loaded, undefined, None)),
            Err(Error::Io { source, .. }) if is_unwritable(&source) => {
                return aside(path, &old, home);
            }
            // Another process appended meanwhile, or migrated the file itself.
            Err(Error::ChangedWhileOpen(_)) => {
                old = reloaded(load(path, &home.app)?, path)?;
                if !old.header().is_old() {
                    return Ok((old, Vec::new(), None));
                }
            }
            Err(e) => return Err(e),
        }
    }
    Err(Error::ChangedWhileOpen(path.to_owned()))
}

/// How often a migration is begun again because others write to the file.
const ATTEMPTS: u32 = 5;

fn reloaded(loaded: Option<Loaded>, path: &Path) -> Result<Loaded> {
    loaded.ok_or_else(|| Error::ChangedWhileOpen(path.to_owned()))
}

/// Migrates a copy without a name.
fn aside(path: &Path, old: &Loaded, home: &Home) -> Result<Migrated> {
    let mut undefined = Vec::new();
    let identity = Identity::of_file(&*old.log.file()?, path)?;
    let unmigrated = Unmigrated { path: path.to_owned(), identity, length: old.log.seen };
    let mut copy = tempfile::tempfile().map_err(Error::io("migrate", path))?;
    write_migrated(old, &mut io::BufWriter::new(&mut copy), &mut undefined)?;
    let log = Log::new(path.to_owned(), Handle::unnamed(copy, path)?);
    Ok((reloaded(load_log(log, &home.app)?, path)?, undefined, Some(unmigrated)))
}

fn is_unwritable(e: &io::Error) -> bool {
    matches!(e.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

fn in_place(
    path: &Path,
    old: &Loaded,
    home: &Home,
    undefined: &mut Vec<UndefinedMember>,
) -> Result<Loaded> {
    // What may not be written is not replaced either. A link is followed, not replaced.
    OpenOptions::new().append(true).open(path).map_err(Error::io("migrate", path))?;
    let target = fs::canonicalize(path).map_err(Error::io("migrate", path))?;
    let mut log = Log::new(path.to_owned(), Handle::open(path)?);
    let Standing::Here(locked) = lock(&mut log)? else {
        return Err(Error::ChangedWhileOpen(path.to_owned()));
    };
    let mut file = FreshFile::begin(&target)?;
    write_migrated(old, &mut file, undefined)?;
    let file = file.ready(Durability::Fsync)?;
    let log = Log::new(path.to_owned(), file.open(path)?);
    let mut loaded = reloaded(load_log(log, &home.app)?, path)?;
    file.replace(|| match locked.length()? == old.log.seen && old.log.is_at(path) {
        true => Ok(()),
        false => Err(Error::ChangedWhileOpen(path.to_owned())),
    })?;
    if locked.carry_late_lines(old.log.seen, &target)
        && let Ok(Some(longer)) = load(path, &home.app)
    {
        loaded = longer;
    }
    Ok(loaded)
}

/// Writes the migrated form of every line of a file that was read.
fn write_migrated(
    old: &Loaded,
    out: &mut impl Write,
    undefined: &mut Vec<UndefinedMember>,
) -> Result<()> {
    let header = old.header();
    let path = old.log.path.clone();
    let Some(mut migration) = Migration::from_version(header.version) else {
        return Ok(());
    };
    let places = if header.has_ids() { Vec::new() } else { objects_as_written(old)? };
    let later = |at: usize| places.get(at).cloned().unwrap_or(Later::Nothing);
    let (mut entries, mut begun) = (0u32, false);
    each_line(old, |line| {
        let mut texts = Vec::new();
        let with_ids = begun.then_some(header.has_ids());
        let found = objects(line, with_ids, |found| {
            begun = true;
            let change = migration.next(found.fields, later);
            if change.kept_is_undefined {
                undefined
                    .push(UndefinedMember { entry: entries, text: change.for_object(found.text) });
            }
            entries += u32::from(!is_session(found.fields));
            texts.push((found.fields.range.clone(), change.apply(found.text)));
            Ok(())
        })?;
        let pieces = match found {
            Line::Damaged if !texts.is_empty() => {
                let ranges: Vec<_> = texts.iter().map(|(range, _)| range.clone()).collect();
                layout(line.bytes, &ranges, header.has_ids())
            }
            _ => None,
        };
        match pieces {
            Some(pieces) => pieces.iter().try_for_each(|piece| {
                out.write_all(match piece {
                    Piece::Other(bytes) => bytes,
                    Piece::Record(number) => &texts[*number].1,
                })?;
                out.write_all(b"\n")
            }),
            None => write_changed(line.bytes, &texts, out),
        }
        .map_err(Error::io("migrate", &path))
    })?;
    out.flush().map_err(Error::io("migrate", &path))
}

/// A line with some stretches of it exchanged.
fn write_changed(
    line: &[u8],
    texts: &[(std::ops::Range<usize>, Vec<u8>)],
    out: &mut impl Write,
) -> io::Result<()> {
    let mut at = 0;
    for (range, text) in texts {
        out.write_all(&line[at..range.start])?;
        out.write_all(text)?;
        at = range.end;
    }
    out.write_all(&line[at..])?;
    out.write_all(b"\n")
}

fn each_line(old: &Loaded, each: impl FnMut(LineAt<'_>) -> Result<()>) -> Result<()> {
    old.log.again()?.catch_up(each)
}

/// What stands at each place among the objects of a file, with ids as they are written.
fn objects_as_written(old: &Loaded) -> Result<Vec<Later>> {
    let mut places = Vec::new();
    each_line(old, |line| {
        let with_ids = (!places.is_empty()).then_some(false);
        objects(line, with_ids, |found| {
            places.push(match is_session(found.fields) {
                true => Later::Nothing,
                false => Later::Entry(found.fields.id.map(|id| id.bytes().to_vec())),
            });
            Ok(())
        })?;
        Ok(())
    })?;
    Ok(places)
}

/// Shows `each` the text of every entry of a session that was read, in the current version.
/// Damaged lines and repeated headers are left out.
pub fn each_current_entry(
    source: &Loaded,
    mut each: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let header = source.header();
    let mut migration = Migration::from_version(header.version);
    let places = if header.has_ids() { Vec::new() } else { objects_as_written(source)? };
    let later = |at: usize| places.get(at).cloned().unwrap_or(Later::Nothing);
    let mut begun = false;
    each_line(source, |line| {
        let with_ids = begun.then_some(header.has_ids());
        objects(line, with_ids, |found| {
            begun = true;
            let mut change =
                |fields: &Fields<'_>| migration.as_mut().map(|m| m.next(fields, later));
            match change(found.fields) {
                _ if is_session(found.fields) => Ok(()),
                Some(change) if !change.is_empty() => each(&change.apply(found.text)),
                _ => each(found.text),
            }
        })?;
        Ok(())
    })
}

impl Change {
    /// The changed text for making the object, with `null` for a member that will be `undefined`.
    fn for_object(&self, object: &[u8]) -> Vec<u8> {
        let mut edits: Vec<(&[u8], Edit)> = Vec::new();
        for (key, value) in &self.edits {
            match value {
                Edit::Set(value) => edits.push((key, Edit::Set(value.clone()))),
                Edit::Remove => edits.push((key, Edit::Remove)),
            }
        }
        edits.push((b"firstKeptEntryId", Edit::Set(b"null".into())));
        crate::json::edit::edit(object, &edits).unwrap_or_else(|| object.to_vec())
    }
}

impl Unmigrated {
    /// Puts the migrated copy in the place of the old file after all.
    ///
    /// # Errors
    /// If that still cannot be done, or the old file is not as it was.
    pub fn finish(&self, copy: &Log) -> Result<Log> {
        let path = &self.path;
        OpenOptions::new().append(true).open(path).map_err(Error::io("migrate", path))?;
        let target = fs::canonicalize(path).map_err(Error::io("migrate", path))?;
        let mut old = Log::new(path.clone(), Handle::open(path)?);
        let Standing::Here(locked) = lock(&mut old)? else {
            return Err(Error::ChangedWhileOpen(path.clone()));
        };
        let mut file = FreshFile::begin(&target)?;
        copy.again()?.catch_up(|line| file.line(line.bytes).map(drop))?;
        let same = Identity::of_file(&locked.file(), path)? == self.identity;
        let file = file.ready(Durability::Fsync)?;
        let mut log = Log::new(path.clone(), file.open(path)?);
        (log.end, log.seen) = (copy.end, copy.seen);
        file.replace(|| match same && locked.length()? == self.length {
            true => Ok(()),
            false => Err(Error::ChangedWhileOpen(path.clone())),
        })?;
        locked.carry_late_lines(self.length, &target);
        Ok(log)
    }
}
