//! A JSON value as it is written.

use std::borrow::Cow;

use super::{decode, skip_value};

/// The bytes of one JSON value, without white space around it. Always whole and valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a>(&'a [u8]);

impl<'a> Raw<'a> {
    /// The value that starts at `at` and its end.
    pub fn at(bytes: &'a [u8], at: usize) -> Option<(Self, usize)> {
        let end = skip_value(bytes, at)?;
        Some((Raw(&bytes[at..end]), end))
    }

    /// A value whose end is known already.
    pub(crate) fn known(bytes: &'a [u8]) -> Self {
        Raw(bytes)
    }

    /// The bytes as written.
    pub fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text between the quotes, still escaped, if this is a string.
    pub fn quoted(self) -> Option<&'a [u8]> {
        (self.0.first() == Some(&b'"')).then(|| &self.0[1..self.0.len() - 1])
    }

    /// The decoded text (see [`decode`]), if this is a string.
    pub fn text(self) -> Option<Cow<'a, [u8]>> {
        self.quoted().map(decode)
    }

    /// Whether this is the string `word`, however it is escaped.
    pub fn is(self, word: &[u8]) -> bool {
        self.quoted().is_some_and(|q| q == word || (q.contains(&b'\\') && *decode(q) == *word))
    }

    /// Whether this is a string.
    pub fn is_string(self) -> bool {
        self.0.first() == Some(&b'"')
    }

    /// Whether this is `null`.
    pub fn is_null(self) -> bool {
        self.0 == b"null"
    }

    /// Whether this is an object.
    pub fn is_object(self) -> bool {
        self.0.first() == Some(&b'{')
    }

    /// Whether this is an array.
    pub fn is_array(self) -> bool {
        self.0.first() == Some(&b'[')
    }

    /// The number, if this is one. Beyond the range of a double it is infinite, as in JavaScript.
    pub fn number(self) -> Option<f64> {
        match self.0.first() {
            Some(b'-' | b'0'..=b'9') => std::str::from_utf8(self.0).ok()?.parse().ok(),
            _ => None,
        }
    }

    /// Whether JavaScript takes the value for true in a condition.
    pub fn truthy(self) -> bool {
        match self.0 {
            b"null" | b"false" | b"\"\"" => false,
            _ => self.number() != Some(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truth_is_javascripts() {
        for (text, truth) in [
            ("null", false),
            ("false", false),
            ("\"\"", false),
            ("0", false),
            ("-0.0e7", false),
            ("true", true),
            ("\"0\"", true),
            ("1e-400", false),
            ("0.1", true),
            ("[]", true),
            ("{}", true),
        ] {
            assert_eq!(Raw(text.as_bytes()).truthy(), truth, "{text}");
        }
    }

    #[test]
    fn a_word_may_be_escaped() {
        assert!(Raw(b"\"s\\u0065ssion\"").is(b"session"));
        assert!(!Raw(b"\"sessio\"").is(b"session"));
        assert!(!Raw(b"1").is(b"1"));
    }
}
