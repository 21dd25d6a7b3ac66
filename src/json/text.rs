//! Strings of JSON and of JavaScript.
//!
//! Decoded text is held as WTF-8: UTF-8 in which a surrogate without its partner has the three
//! bytes its code point would have. Every JavaScript string has exactly one such form, so two
//! strings are equal when their bytes are.

use std::borrow::Cow;

/// The text of a JSON string, given what stands between its quotes. Bytes that are not UTF-8
/// become U+FFFD, as when Node reads the file as text.
pub fn decode(quoted: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'\\', quoted) else {
        return match std::str::from_utf8(quoted) {
            Ok(_) => Cow::Borrowed(quoted),
            Err(_) => Cow::Owned(String::from_utf8_lossy(quoted).into_owned().into_bytes()),
        };
    };
    let mut out = Vec::with_capacity(quoted.len());
    let mut rest = quoted;
    let mut next = Some(first);
    let mut high: Option<u32> = None; // a high surrogate just written, which may find its partner
    while let Some(at) = next {
        if at > 0 {
            high = None;
            out.extend_from_slice(String::from_utf8_lossy(&rest[..at]).as_bytes());
        }
        let (unit, length) = escape(&rest[at..]);
        match (high, unit) {
            (Some(h), 0xdc00..=0xdfff) => {
                out.truncate(out.len() - 3);
                push_code_point(&mut out, 0x10000 + ((h - 0xd800) << 10) + (unit - 0xdc00));
                high = None;
            }
            _ => {
                push_code_point(&mut out, unit);
                high = (0xd800..0xdc00).contains(&unit).then_some(unit);
            }
        }
        rest = &rest[at + length..];
        next = memchr::memchr(b'\\', rest);
    }
    out.extend_from_slice(String::from_utf8_lossy(rest).as_bytes());
    Cow::Owned(out)
}

/// The code unit of the escape that `text` starts with, and its length.
fn escape(text: &[u8]) -> (u32, usize) {
    let simple = |unit: u8| (u32::from(unit), 2);
    match text.get(1) {
        Some(b'b') => simple(8),
        Some(b'f') => simple(12),
        Some(b'n') => simple(b'\n'),
        Some(b'r') => simple(b'\r'),
        Some(b't') => simple(b'\t'),
        Some(b'u') => {
            let hex = text.get(2..6).and_then(|h| std::str::from_utf8(h).ok());
            let unit = hex.and_then(|h| u32::from_str_radix(h, 16).ok());
            (unit.unwrap_or(0xfffd), 6.min(text.len()))
        }
        Some(&other) => simple(other),
        None => (u32::from(b'\\'), 1),
    }
}

/// Appends a code point in WTF-8, surrogates included.
fn push_code_point(out: &mut Vec<u8>, code: u32) {
    match char::from_u32(code) {
        Some(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        None => out.extend_from_slice(&[
            0xe0 | (code >> 12) as u8,
            0x80 | (code >> 6 & 0x3f) as u8,
            0x80 | (code & 0x3f) as u8,
        ]),
    }
}

/// WTF-8 of a JavaScript string.
pub fn from_utf16(units: &[u16]) -> Vec<u8> {
    let mut out = Vec::with_capacity(units.len());
    for unit in char::decode_utf16(units.iter().copied()) {
        match unit {
            Ok(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(lone) => push_code_point(&mut out, u32::from(lone.unpaired_surrogate())),
        }
    }
    out
}

/// The pieces of WTF-8 text: proper UTF-8, or one surrogate that has no partner.
fn pieces(text: &[u8]) -> impl Iterator<Item = Result<&str, u16>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let valid = match std::str::from_utf8(rest) {
            Ok(all) => {
                rest = &[];
                return Some(Ok(all));
            }
            Err(e) => e.valid_up_to(),
        };
        if valid > 0 {
            let (head, tail) = rest.split_at(valid);
            rest = tail;
            return std::str::from_utf8(head).ok().map(Ok);
        }
        let unit = match rest {
            [0xed, b, c, ..] => 0xd000 | u16::from(b & 0x3f) << 6 | u16::from(c & 0x3f),
            _ => 0xfffd,
        };
        rest = &rest[3.min(rest.len())..];
        Some(Err(unit))
    })
}

