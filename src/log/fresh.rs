//! New files and replaced files, whole or not at all.

use std::collections::HashSet;
use std::fs::{self, DirBuilder, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use tempfile::NamedTempFile;

use super::handles::with_descriptors;
use super::{Durability, Handle, seam};
use crate::{Error, Result};

const PREFIX: &str = ".session-";
const SUFFIX: &str = ".tmp";

/// How old a file of a killed process must be to be removed. A living process locks its file at
/// once after making it; this is for the moment in between.
const LEFTOVER: Duration = Duration::from_secs(60);

/// A file being written next to the place where it will stand.
pub struct FreshFile {
    target: PathBuf,
    writer: BufWriter<Temporary>,
    at: u64,
}

impl FreshFile {
    /// Begins a file that will stand at `target`, readable by its owner alone.
    pub fn begin(target: &Path) -> Result<Self> {
        let directory = target.parent().unwrap_or(Path::new("."));
        remove_leftovers(directory);
        // Never a name that ends like a session's, nor one longer than the target's may be.
        let make = || {
            seam::step()?;
            tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(directory)
        };
        let temporary = with_descriptors(make).map_err(Error::io("write", target))?;
        // Locked, it is no leftover of a killed process.
        let _ = temporary.as_file().try_lock();
        let writer = BufWriter::with_capacity(1 << 18, Temporary(temporary));
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

    /// Ends the writing. With [`Durability::Fsync`] the content is on the device after that.
    pub fn ready(self, durability: Durability) -> Result<ReadyFile> {
        let FreshFile { target, writer, .. } = self;
        let Temporary(file) =
            writer.into_inner().map_err(|e| Error::io("write", &target)(e.into_error()))?;
        if durability == Durability::Fsync {
            let sync = || file.as_file().sync_all();
            seam::step().and_then(|()| sync()).map_err(Error::io("sync", &target))?;
        }
        Ok(ReadyFile { target, file, durability })
    }
}

/// A file that is written and has yet to be put in its place. All that can fail is done before
/// that, so that an error means that nothing has happened.
pub struct ReadyFile {
    target: PathBuf,
    file: NamedTempFile,
    durability: Durability,
}

impl ReadyFile {
    /// Opens the file as the one it will be at `path`.
    pub fn open(&self, path: &Path) -> Result<Handle> {
        Handle::open_as(self.file.path(), path)
    }

    /// Puts the file in its place. Returns whether it did: not if something is there already.
    pub fn create(self) -> Result<bool> {
        let ReadyFile { target, file, durability } = self;
        seam::step().map_err(Error::io("write", &target))?;
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
        let ReadyFile { target, file, .. } = self;
        let at_fault = |e: io::Error| Error::io("replace", &target)(e);
        let mode = seam::step().and_then(|()| fs::metadata(&target)).map_err(at_fault)?;
        keep_owner(file.as_file(), &mode).map_err(at_fault)?;
        let set_mode = || file.as_file().set_permissions(mode.permissions());
        seam::step().and_then(|()| set_mode()).map_err(at_fault)?;
        still()?;
        seam::step().map_err(at_fault)?;
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

/// A temporary file whose writes can be made to fail.
struct Temporary(NamedTempFile);

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let may = seam::write_step(bytes.len())?;
        self.0.write(&bytes[..may])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Gives a new file the owner of the one it replaces, so that nobody loses a session to whoever
/// mended it.
#[cfg(unix)]
fn keep_owner(file: &File, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    fchown(file, Some(old.uid()), Some(old.gid()))
}

/// On Windows a new file has the owner of its directory.
#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

/// Removes files that processes which were killed left half written in `directory`. Looks once
/// in the life of this process.
fn remove_leftovers(directory: &Path) {
    static SEEN: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if !seen.insert(directory.to_owned()) {
        return;
    }
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !(name.starts_with(PREFIX) && name.ends_with(SUFFIX)) {
            continue;
        }
        let file = entry.metadata().ok().filter(fs::Metadata::is_file);
        let age = file.and_then(|meta| meta.modified().ok()?.elapsed().ok());
        let is_old = age.is_some_and(|age| age > LEFTOVER);
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
pub fn create_directory(path: &Path, durability: Durability) -> Result<()> {
    let missing = path.ancestors().take_while(|path| !path.exists());
    let made: Vec<_> = missing.map(Path::to_owned).collect();
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let make = || builder.create(path);
    seam::step().and_then(|()| make()).map_err(Error::io("create directory", path))?;
    if durability == Durability::Fsync {
        made.iter().for_each(|path| sync_directory(path));
    }
    Ok(())
}

/// Where a path leads when links are followed, even if nothing is there.
pub fn end_of_links(path: &Path) -> PathBuf {
    let mut end = path.to_owned();
    for _ in 0..40 {
        let Ok(next) = fs::read_link(&end) else { break };
        end = end.parent().map_or(next.clone(), |directory| directory.join(&next));
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;

    #[test]
    fn a_new_file_does_not_replace_another() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.jsonl");
        let write = || {
            let mut file = FreshFile::begin(&path).unwrap();
            assert_eq!(file.line(b"one").unwrap(), 0);
            assert_eq!(file.line(b"two").unwrap(), 4);
            file.ready(Durability::None).unwrap().create().unwrap()
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
        create_directory(&nested, Durability::Fsync).unwrap();
        create_directory(&nested, Durability::Fsync).unwrap();
        assert_eq!(mode(&nested), 0o700);
        let path = nested.join("s.jsonl");
        FreshFile::begin(&path).unwrap().ready(Durability::None).unwrap().create().unwrap();
        assert_eq!(mode(&path), 0o600);
        std::fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        FreshFile::begin(&path)
            .unwrap()
            .ready(Durability::Fsync)
            .unwrap()
            .replace(|| Ok(()))
            .unwrap();
        assert_eq!(mode(&path), 0o640);
    }

    #[test]
    fn a_refused_replacement_leaves_the_old_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        std::fs::write(&path, "old").unwrap();
        let mut file = FreshFile::begin(&path).unwrap();
        file.line(b"new").unwrap();
        let ready = file.ready(Durability::Fsync).unwrap();
        assert!(ready.replace(|| Err(Error::ChangedWhileOpen(path.clone()))).is_err());
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
