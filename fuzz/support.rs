//! What the targets share: session files made of fuzz input, in memory-backed directories.

use std::fs;
use std::path::{Path, PathBuf};

use elyra_session_manager::Result;
use elyra_session_manager::load::{Loaded, load};
use elyra_session_manager::log::Durability;
use elyra_session_manager::session::{Home, Session};
use elyra_session_manager::tree::Tree;
use tempfile::TempDir;

/// A session file in a directory of its own.
pub struct Bed {
    _dir: TempDir,
    /// The file.
    pub path: PathBuf,
}

/// A file with this content.
pub fn bed(content: &[u8]) -> Bed {
    let shm = Path::new("/dev/shm");
    let dir = if shm.is_dir() { TempDir::new_in(shm) } else { TempDir::new() }.unwrap();
    let path = dir.path().join("s.jsonl");
    fs::write(&path, content).unwrap();
    Bed { _dir: dir, path }
}

/// A header of this version, and the input behind it.
pub fn with_header(version: u32, input: &[u8]) -> Vec<u8> {
    let header = format!(
        "{{\"type\":\"session\",\"version\":{version},\"id\":\"h1\",\"timestamp\":\"t\",\"cwd\":\"/w\"}}\n"
    );
    [header.as_bytes(), input].concat()
}

/// A session of the current version whose entries are described by the input, three bytes each:
/// id, parent and kind. Ids repeat, parents are missing or come later, as the input says.
pub fn entries(input: &[u8]) -> Vec<u8> {
    let mut content = with_header(3, b"");
    for chunk in input.chunks_exact(3) {
        let (id, parent) = (chunk[0] % 16, chunk[1] % 18);
        let parent = if parent == 17 { "null".into() } else { format!("\"e{parent}\"") };
        let body = match chunk[2] % 8 {
            0 => r#""type":"message","message":{"role":"user","content":"x"}"#.into(),
            1 => r#""type":"message","message":{"role":"assistant","content":null,"provider":"p","model":"m"}"#.into(),
            2 => format!(r#""type":"compaction","summary":"s","firstKeptEntryId":"e{}""#, chunk[2] / 8 % 16),
            3 => format!(r#""type":"label","targetId":"e{}","label":"l{}""#, chunk[2] / 8 % 16, chunk[2] / 128),
            4 => r#""type":"thinking_level_change","thinkingLevel":"high""#.into(),
            5 => r#""type":"branch_summary","summary":"s","fromId":"root""#.into(),
            6 => r#""type":"message""#.into(),
            _ => r#""type":"custom","data":1"#.into(),
        };
        let line =
            format!("{{\"id\":\"e{id}\",\"parentId\":{parent},\"timestamp\":\"t\",{body}}}\n");
        content.extend_from_slice(line.as_bytes());
    }
    content
}

/// Reads a session file; none if it is no session.
pub fn read(path: &Path) -> Option<Loaded> {
    load(path, "elyra").ok().flatten()
}

/// The ids of a session that was read, in order.
pub fn ids(loaded: &Loaded) -> Vec<Vec<u8>> {
    ids_of(&loaded.index.tree)
}

/// The ids of a tree's entries, in order.
pub fn ids_of(tree: &Tree) -> Vec<Vec<u8>> {
    tree.entries.iter().map(|entry| tree.ids.json(entry.slot)).collect()
}

/// Opens a session as the addon does.
pub fn open(path: &Path) -> Result<Session> {
    let dir = path.parent().unwrap().to_string_lossy().into_owned();
    let home = Home {
        app: "elyra".into(),
        cwd: "/w".into(),
        dir,
        persist: true,
        durability: Durability::None,
    };
    Session::open(home, path, true).map(|(session, _)| session)
}