/// The JavaScript string of WTF-8 text.
pub fn to_utf16(text: &[u8]) -> Vec<u16> {
    let mut out = Vec::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Ok(part) => out.extend(part.encode_utf16()),
            Err(unit) => out.push(unit),
        }
    }
    out
}

/// WTF-8 text as a JSON string, quotes included, escaped as `JSON.stringify` does.
pub fn quote(text: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    for piece in pieces(text) {
        match piece {
            Ok(part) => {
                // A `String` always serialises; the quotes around the piece are not wanted.
                let quoted = serde_json::to_string(part).unwrap_or_default();
                out.extend_from_slice(&quoted.as_bytes()[1..quoted.len() - 1]);
            }
            Err(unit) => out.extend_from_slice(format!("\\u{unit:04x}").as_bytes()),
        }
    }
    out.push(b'"');
    out
}

/// `text` without the white space that JavaScript's `trim` takes off: Unicode white space without
/// U+0085, and the byte order mark.
pub fn trim(text: &[u8]) -> &[u8] {
    let mut text = text;
    while let Some(length) = leading_white(text) {
        text = &text[length..];
    }
    while let Some(length) = trailing_white(text) {
        text = &text[..text.len() - length];
    }
    text
}

fn is_js_white(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}

fn leading_white(text: &[u8]) -> Option<usize> {
    let length = match *text.first()? {
        0..0x80 => 1,
        0xc0..0xe0 => 2,
        _ => 3,
    };
    let c = std::str::from_utf8(text.get(..length)?).ok()?.chars().next()?;
    is_js_white(c).then_some(length)
}

fn trailing_white(text: &[u8]) -> Option<usize> {
    (1..=3.min(text.len())).find(|&length| {
        let tail = std::str::from_utf8(&text[text.len() - length..]);
        tail.is_ok_and(|t| t.chars().all(is_js_white))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(&*decode(br#"a\n\"\\\/\u0041\u00e9"#), "a\n\"\\/Aé".as_bytes());
        assert_eq!(&*decode(br"\ud83d\ude00!"), "😀!".as_bytes());
    }

    #[test]
    fn a_surrogate_alone_stays_one() {
        let lone = decode(br"\ud83dx\ude00");
        assert_eq!(to_utf16(&lone), [0xd83d, u16::from(b'x'), 0xde00]);
        assert_eq!(quote(&lone), br#""\ud83dx\ude00""#);
        assert_eq!(to_utf16(&decode(br"\ud83d\ud83d\ude00")), [0xd83d, 0xd83d, 0xde00]);
    }

    #[test]
    fn invalid_bytes_become_the_replacement_character() {
        assert_eq!(&*decode(b"a\xff\xfeb"), "a\u{fffd}\u{fffd}b".as_bytes());
        assert_eq!(&*decode(b"\xed\xa0\x80\\n"), "\u{fffd}\u{fffd}\u{fffd}\n".as_bytes());
    }

    #[test]
    fn trims_what_javascript_trims() {
        assert_eq!(trim("\u{feff}\u{a0}\r\n a b \u{3000}\t".as_bytes()), b"a b");
        assert_eq!(trim("\u{85}a\u{200b}".as_bytes()), "\u{85}a\u{200b}".as_bytes());
        assert_eq!(trim(b"\xff "), b"\xff");
    }

    proptest! {
        #[test]
        fn utf16_survives(units in prop::collection::vec(prop_oneof![any::<u16>(), 0xd800u16..0xe000], 0..20)) {
            let text = from_utf16(&units);
            prop_assert_eq!(to_utf16(&text), units.clone());
            let quoted = quote(&text);
            prop_assert!(std::str::from_utf8(&quoted).is_ok());
            prop_assert_eq!(to_utf16(&decode(&quoted[1..quoted.len() - 1])), units);
        }
    }
}
