//! From a file to a header and a tree.

use std::path::Path;

use serde::de::IgnoredAny;

use crate::entry::Place;
use crate::header::{CURRENT_VERSION, Header, is_session};
use crate::line::{self, Fields, Line};
use crate::log::{Handle, LineAt, Log};
use crate::tree::Tree;
use crate::{Error, Result, salvage};

/// What was read of a session file.
#[derive(Default)]
pub struct Index {
    /// The header, once it has been read.
    pub header: Option<Header>,
    /// The header as it is written.
    pub header_text: Vec<u8>,
    /// The entries.
    pub tree: Tree,
    /// How many lines were damaged.
    pub damaged: u32,
    /// How many headers came after the first.
    pub second_headers: u32,
    /// How many lines were JSON, but no objects.
    pub not_objects: u32,
    /// Where the last line starts, if no line feed ends it and nothing in it could be read.
    pub torn_tail: Option<u64>,
}

/// An object found in a line, and where the line stands.
pub struct Found<'a, 'f> {
    /// Its fields.
    pub fields: &'f Fields<'a>,
    /// Its text.
    pub text: &'a [u8],
    /// Offset of the text in the file.
    pub at: u64,
}

/// Whether a damaged line could be the start of JSON: someone may be in the middle of writing it, and
/// what looks like a record in it may be a part of another.
fn is_cut_short(line: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(line).is_err_and(|error| error.is_eof())
}

/// Shows `each` the objects of a line: one, or those that can be salvaged from a damaged one.
/// Before the header nothing is salvaged (`salvage_ids` is `None`); afterwards it tells whether
/// records have ids. Nor is anything salvaged from a last line that may not be whole yet. Returns
/// what the line was.
pub fn objects<'a>(
    line: LineAt<'a>,
    salvage_ids: Option<bool>,
    mut each: impl FnMut(Found<'a, '_>) -> Result<()>,
) -> Result<Line<'a>> {
    let mut show = |fields: &Fields<'a>| {
        let text = &line.bytes[fields.range.clone()];
        each(Found { fields, text, at: line.at + fields.range.start as u64 })
    };
    let found = line::read(line.bytes);
    match (&found, salvage_ids) {
        (Line::Object(fields), _) => show(fields)?,
        (Line::Damaged, Some(with_ids)) if line.terminated || !is_cut_short(line.bytes) => {
            salvage::records(line.bytes, with_ids).iter().try_for_each(show)?;
        }
        _ => {}
    }
    Ok(found)
}

impl Index {
    /// An index of what follows in a file whose header and entries are known.
    pub fn following(tree: Tree) -> Self {
        let header = Header { id: Vec::new(), cwd: None, version: f64::from(CURRENT_VERSION) };
        Index { header: Some(header), tree, ..Index::default() }
    }

    /// Takes a line in. The leaf stays where it is.
    ///
    /// # Errors
    /// [`NotASession`] as long as there is no header, if the line is an object but no header.
    pub fn line(&mut self, line: LineAt<'_>) -> Result<(), NotASession> {
        let with_ids = self.header.as_ref().map(Header::has_ids);
        let (mut not_a_session, mut found_any) = (false, false);
        let found = objects(line, with_ids, |found| {
            found_any = true;
            if self.header.is_none() {
                self.header = Header::of(found.fields);
                self.header_text = found.text.to_vec();
                not_a_session = self.header.is_none();
            } else if !is_session(found.fields) {
                let place = Place::in_file(found.at, found.text);
                self.tree.push(found.fields, place);
            } else {
                self.second_headers += 1;
            }
            Ok(())
        });
        match found {
            Ok(Line::Damaged) => {
                self.damaged += 1;
                self.torn_tail = (!line.terminated && !found_any).then_some(line.at);
            }
            Ok(Line::NotAnObject) => self.not_objects += 1,
            _ => {}
        }
        if not_a_session { Err(NotASession) } else { Ok(()) }
    }
}

