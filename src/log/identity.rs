//! Is this still the same file?

use std::fs::{File, Metadata};
use std::path::Path;

use crate::{Error, Result};

/// What tells a file from another one at the same path: device and inode, or the like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    volume: u64,
    index: u64,
}

impl Identity {
    /// The identity of the file at `path` whose metadata is `meta`.
    #[cfg(unix)]
    pub fn of(_path: &Path, meta: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Identity { volume: meta.dev(), index: meta.ino() }
    }

    /// The identity of the file at `path` whose metadata is `meta`.
    #[cfg(windows)]
    pub fn of(path: &Path, _meta: &Metadata) -> Self {
        use file_id::FileId;
        match file_id::get_low_res_file_id(path) {
            Ok(FileId::LowRes { volume_serial_number, file_index }) => {
                Identity { volume: volume_serial_number.into(), index: file_index }
            }
            _ => Identity { volume: 0, index: 0 },
        }
    }

    /// The identity of an open file.
    pub fn of_file(file: &File, path: &Path) -> Result<Self> {
        let meta = file.metadata().map_err(Error::io("read", path))?;
        Ok(Identity::of(path, &meta))
    }
}

/// Fails unless `meta` is that of a regular file. Devices, pipes and directories are no session
/// files, and opening some of them would block.
pub fn require_regular(path: &Path, meta: &Metadata) -> Result<()> {
    if meta.is_file() { Ok(()) } else { Err(Error::NotAFile(path.to_owned())) }
}
