//! The header: the first object of a session file, which is not part of the tree.

use std::cmp::Ordering;

use crate::json::{Raw, quote};
use crate::line::Fields;
use crate::place::LONGEST_NAME;
use crate::{Error, Result, time};

/// The version of the format that this module writes.
pub const CURRENT_VERSION: u32 = 3;

/// What the core knows of a header.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The session's id (WTF-8).
    pub id: Vec<u8>,
    /// The working directory the session was started in, if it is a string (WTF-8).
    pub cwd: Option<Vec<u8>>,
    /// The version, as numbers compare in JavaScript; 1 if there is none.
    pub version: f64,
}

/// Whether an object is a header or a repetition of one: entries of type `session` are no entries.
pub fn is_session(fields: &Fields<'_>) -> bool {
    fields.kind.is_some_and(|kind| kind.is(b"session"))
}

impl Header {
    /// The header that an object is, if its type is `session` and its id a string.
    pub fn of(fields: &Fields<'_>) -> Option<Self> {
        if !is_session(fields) {
            return None;
        }
        Some(Header {
            id: fields.id?.text()?.into_owned(),
            cwd: fields.cwd.and_then(Raw::text).map(|cwd| cwd.into_owned()),
            version: version(fields.version),
        })
    }

    /// Whether entries carry ids and parents already.
    pub fn has_ids(&self) -> bool {
        self.version.partial_cmp(&2.0) != Some(Ordering::Less)
    }

    /// Whether the file must be migrated before it can be written to.
    pub fn is_old(&self) -> bool {
        self.version < f64::from(CURRENT_VERSION)
    }
}

/// A version as JavaScript compares it with numbers. What is no number at all is left alone.
pub fn version(raw: Option<Raw<'_>>) -> f64 {
    let Some(raw) = raw else { return 1.0 };
    match raw.bytes() {
        b"null" | b"true" => 1.0,
        b"false" => 0.0,
        _ => match (raw.number(), raw.text()) {
            (Some(number), _) => number,
            (None, Some(text)) => {
                let text = String::from_utf8_lossy(&text);
                let text = text.trim();
                if text.is_empty() { 0.0 } else { text.parse().unwrap_or(f64::NAN) }
            }
            (None, None) => f64::NAN,
        },
    }
}

/// The parts of a fresh header that the core decides.
#[derive(Clone, Debug)]
pub struct Fresh {
    /// The session's id.
    pub id: String,
    /// When it was made, as written into the header.
    pub timestamp: String,
}

impl Fresh {
    /// A header made now, with the id given by the caller or a new one (a time-ordered UUID).
    pub fn new(id: Option<&str>) -> Result<Self> {
        let id = match id {
            Some(id) if is_valid_id(id) => id.to_owned(),
            Some(id) => return Err(Error::BadSessionId(id.to_owned())),
            None => uuid::Uuid::now_v7().to_string(),
        };
        let fresh = Fresh { id, timestamp: time::now() };
        if fresh.file_name().len() > LONGEST_NAME {
            return Err(Error::BadSessionId(fresh.id));
        }
        Ok(fresh)
    }

    /// The name of the session's file in its directory.
    pub fn file_name(&self) -> String {
        format!("{}_{}.jsonl", time::for_file_name(&self.timestamp), self.id)
    }

    /// These parts as JSON text of an object.
    pub fn members(&self) -> Vec<u8> {
        format!(
            r#"{{"type":"session","version":{CURRENT_VERSION},"id":"{}","timestamp":"{}"}}"#,
            self.id, self.timestamp
        )
        .into_bytes()
    }

    /// The header as a line, without its line feed.
    pub fn line(&self, cwd: &str, parent_session: Option<&str>) -> Vec<u8> {
        let mut line = self.members();
        line.pop();
        line.extend_from_slice(b",\"cwd\":");
        line.extend_from_slice(&quote(cwd.as_bytes()));
        if let Some(parent) = parent_session {
            line.extend_from_slice(b",\"parentSession\":");
            line.extend_from_slice(&quote(parent.as_bytes()));
        }
        line.push(b'}');
        line
    }
}

/// Whether a caller may name a session so: `[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?`.
/// Such an id cannot lead a file name out of its directory.
pub fn is_valid_id(id: &str) -> bool {
    let bytes = id.as_bytes();
    let ends_well = |b: Option<&u8>| b.is_some_and(u8::is_ascii_alphanumeric);
    ends_well(bytes.first())
        && ends_well(bytes.last())
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::{Line, read};

    #[test]
    fn versions_compare_as_in_javascript() {
        let of = |text: &str| version(Raw::at(text.as_bytes(), 0).map(|(raw, _)| raw));
        assert_eq!(version(None), 1.0);
        assert_eq!(of("null"), 1.0);
        assert_eq!(of("2"), 2.0);
        assert_eq!(of("\"3\""), 3.0);
        assert!(of("{}").is_nan());
    }

    #[test]
    fn a_fresh_header_reads_as_one() {
        let fresh = Fresh::new(Some("a.b-c")).unwrap();
        let line = fresh.line("/w \"q\"", Some("/p.jsonl"));
        let Line::Object(fields) = read(&line) else { panic!() };
        let header = Header::of(&fields).unwrap();
        assert_eq!(header.id, b"a.b-c");
        assert_eq!(header.cwd.unwrap(), b"/w \"q\"");
        assert_eq!(header.version, 3.0);
        assert!(fresh.file_name().ends_with("Z_a.b-c.jsonl"));
    }

    #[test]
    fn ids_stay_in_their_directory() {
        for bad in ["", "../x", "a/b", "a\0", ".", "-a", "a-", "a b", "ä"] {
            assert!(!is_valid_id(bad), "{bad}");
        }
        assert!(is_valid_id("a"));
        assert!(is_valid_id("0198c0de-0000-7000-a000-000000000001"));
    }
}
