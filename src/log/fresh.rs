//! New files and replaced files, whole or not at all.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::NamedTempFile;

use super::Durability;
use crate::{Error, Result};

const PREFIX: &str = ".session-";
const SUFFIX: &str = ".tmp";

/// How old a file of a killed process must be to be removed. A living process locks its file at
/// once after making it; this is for the moment in between.
const LEFTOVER: Duration = Duration::from_secs(60);

/// A file being written next to the place where it will stand.
pub struct FreshFile {
    target: PathBuf,
    writer: BufWriter<NamedTempFile>,
    at: u64,
}

impl FreshFile {
    /// Begins a file that will stand at `target`, readable by its owner alone.
    pub fn begin(target: &Path) -> Result<Self> {
        let directory = target.parent().unwrap_or(Path::new("."));
        remove_leftovers(directory);
        // Never a name that ends like a session's, nor one longer than the target's may be.
        let temporary = tempfile::Builder::new()
            .prefix(PREFIX)
            .suffix(SUFFIX)
            .tempfile_in(directory)
            .map_err(Error::io("write", target))?;
        // Locked, it is no leftover of a killed process.
        let _ = temporary.as_file().try_lock();
        let writer = BufWriter::with_capacity(1 << 18, temporary);
        Ok(FreshFile { target: target.to_owned(), writer, at: 0 })
    }

    /// Writes a line and its line feed. Returns the offset of its first byte.
    pub fn line(&mut self, line: &[u8]) -> Result<u64> {
        let at = self.at;
        let mut write = |bytes: &[u8]| self.write_all(bytes);
        write(line).and_then(|()| write(b"\n")).map_err(Error::io("write", self.target.clone()))?;
        Ok(at)
    }

    /// How many bytes have been written.
    pub fn length(&self) -> u64 {
        self.at
    }

    fn finish(self) -> Result<(NamedTempFile, PathBuf)> {
        let FreshFile { target, writer, .. } = self;
        let file = writer.into_inner().map_err(|e| Error::io("write", &target)(e.into_error()))?;
        Ok((file, target))
    }

    /// Puts the file in its place. Returns whether it did: not if something is there already.
    pub fn create(self, durability: Durability) -> Result<bool> {
        let (file, target) = self.finish()?;
        if durability == Durability::Fsync {
            file.as_file().sync_all().map_err(Error::io("sync", &target))?;
        }
        match file.persist_noclobber(&target) {
            Ok(_) => {
                if durability == Durability::Fsync {
                    sync_directory(&target);
                }
                Ok(true)
            }
            Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(e) => Err(Error::io("write", &target)(e.error)),
        }
    }

    /// Puts the file in the place of the one at its target, whose mode it takes over, so that a
    /// crash leaves the old file or the new one. `still` is asked last whether that may be done.
    pub fn replace(self, still: impl FnOnce() -> Result<()>) -> Result<()> {
        let (file, target) = self.finish()?;
        let at_fault = |e: io::Error| Error::io("replace", &target)(e);
        let mode: Permissions = fs::metadata(&target).map_err(at_fault)?.permissions();
        file.as_file().set_permissions(mode).map_err(at_fault)?;
        file.as_file().sync_all().map_err(at_fault)?;
        still()?;
        file.persist(&target).map_err(|e| at_fault(e.error))?;
        sync_directory(&target);
        Ok(())
    }
}

impl Write for FreshFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes)?;
        self.at += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Removes files that processes which were killed left half written in `directory`.
fn remove_leftovers(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !(name.starts_with(PREFIX) && name.ends_with(SUFFIX)) {
            continue;
        }
        let age = entry.metadata().and_then(|meta| meta.modified()).map(|time| time.elapsed());
        let is_old = matches!(age, Ok(Ok(age)) if age > LEFTOVER);
        let path = entry.path();
        if is_old && File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Makes the name of a new file survive a loss of power. Where directories can't be synced, they
/// need not be.
fn sync_directory(file: &Path) {
    if let Some(directory) = file.parent()
        && let Ok(directory) = File::open(directory)
    {
        let _ = directory.sync_all();
    }
}

/// Makes a directory and those above it, for their owner alone. One that is there is left alone.
pub fn create_directory(path: &Path) -> Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(Error::io("create directory", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_does_not_replace_another() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.jsonl");
        let write = || {
            let mut file = FreshFile::begin(&path).unwrap();
            assert_eq!(file.line(b"one").unwrap(), 0);
            assert_eq!(file.line(b"two").unwrap(), 4);
            file.create(Durability::None).unwrap()
        };
        assert!(write());
        assert!(!write());
        assert_eq!(std::fs::read(&path).unwrap(), b"one\ntwo\n");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn modes_are_private_and_kept() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let nested = dir.path().join("a/b");
        create_directory(&nested).unwrap();
        create_directory(&nested).unwrap();
        assert_eq!(mode(&nested), 0o700);
        let path = nested.join("s.jsonl");
        FreshFile::begin(&path).unwrap().create(Durability::None).unwrap();
        assert_eq!(mode(&path), 0o600);
        std::fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        FreshFile::begin(&path).unwrap().replace(|| Ok(())).unwrap();
        assert_eq!(mode(&path), 0o640);
    }

    #[test]
    fn a_refused_replacement_leaves_the_old_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        std::fs::write(&path, "old").unwrap();
        let mut file = FreshFile::begin(&path).unwrap();
        file.line(b"new").unwrap();
        assert!(file.replace(|| Err(Error::ChangedWhileOpen(path.clone()))).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn leftovers_of_killed_processes_go_and_files_in_the_making_stay() {
        let dir = tempfile::tempdir().unwrap();
        let hour_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
        let make = |name: &str, old: bool| {
            let file = File::create(dir.path().join(name)).unwrap();
            if old {
                file.set_modified(hour_ago).unwrap();
            }
            file
        };
        make(".session-a.tmp", true);
        make(".session-b.tmp", false);
        make("session-c.tmp", true);
        let held = make(".session-d.tmp", true);
        held.try_lock().unwrap();
        drop(FreshFile::begin(&dir.path().join("s.jsonl")).unwrap());
        let names = fs::read_dir(dir.path())
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        assert_eq!(names, [".session-b.tmp", ".session-d.tmp", "session-c.tmp"]);
    }
}