/// The first object of a file is no header.
#[derive(Debug)]
pub struct NotASession;

/// A session file that was read to its end.
pub struct Loaded {
    /// What is in it. The header is there.
    pub index: Index,
    /// The file.
    pub log: Log,
}

impl Loaded {
    /// The header.
    pub fn header(&self) -> Header {
        self.index.header.clone().unwrap_or(Header { id: Vec::new(), cwd: None, version: f64::NAN })
    }
}

/// Reads the file at `path` on behalf of the application `app`. `None` if it has 0 bytes.
pub fn load(path: &Path, app: &str) -> Result<Option<Loaded>> {
    load_log(Log::new(path.to_owned(), Handle::open(path)?), app)
}

/// Reads a file of which nothing has been read.
pub fn load_log(mut log: Log, app: &str) -> Result<Option<Loaded>> {
    let mut index = Index::default();
    let path = log.path.clone();
    let not_a_session = || Error::NotASession { app: app.to_owned(), path: path.clone() };
    log.catch_up(|line| index.line(line).map_err(|NotASession| not_a_session()))?;
    if let Some(at) = index.torn_tail {
        log.unread(at);
    }
    index.tree.leaf_as_loaded();
    match index.header {
        Some(_) => Ok(Some(Loaded { index, log })),
        None if log.seen == 0 => Ok(None),
        None => Err(not_a_session()),
    }
}

/// Shows `each` the text of every object of the file at `path`, header first, as it is written.
/// Shows nothing if there is no file or it is no session.
pub fn for_each_object(path: &Path, mut each: impl FnMut(&[u8])) -> Result<()> {
    match std::fs::metadata(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(Error::io("open", path)(e)),
        Ok(_) => {}
    }
    let mut log = Log::new(path.to_owned(), Handle::open(path)?);
    let (mut with_ids, mut is_session) = (None, true);
    log.catch_up(|line| {
        if is_session {
            objects(line, with_ids, |found| {
                let header = with_ids.is_none().then(|| Header::of(found.fields));
                match header {
                    Some(None) => is_session = false,
                    Some(Some(header)) => with_ids = Some(header.has_ids()),
                    None => {}
                }
                if is_session {
                    each(found.text);
                }
                Ok(())
            })?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: &str = r#"{"type":"session","version":3,"id":"h1","timestamp":"t","cwd":"/w"}"#;
    const U: &str = r#"{"type":"message","id":"u1","parentId":null,"timestamp":"t","message":{"role":"user","content":"x"}}"#;

    fn loaded(content: &str) -> Result<Option<Loaded>> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        load(file.path(), "elyra")
    }

    #[test]
    fn a_header_may_follow_blank_and_damaged_lines() {
        let loaded = loaded(&format!("\u{feff}\n{{bad\n17\n\n{H}\n{U}")).unwrap().unwrap();
        assert_eq!(loaded.header().id, b"h1");
        assert_eq!(loaded.index.tree.count(), 1);
        assert_eq!((loaded.index.damaged, loaded.index.not_objects), (1, 1));
        assert!(!loaded.log.terminated);
    }

    #[test]
    fn what_is_no_session_is_an_error_but_an_empty_file_is_not() {
        assert!(loaded("").unwrap().is_none());
        for content in [
            "\n",
            "{\"type\":\"event\"}\n",
            &format!("{U}\n{H}\n"),
            "\u{89}PNG",
            r#"{"type":"session","id":5}"#,
        ] {
            assert!(matches!(loaded(content), Err(Error::NotASession { .. })), "{content}");
        }
    }

    #[test]
    fn second_headers_are_no_entries() {
        let loaded =
            loaded(&format!("{H}\n{U}\n{}\n{U}{U}\n", H.replace("h1", "h2"))).unwrap().unwrap();
        assert_eq!(loaded.header().id, b"h1");
        assert_eq!(loaded.index.tree.count(), 3);
    }
}
