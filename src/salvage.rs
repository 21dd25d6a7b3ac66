//! Whole records inside a damaged line.
//!
//! A line is damaged when a write was torn, when two records ran together, or when a crash left a
//! run of NUL bytes. What is whole in it is still read.

use std::ops::Range;

use crate::entry::Kind;
use crate::json::{Raw, skip_white};
use crate::line::{self, Fields};

/// How much text is looked at for each byte of the line before giving up. Honest damage needs two
/// or three looks; a line made to be slow would need as many as it has bytes.
const EFFORT: usize = 64;

/// What is looked at in any case, in bytes.
const LEAST_EFFORT: usize = 1 << 24;

/// The records in a damaged line, in their order.
///
/// A record is an object that starts with the key `type` and has a string `id`, a string or null
/// `parentId` and a string `timestamp`, followed only by white space, NULs, the line's end or
/// another record. Before version 2 there were no ids (`with_ids` is false), and a known type and a
/// timestamp will do, too. Objects inside a record are never records.
pub fn records(line: &[u8], with_ids: bool) -> Vec<Fields<'_>> {
    let mut found = Vec::new();
    let mut effort = line.len().saturating_mul(EFFORT).max(LEAST_EFFORT);
    let mut at = 0;
    while let Some(start) = next_candidate(line, at) {
        let (run, end) = run_of_records(line, start, with_ids, &mut effort);
        found.extend(run);
        at = end.max(start + 1);
        if effort == 0 {
            break;
        }
    }
    found
}

/// The records that follow each other from `start`, if the last one is followed well, and where
/// they end. If it is not, no part of the run would do either.
fn run_of_records<'a>(
    line: &'a [u8],
    start: usize,
    with_ids: bool,
    effort: &mut usize,
) -> (Vec<Fields<'a>>, usize) {
    let mut run = Vec::new();
    let mut at = start;
    loop {
        let Some(fields) = record_at(line, at, with_ids, effort) else {
            return (Vec::new(), at);
        };
        at = skip_filling(line, fields.range.end);
        run.push(fields);
        match line.get(at) {
            None => return (run, at),
            Some(b'{') => {}
            Some(_) => return (Vec::new(), at),
        }
    }
}

fn record_at<'a>(
    line: &'a [u8],
    at: usize,
    with_ids: bool,
    effort: &mut usize,
) -> Option<Fields<'a>> {
    starts_with_type(line, at).then_some(())?;
    let parsed = line::object(line, at);
    let looked_at = parsed.as_ref().map_or(line.len() - at, |f| f.range.len());
    *effort = effort.saturating_sub(looked_at);
    let fields = parsed?;
    let is_text = |raw: Option<Raw<'_>>| raw.is_some_and(Raw::is_string);
    let has_ids =
        || is_text(fields.id) && fields.parent_id.is_some_and(|p| p.is_string() || p.is_null());
    let whole = is_text(fields.timestamp)
        && (has_ids() || (!with_ids && Kind::of(fields.kind) != Kind::Other));
    whole.then_some(fields)
}

/// The next `{` at or after `at` whose first key is `type`.
fn next_candidate(line: &[u8], at: usize) -> Option<usize> {
    let rest = line.get(at..)?;
    memchr::memchr_iter(b'{', rest)
        .map(|offset| at + offset)
        .find(|&start| starts_with_type(line, start))
}

fn starts_with_type(line: &[u8], at: usize) -> bool {
    line.get(at) == Some(&b'{') && line[skip_white(line, at + 1)..].starts_with(b"\"type\"")
}

fn skip_filling(line: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r' | b'\n' | 0) = line.get(at) {
        at += 1;
    }
    at
}

/// A damaged line as a rewrite leaves it: each piece becomes a line of its own.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece {
    /// Bytes that belong to no record, unchanged, in their order.
    Other(Vec<u8>),
    /// The record with this number.
    Record(usize),
}

