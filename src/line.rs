//! One line of a session file: is it JSON as `JSON.parse` sees it, and the fields the tree needs.

use std::ops::Range;

use crate::json::{self, Nested, Raw, members, skip_value, skip_white};

/// What a line turned out to be.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)] // nearly every line is an object, and lives on the stack
pub enum Line<'a> {
    /// Nothing but white space.
    Blank,
    /// One JSON object.
    Object(Fields<'a>),
    /// JSON, but a scalar or an array: skipped, whoever wrote it.
    NotAnObject,
    /// Not JSON. Whole records may stand in it: see [`crate::salvage`].
    Damaged,
}

/// The members of an object that rules of the format ask for, as written, each with its last value.
#[derive(Default)]
pub struct Fields<'a> {
    /// Where the object stands in the line.
    pub range: Range<usize>,
    /// `type`.
    pub kind: Option<Raw<'a>>,
    /// `id`.
    pub id: Option<Raw<'a>>,
    /// `parentId`.
    pub parent_id: Option<Raw<'a>>,
    /// `timestamp`.
    pub timestamp: Option<Raw<'a>>,
    /// `message`, and what is known of it if it is an object.
    pub message: Option<Message<'a>>,
    /// `provider` of a model change.
    pub provider: Option<Raw<'a>>,
    /// `modelId` of a model change.
    pub model_id: Option<Raw<'a>>,
    /// `thinkingLevel` of a thinking level change.
    pub thinking_level: Option<Raw<'a>>,
    /// `targetId` of a label.
    pub target_id: Option<Raw<'a>>,
    /// `label` of a label.
    pub label: Option<Raw<'a>>,
    /// `name` of a session info.
    pub name: Option<Raw<'a>>,
    /// `summary` of a branch summary or compaction.
    pub summary: Option<Raw<'a>>,
    /// `content` of a custom message entry.
    pub content: Option<Raw<'a>>,
    /// `text` of a content block.
    pub text: Option<Raw<'a>>,
    /// `firstKeptEntryId` of a compaction.
    pub first_kept_entry_id: Option<Raw<'a>>,
    /// `firstKeptEntryIndex` of a version 1 compaction.
    pub first_kept_entry_index: Option<Raw<'a>>,
    /// `version` of a header.
    pub version: Option<Raw<'a>>,
    /// `cwd` of a header.
    pub cwd: Option<Raw<'a>>,
    /// `parentSession` of a header.
    pub parent_session: Option<Raw<'a>>,
}

/// What is known of an entry's message.
#[derive(Clone, Copy)]
pub struct Message<'a> {
    /// The whole value.
    pub raw: Raw<'a>,
    /// `role`.
    pub role: Option<Raw<'a>>,
    /// `provider`.
    pub provider: Option<Raw<'a>>,
    /// `model`.
    pub model: Option<Raw<'a>>,
    /// `content`.
    pub content: Option<Raw<'a>>,
    /// `timestamp`.
    pub timestamp: Option<Raw<'a>>,
}

impl std::fmt::Debug for Fields<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fields({:?})", self.range)
    }
}

/// Reads a line, given without its line feed. JavaScript white space (a byte order mark too) may
/// stand around the object.
pub fn read(line: &[u8]) -> Line<'_> {
    if let Some(found) = read_json(line, 0..line.len()) {
        return found;
    }
    let trimmed = json::trim(line);
    if trimmed.len() == line.len() {
        return Line::Damaged;
    }
    let start = trimmed.as_ptr() as usize - line.as_ptr() as usize;
    read_json(line, start..start + trimmed.len()).unwrap_or(Line::Damaged)
}

fn read_json(line: &[u8], range: Range<usize>) -> Option<Line<'_>> {
    let within = &line[..range.end];
    let start = skip_white(within, range.start);
    let ends_well = |end: usize| (skip_white(within, end) == within.len()).then_some(());
    match within.get(start) {
        None => Some(Line::Blank),
        Some(b'{') => {
            let fields = object(within, start)?;
            ends_well(fields.range.end)?;
            Some(Line::Object(fields))
        }
        Some(_) => {
            ends_well(skip_value(within, start)?)?;
            Some(Line::NotAnObject)
        }
    }
}

