//! JSON as `JSON.parse` reads it, without building values.
//!
//! A session line is looked at twice in its life: here, to find the few fields the tree rests on,
//! and in the caller's language, to make the object. So this room only has to know where values
//! begin and end, and must agree with `JSON.parse` on what is JSON at all: lone surrogates,
//! numbers beyond the range of a double, any depth and repeated keys are all fine; control
//! characters in strings, trailing commas and comments are not. Bytes that are not UTF-8 may stand
//! inside strings, where they count as U+FFFD.

pub mod edit;
mod open;
mod raw;
mod scan;
mod text;

pub use raw::Raw;
pub use scan::{Nested, elements, members, skip_value, skip_white};
pub use text::{decode, from_utf16, quote, to_utf16, trim};
