//! The file: an append-only log of lines.
//!
//! | file | role |
//! |---|---|
//! | `handles.rs` | open files of the process, a bounded number of them |
//! | `identity.rs` | is this still the same file? |
//! | `lock.rs` | keeping writers apart |
//! | `reader.rs` | lines of a file, in chunks |
//! | `seam.rs` | where tests make file operations fail |
//! | `writer.rs` | appending under a lock, and undoing what failed |
//! | `fresh.rs` | new files and replaced files, whole or not at all |

mod fresh;
mod handles;
mod identity;
mod lock;
mod reader;
mod seam;
mod writer;

pub use fresh::{FreshFile, ReadyFile, create_directory, end_of_links};
pub use handles::{Handle, with_descriptors};
pub use identity::{Identity, require_regular};
pub use reader::{LineAt, Lines};
#[cfg(test)]
pub use seam::tests as trouble;
pub use writer::{Locked, Standing, lock, look};

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Error, Result};

/// What an append that has returned can be trusted to survive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// The death of the process: the line is with the operating system. Not a loss of power or a
    /// crash of the machine, which may cost the last seconds and leave NUL bytes or a torn line.
    #[default]
    None,
    /// A loss of power, too: the line is on the device, as far as the device tells the truth. Not
    /// the loss of the device. Each append waits for the device, which takes milliseconds.
    Fsync,
}

/// A session file that has been read.
#[derive(Debug)]
pub struct Log {
    /// Where the file is.
    pub path: PathBuf,
    handle: Handle,
    /// How far the file has been read for good.
    pub end: u64,
    /// How far it has been looked at: past `end` stands a last line that may not be whole yet.
    pub seen: u64,
    /// Whether the last byte read is a line feed. If not, the next append closes the line off.
    pub terminated: bool,
}

impl Log {
    /// A log of the file behind `handle`, of which nothing has been read.
    pub fn new(path: PathBuf, handle: Handle) -> Self {
        Log { path, handle, end: 0, seen: 0, terminated: true }
    }

    /// The same file, to be read from its start up to where it was read before or further.
    pub fn again(&self) -> Result<Log> {
        let file = self.file()?;
        let file = with_descriptors(|| file.try_clone()).map_err(Error::io("open", &self.path))?;
        Ok(Log::new(self.path.clone(), Handle::unnamed(file, &self.path)?))
    }

    /// The open file, opened again if it had to be closed meanwhile.
    pub fn file(&self) -> Result<Arc<File>> {
        self.handle.file()
    }

    /// Shows `each` every line that has not been read yet.
    pub fn catch_up(&mut self, mut each: impl FnMut(LineAt<'_>) -> Result<()>) -> Result<()> {
        let file = self.file()?;
        let mut lines = Lines::new(&file, self.end);
        while let Some(line) = lines.next().map_err(Error::io("read", &self.path))? {
            (self.end, self.seen) = (line.end, line.end);
            self.terminated = line.terminated;
            each(line)?;
        }
        Ok(())
    }

    /// Takes back that the last line, which starts at offset `at`, was read: another process may
    /// be in the middle of writing it.
    pub fn unread(&mut self, at: u64) {
        self.end = at;
        self.terminated = true;
    }

    /// The `len` bytes at offset `at`, which were read before.
    pub fn read(&self, at: u64, len: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; len];
        match reader::read_exact_at(&*self.file()?, &mut bytes, at) {
            Ok(()) => Ok(bytes),
            Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => {
                Err(Error::ChangedWhileOpen(self.path.clone()))
            }
            Err(e) => Err(Error::io("read", &self.path)(e)),
        }
    }

    /// Whether `path` still leads to this file.
    pub fn is_at(&self, path: &Path) -> bool {
        std::fs::metadata(path)
            .is_ok_and(|meta| Identity::of(path, &meta) == self.handle.identity())
    }
}