/// The fields of the object whose `{` is at `at`, or `None` if it is not JSON.
pub fn object(bytes: &[u8], at: usize) -> Option<Fields<'_>> {
    let mut fields = Fields::default();
    let end = members(bytes, at, |key, at| {
        by_name(key, |name| {
            let slot = match name {
                b"message" => return message(bytes, at, &mut fields.message),
                b"type" => &mut fields.kind,
                b"id" => &mut fields.id,
                b"parentId" => &mut fields.parent_id,
                b"timestamp" => &mut fields.timestamp,
                b"provider" => &mut fields.provider,
                b"modelId" => &mut fields.model_id,
                b"thinkingLevel" => &mut fields.thinking_level,
                b"targetId" => &mut fields.target_id,
                b"label" => &mut fields.label,
                b"name" => &mut fields.name,
                b"summary" => &mut fields.summary,
                b"content" => &mut fields.content,
                b"text" => &mut fields.text,
                b"firstKeptEntryId" => &mut fields.first_kept_entry_id,
                b"firstKeptEntryIndex" => &mut fields.first_kept_entry_index,
                b"version" => &mut fields.version,
                b"cwd" => &mut fields.cwd,
                b"parentSession" => &mut fields.parent_session,
                _ => return skip_value(bytes, at),
            };
            keep(bytes, at, slot)
        })
    })?;
    fields.range = at..end;
    Some(fields)
}

fn message<'a>(bytes: &'a [u8], at: usize, slot: &mut Option<Message<'a>>) -> Nested {
    let mut found = Message {
        raw: Raw::known(b"null"),
        role: None,
        provider: None,
        model: None,
        content: None,
        timestamp: None,
    };
    let end = if bytes.get(at) == Some(&b'{') {
        members(bytes, at, |key, at| {
            by_name(key, |name| {
                let slot = match name {
                    b"role" => &mut found.role,
                    b"provider" => &mut found.provider,
                    b"model" => &mut found.model,
                    b"content" => &mut found.content,
                    b"timestamp" => &mut found.timestamp,
                    _ => return skip_value(bytes, at),
                };
                keep(bytes, at, slot)
            })
        })?
    } else {
        skip_value(bytes, at)?
    };
    found.raw = Raw::known(&bytes[at..end]);
    *slot = Some(found);
    Some(end)
}

fn keep<'a>(bytes: &'a [u8], at: usize, slot: &mut Option<Raw<'a>>) -> Nested {
    let (raw, end) = Raw::at(bytes, at)?;
    *slot = Some(raw);
    Some(end)
}

/// Hands on a key with its escapes decoded; nearly always there are none.
#[inline]
fn by_name(key: &[u8], then: impl FnOnce(&[u8]) -> Nested) -> Nested {
    if memchr::memchr(b'\\', key).is_some() { then(&json::decode(key)) } else { then(key) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(line: &str) -> Fields<'_> {
        match read(line.as_bytes()) {
            Line::Object(fields) => fields,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn takes_the_last_of_repeated_keys() {
        let f =
            fields(r#"{"id":"a","type":"x","\u0069d":"b","message":{"role":"user"},"message":7}"#);
        assert!(f.id.unwrap().is(b"b"));
        let message = f.message.unwrap();
        assert_eq!(message.raw.bytes(), b"7");
        assert!(message.role.is_none());
    }

    #[test]
    fn white_space_of_javascript_may_surround_an_object() {
        assert_eq!(fields("\u{feff} {\"id\":\"a\"}\r").range, 4..14);
        assert!(matches!(read("\u{feff}\u{a0}".as_bytes()), Line::Blank));
        assert!(matches!(read(b" \r"), Line::Blank));
    }

    #[test]
    fn tells_scalars_and_damage_apart() {
        for line in ["1", "null", "\"x\"", "[{\"type\":\"session\"}]"] {
            assert!(matches!(read(line.as_bytes()), Line::NotAnObject), "{line}");
        }
        for line in
            ["{", "{\"a\":1}x", "{\"a\":1}{\"b\":2}", "nul", "\0", "{\"message\":{\"role\":}}"]
        {
            assert!(matches!(read(line.as_bytes()), Line::Damaged), "{line}");
        }
    }
}
