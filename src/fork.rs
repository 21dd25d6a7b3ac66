//! A session's history under a new header, for another project.

use std::path::{Path, PathBuf};

use crate::header::Fresh;
use crate::load::{Loaded, load};
use crate::log::{Durability, FreshFile, create_directory};
use crate::rewrite::each_current_entry;
use crate::{Error, Result};

/// Copies the entries of the session at `source` to a new file in `dir`, whose header names
/// `cwd` and the source. An old source is migrated on the way. The source is only read.
/// Returns the new file.
///
/// # Errors
/// If the source is missing, empty or no session; nothing is written then.
pub fn fork(
    source: &Path,
    cwd: &str,
    dir: &Path,
    app: &str,
    durability: Durability,
) -> Result<PathBuf> {
    let loaded = read_source(source, app)?;
    if !dir.exists() {
        create_directory(dir, durability)?;
    }
    let fresh = Fresh::new(None)?;
    let target = dir.join(fresh.file_name());
    let mut file = FreshFile::begin(&target)?;
    file.line(&fresh.line(cwd, Some(&source.to_string_lossy())))?;
    each_current_entry(&loaded, |entry| file.line(entry).map(drop))?;
    if file.ready(durability)?.create()? { Ok(target) } else { Err(Error::Replaced(target)) }
}

fn read_source(source: &Path, app: &str) -> Result<Loaded> {
    let cannot = || Error::CannotFork(source.to_owned());
    match load(source, app) {
        Ok(Some(loaded)) => Ok(loaded),
        Ok(None) | Err(Error::NotASession { .. }) => Err(cannot()),
        Err(Error::Io { source: e, .. }) if e.kind() == std::io::ErrorKind::NotFound => {
            Err(cannot())
        }
        Err(e) => Err(e),
    }
}
