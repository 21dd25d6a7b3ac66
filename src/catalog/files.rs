//! Session files of a directory or of all, and the most recent one.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::header::Header;
use crate::line::Line;
use crate::load::objects;
use crate::log::{Lines, require_regular, with_descriptors};
use crate::place;

/// How much of a file is read to find its header, at first.
const HEADER_CHUNK: usize = 4096;

/// Whose sessions are wanted, when a directory may hold those of several projects.
#[derive(Clone, Copy)]
pub enum Project<'a> {
    /// Everyone's.
    Any,
    /// Those of the project in this directory, and those that name none.
    In(&'a str),
}

impl Project<'_> {
    /// Whether a session with this working directory in its header is wanted.
    pub fn wants(self, header_cwd: Option<&[u8]>) -> bool {
        match self {
            Project::Any => true,
            Project::In(cwd) => place::belongs(header_cwd, cwd),
        }
    }
}

/// The paths of the session files in `dir`, by name. None if it cannot be read.
pub fn session_files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name());
    let mut names: Vec<_> =
        names.filter(|name| name.as_encoded_bytes().ends_with(b".jsonl")).collect();
    names.sort();
    names.into_iter().map(|name| dir.join(name)).collect()
}

/// The session files of each project below `sessions_dir`. Links to directories are followed.
pub fn project_files(sessions_dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(sessions_dir).into_iter().flatten().flatten();
    let mut dirs: Vec<_> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    dirs.sort();
    dirs.iter().flat_map(|dir| session_files(dir)).collect()
}

/// The newest session file in `dir` by modification time, among those that are sessions of the
/// project; of equally new ones the first by name.
pub fn most_recent(dir: &Path, project: Project<'_>) -> Option<PathBuf> {
    let with_time = |path: PathBuf| {
        let meta = fs::metadata(&path).ok()?;
        Some((modified_millis(&meta), path))
    };
    let mut files: Vec<_> = session_files(dir).into_iter().filter_map(with_time).collect();
    files.sort_by(|(a, _), (b, _)| b.cmp(a));
    files.into_iter().map(|(_, path)| path).find(|path| usable(path, project))
}

/// When a file was modified, in Unix milliseconds, rounded as JavaScript dates are; 0 if unknown.
pub fn modified_millis(meta: &fs::Metadata) -> i64 {
    let nanos = match meta.modified().map(|time| time.duration_since(UNIX_EPOCH)) {
        Ok(Ok(after)) => after.as_nanos().cast_signed(),
        Ok(Err(before)) => -before.duration().as_nanos().cast_signed(),
        Err(_) => 0,
    };
    i64::try_from((nanos + 500_000).div_euclid(1_000_000)).unwrap_or(0)
}

/// Whether the file at `path` is a session that is wanted.
pub fn usable(path: &Path, project: Project<'_>) -> bool {
    header_of(path).is_some_and(|header| project.wants(header.cwd.as_deref()))
}

/// The header of the file at `path`, if it is a session file that can be read.
fn header_of(path: &Path) -> Option<Header> {
    require_regular(path, &fs::metadata(path).ok()?).ok()?;
    let file = with_descriptors(|| File::open(path)).ok()?;
    let mut lines = Lines::in_chunks(&file, 0, HEADER_CHUNK);
    while let Some(line) = lines.next().ok()? {
        let mut header = None;
        let found = objects(line, None, |found| {
            header = Header::of(found.fields);
            Ok(())
        });
        if let Ok(Line::Object(_)) = found {
            return header;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_session_is_found_whatever_else_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, content: &str, age: u64| {
            let path = dir.path().join(name);
            fs::write(&path, content).unwrap();
            let time = std::time::SystemTime::now() - std::time::Duration::from_secs(age);
            File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
        };
        let header =
            |cwd: &str| format!("\n{{bad\n{{\"type\":\"session\",\"id\":\"a\",\"cwd\":\"{cwd}\"}}");
        write("a.jsonl", &header("/q/b-c"), 30);
        write("b.jsonl", &header(&format!("/q-b/c{}", "")), 20);
        write("c.jsonl", "{\"type\":\"event\"}", 10);
        write("d.txt", &header("/w"), 5);
        fs::create_dir(dir.path().join("e.jsonl")).unwrap();
        let name =
            |project| most_recent(dir.path(), project).unwrap().file_name().unwrap().to_owned();
        assert_eq!(name(Project::Any), "b.jsonl");
        assert_eq!(name(Project::In("/q/b-c")), "a.jsonl");
        assert_eq!(most_recent(&dir.path().join("none"), Project::Any), None);
    }
}
