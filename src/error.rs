//! What can go wrong, each with the one wording a user sees.

use std::io;
use std::path::PathBuf;

/// The result of a call into the core.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the session store. Nothing was changed when one is returned.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file holds something, but its first JSON object is no session header.
    #[error("Session file is not a valid {app} session: {}", path.display())]
    NotASession {
        /// The name of the host application.
        app: String,
        /// The file.
        path: PathBuf,
    },
    /// The path leads to a directory, a device, a pipe or a socket.
    #[error("Session file is not a regular file: {}", .0.display())]
    NotAFile(PathBuf),
    /// The file no longer holds what was read from it.
    #[error("Session file changed while open: {}", .0.display())]
    ChangedWhileOpen(PathBuf),
    /// Another session stands where this one was.
    #[error("Session file was replaced by another session: {}", .0.display())]
    Replaced(PathBuf),
    /// Another process keeps the file locked.
    #[error("Session file is locked by another process: {}", .0.display())]
    Locked(PathBuf),
    /// No entry has this id (WTF-8).
    #[error("Entry {} not found", String::from_utf8_lossy(.0))]
    NoSuchEntry(Vec<u8>),
    /// A fork's source is missing, empty or no session.
    #[error("Cannot fork: source session file is empty or invalid: {}", .0.display())]
    CannotFork(PathBuf),
    /// A session id given by a caller could not be part of a file name everywhere.
    #[error(
        "Session id must be non-empty, made of letters, digits, '-', '_' and '.', start and end with a letter or digit, and leave room for a file name: {0}"
    )]
    BadSessionId(String),
    /// The manager was changed by a callback in the middle of a call.
    #[error("Session changed during the call: {0}")]
    ChangedDuringCall(&'static str),
    /// The operating system said no.
    #[error("Cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// On which file or directory.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A line handed over for writing is not one JSON object.
    #[error("Not an entry: {0}")]
    NotAnEntry(&'static str),
}

impl Error {
    /// The message as WTF-8: an id in it may hold surrogates without a partner.
    pub fn message(&self) -> Vec<u8> {
        match self {
            Error::NoSuchEntry(id) => [b"Entry ", &id[..], b" not found"].concat(),
            other => other.to_string().into_bytes(),
        }
    }

    /// Adds to an I/O error what was tried on which path.
    pub fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Error::Io { action, path, source }
    }
}
