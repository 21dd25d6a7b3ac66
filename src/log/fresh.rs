//! New files and replaced files, whole or not at all.

use std::fs::{DirBuilder, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::{Error, Result};

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
        // Never a name that ends like a session's, nor one longer than the target's may be.
        let temporary = tempfile::Builder::new()
            .prefix(".session-")
            .suffix(".tmp")
            .tempfile_in(directory)
            .map_err(Error::io("write", target))?;
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
    pub fn create(self) -> Result<bool> {
        let (file, target) = self.finish()?;
        match file.persist_noclobber(&target) {
            Ok(_) => Ok(true),
            Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(e) => Err(Error::io("write", &target)(e.error)),
        }
    }

    /// Puts the file in the place of the one at its target, whose mode it takes over, so that a
    /// crash leaves the old file or the new one. `still` is asked last whether that may be done.
    pub fn replace(self, still: impl FnOnce() -> Result<()>) -> Result<()> {
        let (file, target) = self.finish()?;
        let at_fault = |e: io::Error| Error::io("replace", &target)(e);
        let mode: Permissions = std::fs::metadata(&target).map_err(at_fault)?.permissions();
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
            file.create().unwrap()
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
        FreshFile::begin(&path).unwrap().create().unwrap();
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
}
