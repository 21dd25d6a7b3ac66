//! The lock that keeps writers apart, held for the moment of a write.
//!
//! It is advisory: it holds between users of this module, in any number of processes and threads.
//! The operating system lets go of it when its holder dies, so it is never taken over by age.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::{Error, Result};

/// How long another process may keep the lock before a write gives up.
const PATIENCE: Duration = Duration::from_secs(5);

/// A lock that is held until this is dropped.
pub struct Guard {
    locked: Option<Arc<File>>,
}

impl Guard {
    /// No lock at all, for who only looks.
    pub fn none() -> Self {
        Guard { locked: None }
    }

    /// Waits for the lock of the session file at `path`, which is open as `file`.
    ///
    /// # Errors
    /// If another writer keeps it for more than five seconds.
    pub fn wait(file: &Arc<File>, path: &Path) -> Result<Self> {
        let Some(target) = target(file, path) else {
            return Ok(Guard::none());
        };
        let mut pause = Duration::from_micros(50);
        let started = Instant::now();
        loop {
            match target.try_lock() {
                Ok(()) => return Ok(Guard { locked: Some(target) }),
                Err(TryLockError::WouldBlock) if started.elapsed() > PATIENCE => {
                    return Err(Error::Locked(path.to_owned()));
                }
                Err(TryLockError::WouldBlock) => {
                    thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(10));
                }
                // Not every file system has locks; without them the file is still usable.
                Err(TryLockError::Error(_)) => return Ok(Guard::none()),
            }
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(file) = &self.locked {
            let _ = file.unlock();
        }
    }
}

/// The file whose lock stands for the session's: the session file itself.
#[cfg(not(windows))]
fn target(file: &Arc<File>, _path: &Path) -> Option<Arc<File>> {
    Some(file.clone())
}

/// The file whose lock stands for the session's: one beside it, since on Windows a locked file
/// cannot be read by others.
#[cfg(windows)]
fn target(_file: &Arc<File>, path: &Path) -> Option<Arc<File>> {
    let name = path.file_name()?.to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.lock"));
    let open = File::options().create(true).truncate(false).write(true).open(beside);
    open.ok().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(path: &Path) -> Arc<File> {
        Arc::new(File::options().append(true).create(true).open(path).unwrap())
    }

    #[test]
    fn one_writer_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        let (a, b) = (open(&path), open(&path));
        let held = Guard::wait(&a, &path).unwrap();
        let waiter = {
            let path = path.clone();
            thread::spawn(move || {
                let started = Instant::now();
                let got = Guard::wait(&b, &path).is_ok();
                (got, started.elapsed())
            })
        };
        thread::sleep(Duration::from_millis(100));
        drop(held);
        let (got, waited) = waiter.join().unwrap();
        assert!(got && waited >= Duration::from_millis(50) && waited < PATIENCE);
    }

    #[test]
    fn waiting_ends() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        let (a, b) = (open(&path), open(&path));
        let _held = Guard::wait(&a, &path).unwrap();
        let started = Instant::now();
        let refused = Guard::wait(&b, &path).err().unwrap();
        assert!(started.elapsed() >= PATIENCE);
        assert_eq!(
            refused.to_string(),
            format!("Session file is locked by another process: {}", path.display())
        );
    }
}
