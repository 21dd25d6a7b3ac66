//! The scanner: where a JSON value ends, in one pass and without recursion.

use super::open::Open;

/// What a visitor says about the value it was shown: where it ends, or `None` if it is not JSON.
pub type Nested = Option<usize>;

/// The first position at or after `at` that is not JSON white space.
#[inline]
pub fn skip_white(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(at) {
        at += 1;
    }
    at
}

/// The end of the JSON value that starts at or after `at` (white space before it is allowed), or
/// `None` if there is none. What follows the value is not looked at.
pub fn skip_value(bytes: &[u8], at: usize) -> Nested {
    let mut at = skip_white(bytes, at);
    let mut open = Open::default();
    loop {
        at = match *bytes.get(at)? {
            b'{' => {
                at = skip_white(bytes, at + 1);
                if *bytes.get(at)? != b'}' {
                    open.push(true);
                    at = value_of_key(bytes, at)?;
                    continue;
                }
                at + 1
            }
            b'[' => {
                at = skip_white(bytes, at + 1);
                if *bytes.get(at)? != b']' {
                    open.push(false);
                    continue;
                }
                at + 1
            }
            _ => scalar_end(bytes, at)?,
        };
        // A value has ended: close what ends with it, until another one must follow.
        loop {
            let Some(in_object) = open.last() else {
                return Some(at);
            };
            at = skip_white(bytes, at);
            match (*bytes.get(at)?, in_object) {
                (b',', true) => {
                    at = value_of_key(bytes, skip_white(bytes, at + 1))?;
                    break;
                }
                (b',', false) => {
                    at = skip_white(bytes, at + 1);
                    break;
                }
                (b'}', true) | (b']', false) => {
                    open.pop();
                    at += 1;
                }
                _ => return None,
            }
        }
    }
}

/// Visits the members of the object whose `{` is at `at`: `each` gets the key as it is written
/// between its quotes and the position of the value, and answers with the value's end.
/// Returns the position after the `}`.
pub fn members<'a>(
    bytes: &'a [u8],
    at: usize,
    mut each: impl FnMut(&'a [u8], usize) -> Nested,
) -> Nested {
    if *bytes.get(at)? != b'{' {
        return None;
    }
    let mut at = skip_white(bytes, at + 1);
    if *bytes.get(at)? == b'}' {
        return Some(at + 1);
    }
    loop {
        if *bytes.get(at)? != b'"' {
            return None;
        }
        let key_end = string_end(bytes, at + 1)?;
        let key = &bytes[at + 1..key_end - 1];
        let value = after_colon(bytes, key_end)?;
        at = skip_white(bytes, each(key, value)?);
        match *bytes.get(at)? {
            b',' => at = skip_white(bytes, at + 1),
            b'}' => return Some(at + 1),
            _ => return None,
        }
    }
}

/// Visits the elements of the array whose `[` is at `at`, like [`members`].
pub fn elements(bytes: &[u8], at: usize, mut each: impl FnMut(usize) -> Nested) -> Nested {
    if *bytes.get(at)? != b'[' {
        return None;
    }
    let mut at = skip_white(bytes, at + 1);
    if *bytes.get(at)? == b']' {
        return Some(at + 1);
    }
    loop {
        at = skip_white(bytes, each(at)?);
        match *bytes.get(at)? {
            b',' => at = skip_white(bytes, at + 1),
            b']' => return Some(at + 1),
            _ => return None,
        }
    }
}

/// From the opening quote of a key to the start of its value.
#[inline]
fn value_of_key(bytes: &[u8], at: usize) -> Nested {
    if *bytes.get(at)? != b'"' {
        return None;
    }
    after_colon(bytes, string_end(bytes, at + 1)?)
}

#[inline]
fn after_colon(bytes: &[u8], at: usize) -> Nested {
    let at = skip_white(bytes, at);
    if *bytes.get(at)? != b':' {
        return None;
    }
    Some(skip_white(bytes, at + 1))
}

#[inline]
fn scalar_end(bytes: &[u8], at: usize) -> Nested {
    match *bytes.get(at)? {
        b'"' => string_end(bytes, at + 1),
        b't' => literal_end(bytes, at, b"true"),
        b'f' => literal_end(bytes, at, b"false"),
        b'n' => literal_end(bytes, at, b"null"),
        _ => number_end(bytes, at),
    }
}

fn literal_end(bytes: &[u8], at: usize, word: &[u8]) -> Nested {
    bytes[at..].starts_with(word).then_some(at + word.len())
}

