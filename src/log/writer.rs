//! Appending under a lock, and undoing what failed.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;
use std::sync::Arc;

use super::identity::require_regular;
use super::lock::Guard;
use super::{Durability, Identity, Log, seam};
use crate::{Error, Result};

/// What stands at the log's path once its file is locked.
pub enum Standing<'a> {
    /// The file itself, ready to be appended to.
    Here(Locked<'a>),
    /// Nothing: the file was deleted or moved away.
    Gone,
    /// Another file.
    Replaced,
}

/// A session file that stands at its path. Unlocked, if it was locked, when dropped.
pub struct Locked<'a> {
    log: &'a mut Log,
    file: Arc<File>,
    _guard: Guard,
}

/// Locks a log's file and looks whether it is still the one at its path.
pub fn lock(log: &mut Log) -> Result<Standing<'_>> {
    stand(log, true)
}

/// Looks whether a log's file is still the one at its path.
pub fn look(log: &mut Log) -> Result<Standing<'_>> {
    stand(log, false)
}

fn stand(log: &mut Log, lock: bool) -> Result<Standing<'_>> {
    let file = if lock { log.handle.file_to_append() } else { log.file() };
    let file = match file {
        Ok(file) => file,
        // It was closed for room, and is not there to be opened again.
        Err(Error::ChangedWhileOpen(_)) => return Ok(Standing::Replaced),
        Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            return Ok(Standing::Gone);
        }
        Err(e) => return Err(e),
    };
    let guard = if lock { Guard::wait(&file, &log.path)? } else { Guard::none() };
    let locked = Locked { log, file, _guard: guard };
    match seam::step().and_then(|()| std::fs::metadata(&locked.log.path)) {
        Ok(meta) => {
            require_regular(&locked.log.path, &meta)?;
            let same = Identity::of(&locked.log.path, &meta) == locked.log.handle.identity();
            Ok(if same { Standing::Here(locked) } else { Standing::Replaced })
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Standing::Gone),
        Err(e) => Err(Error::io("open", &locked.log.path)(e)),
    }
}

impl Locked<'_> {
    /// The log.
    pub fn log(&mut self) -> &mut Log {
        self.log
    }

    /// Whether the file has lines that have not been read.
    ///
    /// # Errors
    /// As [`Locked::length`].
    pub fn has_more(&self) -> Result<bool> {
        Ok(self.length()? > self.log.end)
    }

    /// The file.
    pub fn file(&self) -> Arc<File> {
        self.file.clone()
    }

    /// The file's length in bytes.
    ///
    /// # Errors
    /// If it is shorter than what was read: lines were lost under us.
    pub fn length(&self) -> Result<u64> {
        let meta = seam::step().and_then(|()| self.file.metadata());
        let meta = meta.map_err(Error::io("read", &self.log.path))?;
        if meta.len() < self.log.end {
            return Err(Error::ChangedWhileOpen(self.log.path.clone()));
        }
        Ok(meta.len())
    }

    /// Adds to the file at `target`, which has taken the place of this one, what others wrote to this
    /// one behind offset `seen`. Returns whether that was done.
    ///
    /// Users of this module wait for the lock and then follow the new file; this is for others, who
    /// know of no lock. The new file is in its place already, so this is the best that can be done.
    pub fn carry_late_lines(&self, seen: u64, target: &Path) -> bool {
        self.late_lines(seen).is_ok_and(|lines| !lines.is_empty() && add_to(target, &lines).is_ok())
    }

    fn late_lines(&self, seen: u64) -> Result<Vec<u8>> {
        let mut lines = vec![0; self.length()?.saturating_sub(seen) as usize];
        super::reader::read_exact_at(&self.file, &mut lines, seen)
            .map_err(Error::io("read", &self.log.path))?;
        if lines.last().is_some_and(|&last| last != b'\n') {
            lines.push(b'\n');
        }
        Ok(lines)
    }

    /// Writes `lines` (whole, each with its line feed) at the end, in one write, after closing
    /// off an unterminated last line. Returns the offset of the first byte of `lines`.
    ///
    /// With [`Durability::Fsync`] it returns only when they would survive a loss of power.
    ///
    /// Everything in the file must have been read before. On an error the file is as it was, or,
    /// if others wrote behind us, what we wrote of the lines is closed off.
    pub fn append(&mut self, lines: &[u8], durability: Durability) -> Result<u64> {
        let closed;
        let bytes = if self.log.terminated {
            lines
        } else {
            closed = [b"\n", lines].concat();
            &closed
        };
        let before = self.log.end;
        let mut written = 0;
        while written < bytes.len() {
            let left = &bytes[written..];
            let write = |may: usize| (&*self.file).write(&left[..may]);
            match seam::write_step(left.len()).and_then(write) {
                Ok(0) => return Err(self.undo(before, written, io::ErrorKind::WriteZero.into())),
                Ok(count) => written += count,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(self.undo(before, written, e)),
            }
        }
        if durability == Durability::Fsync
            && let Err(e) = seam::step().and_then(|()| self.file.sync_data())
        {
            return Err(self.undo(before, written, e));
        }
        // Appending leaves the position after what was written, wherever the end was by then.
        let end = (&*self.file).stream_position().unwrap_or(before + written as u64);
        (self.log.end, self.log.seen) = (end, end);
        self.log.terminated = true;
        Ok(end - lines.len() as u64)
    }

    /// Takes a failed write back.
    fn undo(&mut self, before: u64, written: usize, cause: io::Error) -> Error {
        if written > 0 {
            let ours_is_last =
                self.file.metadata().is_ok_and(|m| m.len() == before + written as u64);
            if !(ours_is_last && self.file.set_len(before).is_ok()) {
                let _ = (&*self.file).write(b"\n");
            }
        }
        Error::io("write", &self.log.path)(cause)
    }
}

fn add_to(target: &Path, lines: &[u8]) -> Result<()> {
    let open = File::options().read(true).append(true).open(target);
    let file = Arc::new(open.map_err(Error::io("open", target))?);
    let _guard = Guard::wait(&file, target)?;
    (&*file).write_all(lines).map_err(Error::io("write", target))
}
