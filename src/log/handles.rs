//! Open files of the process, a bounded number of them.
//!
//! A manager keeps a handle so that a file unlinked or renamed under it can still be read. Hosts
//! keep many managers, so the handle used longest ago is closed when there are too many, and
//! opened again by its path when it is asked for. It must then be the same file.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use super::{Identity, require_regular, seam};
use crate::{Error, Result};

/// How many session files a process holds open at most, above those in use this moment.
const LIMIT: usize = 128;

#[derive(Default)]
struct Pool {
    files: HashMap<u64, Pooled>,
    next_key: u64,
    clock: u64,
}

struct Pooled {
    file: Arc<File>,
    used: u64,
    /// A file that has no path can't be opened again.
    pinned: bool,
}

static POOL: LazyLock<Mutex<Pool>> = LazyLock::new(Mutex::default);

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    fn get(&mut self, key: u64) -> Option<Arc<File>> {
        self.clock += 1;
        let pooled = self.files.get_mut(&key)?;
        pooled.used = self.clock;
        Some(pooled.file.clone())
    }

    fn put(&mut self, key: u64, file: Arc<File>, pinned: bool) {
        while self.files.len() >= LIMIT && self.evict() {}
        self.clock += 1;
        self.files.insert(key, Pooled { file, used: self.clock, pinned });
    }

    /// Closes the file used longest ago. Returns whether there was one to close.
    fn evict(&mut self) -> bool {
        let closable = self.files.iter().filter(|(_, pooled)| !pooled.pinned);
        let oldest = closable.min_by_key(|(_, pooled)| pooled.used).map(|(&key, _)| key);
        oldest.is_some_and(|key| self.files.remove(&key).is_some())
    }
}

/// A file that a manager keeps open. Closed when dropped.
#[derive(Debug)]
pub struct Handle {
    key: u64,
    path: PathBuf,
    identity: Identity,
    writable: AtomicBool,
}

impl Handle {
    /// Opens the regular file at `path`, to read and, if that is allowed, to append.
    pub fn open(path: &Path) -> Result<Self> {
        Handle::open_as(path, path)
    }

    /// Opens the file at `now`, which will stand at `path` by the time it has to be opened again.
    pub fn open_as(now: &Path, path: &Path) -> Result<Self> {
        let (file, writable) = open_file(now)?;
        Handle::of(file, path, false, writable)
    }

    /// Takes over an open file that has no path of its own.
    pub fn unnamed(file: File, path: &Path) -> Result<Self> {
        Handle::of(file, path, true, true)
    }

    fn of(file: File, path: &Path, pinned: bool, writable: bool) -> Result<Self> {
        let identity = Identity::of_file(&file, path)?;
        let mut pool = pool();
        pool.next_key += 1;
        let key = pool.next_key;
        pool.put(key, Arc::new(file), pinned);
        Ok(Handle { key, path: path.to_owned(), identity, writable: AtomicBool::new(writable) })
    }

    /// Which file this is.
    pub fn identity(&self) -> Identity {
        self.identity
    }

    /// The open file.
    ///
    /// # Errors
    /// If it had been closed, and its path now leads to another file or none.
    pub fn file(&self) -> Result<Arc<File>> {
        if let Some(file) = pool().get(self.key) {
            return Ok(file);
        }
        let (file, writable) = open_file(&self.path)?;
        if Identity::of_file(&file, &self.path)? != self.identity {
            return Err(Error::ChangedWhileOpen(self.path.clone()));
        }
        let file = Arc::new(file);
        self.writable.store(writable, Ordering::Relaxed);
        pool().put(self.key, file.clone(), false);
        Ok(file)
    }

    /// The open file, to be appended to. One that could only be read is opened again: that may be
    /// allowed by now.
    pub fn file_to_append(&self) -> Result<Arc<File>> {
        let file = self.file()?;
        if self.writable.load(Ordering::Relaxed) {
            return Ok(file);
        }
        drop(pool().files.remove(&self.key));
        let reopened = self.file();
        if reopened.is_err() {
            pool().put(self.key, file, false);
        }
        let reopened = reopened?;
        if !self.writable.load(Ordering::Relaxed) {
            // The reason why is in the error of trying.
            OpenOptions::new()
                .append(true)
                .open(&self.path)
                .map_err(Error::io("write", &self.path))?;
        }
        Ok(reopened)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        pool().files.remove(&self.key);
    }
}

/// An open file, and whether it may be appended to.
fn open_file(path: &Path) -> Result<(File, bool)> {
    let meta = seam::step().and_then(|()| std::fs::metadata(path));
    let meta = meta.map_err(Error::io("open", path))?;
    require_regular(path, &meta)?;
    let open = || {
        seam::step()?;
        let writable = OpenOptions::new().read(true).append(true).open(path);
        match writable {
            Err(e) if is_forbidden(&e) => File::open(path).map(|file| (file, false)),
            result => result.map(|file| (file, true)),
        }
    };
    with_descriptors(open).map_err(Error::io("open", path))
}

/// Does what needs a file descriptor. If the process has none left, files kept open are closed to
/// make room.
pub fn with_descriptors<T>(mut open: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match open() {
            Err(e) if is_out_of_files(&e) && pool().evict() => {}
            result => return result,
        }
    }
}

fn is_forbidden(e: &io::Error) -> bool {
    matches!(e.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// EMFILE or ENFILE; the standard library has no kind for them.
fn is_out_of_files(e: &io::Error) -> bool {
    cfg!(unix) && matches!(e.raw_os_error(), Some(23 | 24))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_closed_for_room_is_opened_again() {
        let dir = tempfile::tempdir().unwrap();
        let handles: Vec<_> = (0..LIMIT + 20)
            .map(|n| {
                let path = dir.path().join(n.to_string());
                std::fs::write(&path, n.to_string()).unwrap();
                Handle::open(&path).unwrap()
            })
            .collect();
        assert!(pool().files.len() <= LIMIT);
        for (n, handle) in handles.iter().enumerate() {
            let text = io::read_to_string(&*handle.file().unwrap()).unwrap();
            assert_eq!(text, n.to_string());
        }
        std::fs::write(dir.path().join("other"), "other").unwrap();
        std::fs::rename(dir.path().join("other"), dir.path().join("0")).unwrap();
        while pool().evict() {}
        assert!(matches!(handles[0].file(), Err(Error::ChangedWhileOpen(_))));
    }

    #[test]
    fn directories_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(Handle::open(dir.path()), Err(Error::NotAFile(_))));
    }
}