fn number_end(bytes: &[u8], mut at: usize) -> Nested {
    let digits = |mut at: usize| {
        let start = at;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        (at > start).then_some(at)
    };
    if bytes[at] == b'-' {
        at += 1;
    }
    at = if *bytes.get(at)? == b'0' { at + 1 } else { digits(at)? };
    if bytes.get(at) == Some(&b'.') {
        at = digits(at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = bytes.get(at) {
            at += 1;
        }
        at = digits(at)?;
    }
    Some(at)
}

/// The position after the closing quote of the string whose text starts at `at`.
#[inline]
fn string_end(bytes: &[u8], mut at: usize) -> Nested {
    loop {
        at = plain_end(bytes, at);
        match *bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => match *bytes.get(at + 1)? {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at += 2,
                b'u' => {
                    let hex = bytes.get(at + 2..at + 6)?;
                    if !hex.iter().all(u8::is_ascii_hexdigit) {
                        return None;
                    }
                    at += 6;
                }
                _ => return None,
            },
            _ => return None, // a control character
        }
    }
}

/// The first quote, backslash or control character at or after `at`, or the end.
#[inline]
fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    const BLOCK: usize = 32;
    // Written so that the compiler turns a block into a handful of vector instructions.
    while let Some(block) = bytes.get(at..at + BLOCK) {
        let special = block.iter().fold(false, |found, &b| found | is_special(b));
        if special {
            break;
        }
        at += BLOCK;
    }
    while bytes.get(at).is_some_and(|&b| !is_special(b)) {
        at += 1;
    }
    at
}

#[inline(always)]
fn is_special(b: u8) -> bool {
    (b == b'"') | (b == b'\\') | (b < 0x20)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::de::IgnoredAny;

    fn whole(text: &[u8]) -> bool {
        skip_value(text, 0).is_some_and(|end| skip_white(text, end) == text.len())
    }

    #[test]
    fn reads_what_json_parse_reads() {
        for text in [
            "1",
            "-0",
            "1e999",
            "0.5E+3",
            "\"\\ud800\"",
            "[]",
            "{}",
            " [1 , {\"a\" : [ ] } ]\r",
            "{\"a\":1,\"a\":2}",
            "\"\u{2028}\"",
            "true",
            "null",
        ] {
            assert!(whole(text.as_bytes()), "{text}");
        }
        assert!(whole(b"\"\xff\xfe\""));
    }

    #[test]
    fn refuses_what_json_parse_refuses() {
        for text in [
            "",
            "01",
            "+1",
            ".5",
            "1.",
            "1e",
            "-",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "{\"a\" 1}",
            "\"\t\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"",
            "[",
            "{\"a\":",
            "nul",
            "[1}",
            "{\"a\"]",
            "\u{a0}1",
        ] {
            assert!(!whole(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn depth_is_bound_by_the_line_alone() {
        for depth in [1, 63, 64, 65, 128, 129, 100_000] {
            let text = format!("{}{}{}", "[{\"a\":".repeat(depth), "1", "}]".repeat(depth));
            assert!(whole(text.as_bytes()), "{depth}");
            let crossed = format!("{}{}{}", "[{\"a\":".repeat(depth), "1", "]}".repeat(depth));
            assert!(!whole(crossed.as_bytes()), "{depth}");
        }
    }

    fn json_like() -> impl Strategy<Value = String> {
        let token = prop::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"type\"",
            "\"\\u00e9\\n\"",
            "\"",
            "\\",
            "1",
            "-2.5e3",
            "0",
            "00",
            "true",
            "null",
            " ",
            "\n",
            "{\"k\":",
            "\"long text that fills more than one block of bytes\"",
        ]);
        prop::collection::vec(token, 0..24).prop_map(|tokens| tokens.concat())
    }

    proptest! {
        #[test]
        fn agrees_with_serde_json(text in json_like()) {
            let oracle = serde_json::from_str::<IgnoredAny>(&text).is_ok();
            prop_assert_eq!(whole(text.as_bytes()), oracle);
        }

        #[test]
        fn agrees_with_serde_json_on_damaged_values(value in any::<Vec<(String, f64)>>(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut text = serde_json::to_vec(&value).unwrap();
            let at = at.index(text.len());
            text[at] = byte;
            let oracle = serde_json::from_slice::<IgnoredAny>(&text).is_ok();
            prop_assert_eq!(whole(&text), oracle);
        }
    }
}