/// How a rewrite lays out a damaged line, so that the next reader finds each record once.
///
/// The bytes around the records go on one line before them. Should those bytes, put together, read
/// as something by themselves, the line cannot be taken apart, and `None` says to leave it whole.
pub fn layout(line: &[u8], records: &[Range<usize>], with_ids: bool) -> Option<Vec<Piece>> {
    let mut other = Vec::new();
    let mut at = 0;
    for range in records {
        other.extend_from_slice(&line[at..range.start]);
        at = range.end;
    }
    other.extend_from_slice(&line[at..]);
    let harmless = match line::read(&other) {
        line::Line::Blank => true,
        line::Line::Damaged => self::records(&other, with_ids).is_empty(),
        line::Line::Object(_) | line::Line::NotAnObject => false,
    };
    harmless.then(|| {
        let rest = (!other.is_empty()).then_some(Piece::Other(other));
        rest.into_iter().chain((0..records.len()).map(Piece::Record)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const R: &str = r#"{"type":"custom","id":"a","parentId":null,"timestamp":"t","data":{"type":"custom","id":"b","parentId":null,"timestamp":"t"}}"#;
    const S: &str = r#"{"type":"custom","id":"c","parentId":"a","timestamp":"t"}"#;

    fn ids(line: &str) -> Vec<String> {
        let found = records(line.as_bytes(), true);
        found
            .iter()
            .map(|f| String::from_utf8(f.id.unwrap().text().unwrap().into_owned()).unwrap())
            .collect()
    }

    #[test]
    fn finds_whole_records() {
        assert_eq!(ids(&format!("{}{R}", &S[..40])), ["a"]);
        assert_eq!(ids(&format!("{R}{S}")), ["a", "c"]);
        assert_eq!(ids(&format!("\0\0\0{R}\0\0{S} \r")), ["a", "c"]);
        assert_eq!(
            ids(&format!(r#"{{"type":"message","message":{{"content":"abc{R}{S}"#)),
            ["a", "c"]
        );
    }

    #[test]
    fn leaves_what_is_not_a_record() {
        assert_eq!(ids(&format!("{R}x")), [""; 0]);
        assert_eq!(ids(&format!(r#"{{"type":"custom","data":[{S}],"#)), [""; 0]);
        assert_eq!(ids(r#"x{"type":"custom","id":7,"parentId":null,"timestamp":"t"}"#), [""; 0]);
        assert_eq!(ids(r#"x{"id":"a","type":"custom","parentId":null,"timestamp":"t"}"#), [""; 0]);
    }

    #[test]
    fn version_one_records_have_no_ids() {
        let line = r#"xx{"type":"message","timestamp":"t","message":{}}"#.as_bytes();
        assert_eq!(records(line, false).len(), 1);
        assert_eq!(records(line, true).len(), 0);
        assert_eq!(records(br#"x{"type":"event","timestamp":"t"}"#, false).len(), 0);
    }

    #[test]
    fn a_line_made_to_be_slow_is_given_up() {
        let line = r#"{"type":"a","x":"#.repeat(20_000);
        assert!(records(line.as_bytes(), true).is_empty());
    }

    #[test]
    fn a_rewrite_puts_records_on_lines_of_their_own() {
        let line = format!("torn{R} {S}\0");
        let ranges: Vec<_> = records(line.as_bytes(), true).into_iter().map(|f| f.range).collect();
        let pieces = layout(line.as_bytes(), &ranges, true).unwrap();
        assert_eq!(pieces, [Piece::Other(b"torn \0".to_vec()), Piece::Record(0), Piece::Record(1)]);
    }

    #[test]
    fn bytes_that_would_read_as_an_object_stay_where_they_are() {
        let line = format!("{{\"a\":1}}{S}");
        let ranges: Vec<_> = records(line.as_bytes(), true).into_iter().map(|f| f.range).collect();
        assert_eq!(ranges.len(), 1);
        assert_eq!(layout(line.as_bytes(), &ranges, true), None);
    }
}
