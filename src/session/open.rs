//! Which session a manager holds: new, opened, switched.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Home, News, Session, State, read_from, unwritten};
use crate::header::Fresh;
use crate::load::{Loaded, load};
use crate::log::{Handle, Log, Standing, create_directory, lock};
use crate::rewrite::{self, UndefinedMember};
use crate::{Error, Result};

/// What a manager turned to.
pub enum Opened {
    /// A session from a file, with the members of objects that its migration made and that JSON
    /// cannot hold.
    Existing(Vec<UndefinedMember>),
    /// A new session. The caller makes the header from this.
    New(Fresh),
}

impl Session {
    /// A manager with a new session, whose id may be given.
    ///
    /// # Errors
    /// If the id may not be used, or the directory cannot be made.
    pub fn create(home: Home, id: Option<&str>) -> Result<(Self, Fresh)> {
        let fresh = Fresh::new(id)?;
        prepare(&home)?;
        let state = unwritten(&fresh, new_path(&home, &fresh));
        Ok((Session { home, state, news: News::default(), changes: 0, whole_wanted: None }, fresh))
    }

    /// A manager with the session in the file at `path` (resolved), or, if there is none, with a
    /// new session that will be kept there. With `cwd_of_header` the working directory is the one
    /// that a session's header names, where it names one.
    ///
    /// # Errors
    /// If there is a file that is not empty and holds no session: it is left alone.
    pub fn open(mut home: Home, path: &Path, cwd_of_header: bool) -> Result<(Self, Opened)> {
        prepare(&home)?;
        let (state, opened) = open_state(&home, path)?;
        if let Some(cwd) = state.cwd.as_ref().filter(|_| cwd_of_header) {
            home.cwd = String::from_utf8_lossy(cwd).into_owned();
        }
        Ok((Session { home, state, news: News::default(), changes: 0, whole_wanted: None }, opened))
    }

    /// Turns to the session in the file at `path`, like [`Session::open`]. On an error the
    /// manager keeps the session it has.
    pub fn set_session_file(&mut self, path: &Path) -> Result<Opened> {
        let (state, opened) = open_state(&self.home, path)?;
        self.turn_to(state);
        Ok(opened)
    }

    /// Turns to a new session, whose id may be given.
    pub fn new_session(&mut self, id: Option<&str>) -> Result<Fresh> {
        let fresh = Fresh::new(id)?;
        let path = new_path(&self.home, &fresh).or(self.state.path.take());
        self.turn_to(unwritten(&fresh, path));
        Ok(fresh)
    }

    pub(super) fn turn_to(&mut self, state: State) {
        self.state = state;
        self.news = News::default();
        self.changes += 1;
    }
}

/// Makes the directory for new sessions, as managers have always done.
fn prepare(home: &Home) -> Result<()> {
    let dir = Path::new(&home.dir);
    if home.persist && !home.dir.is_empty() && !dir.exists() {
        create_directory(dir, home.durability)?;
    }
    Ok(())
}

pub(super) fn new_path(home: &Home, fresh: &Fresh) -> Option<PathBuf> {
    home.persist.then(|| Path::new(&home.dir).join(fresh.file_name()))
}

fn open_state(home: &Home, path: &Path) -> Result<(State, Opened)> {
    match fs::metadata(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let fresh = Fresh::new(None)?;
            let state = unwritten(&fresh, Some(path.to_owned()));
            return Ok((state, Opened::New(fresh)));
        }
        Err(e) => return Err(Error::io("open", path)(e)),
        Ok(_) => {}
    }
    match load(path, &home.app)? {
        Some(loaded) if loaded.header().is_old() => migrated(home, path, loaded),
        Some(loaded) => Ok((read_from(loaded), Opened::Existing(Vec::new()))),
        None if home.persist => begun(home, path),
        None => {
            let fresh = Fresh::new(None)?;
            Ok((unwritten(&fresh, Some(path.to_owned())), Opened::New(fresh)))
        }
    }
}

fn migrated(home: &Home, path: &Path, loaded: Loaded) -> Result<(State, Opened)> {
    let (loaded, undefined, unmigrated) = rewrite::migrate(path, loaded, home)?;
    let mut state = read_from(loaded);
    if let Some(unmigrated) = unmigrated
        && let super::Store::File(log) = state.store
    {
        state.store = super::Store::Unmigrated(log, unmigrated);
        state.path = Some(path.to_owned());
    }
    Ok((state, Opened::Existing(undefined)))
}

/// Gives a file of 0 bytes its header. Should another process have done so meanwhile, its session
/// is opened.
fn begun(home: &Home, path: &Path) -> Result<(State, Opened)> {
    let fresh = Fresh::new(None)?;
    let header = fresh.line(&home.cwd, None);
    let mut log = Log::new(path.to_owned(), Handle::open(path)?);
    match lock(&mut log)? {
        Standing::Here(mut locked) if locked.length()? == 0 => {
            let line = [&header[..], b"\n"].concat();
            locked.append(&line, home.durability)?;
        }
        _ => return open_state(home, path),
    }
    let mut state = unwritten(&fresh, Some(path.to_owned()));
    state.header = Some(header);
    state.store = super::Store::File(log);
    Ok((state, Opened::New(fresh)))
}
