//! Changing members of an object in its text, so that everything else stays as it was written.

use super::{Raw, decode, members, skip_value};

/// What to do to one member.
#[derive(Debug)]
pub enum Edit {
    /// Give it this value (JSON text): where the key stands, or at the end if there is none.
    Set(Vec<u8>),
    /// Take it out.
    Remove,
}

/// The text of `object` (JSON text of one object) with `edits` done in their order, as assignments
/// and `delete` would do them to the parsed object. `None` if `object` is not an object.
pub fn edit(object: &[u8], edits: &[(&[u8], Edit)]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(object.len() + 64);
    let mut seen = vec![false; edits.len()];
    out.push(b'{');
    let mut push = |key: &[u8], value: &[u8]| {
        if out.len() > 1 {
            out.push(b',');
        }
        out.push(b'"');
        out.extend_from_slice(key);
        out.extend_from_slice(b"\":");
        out.extend_from_slice(value);
    };
    members(object, 0, |key, at| {
        let end = skip_value(object, at)?;
        let name = decode(key);
        match edits.iter().position(|(wanted, _)| **wanted == *name) {
            // A repeated key counts with its last value at its first place, so each one is set.
            Some(i) => {
                seen[i] = true;
                if let Edit::Set(value) = &edits[i].1 {
                    push(key, value);
                }
            }
            None => push(key, &object[at..end]),
        }
        Some(end)
    })?;
    for ((key, what), seen) in edits.iter().zip(seen) {
        if let (Edit::Set(value), false) = (what, seen) {
            push(key, value);
        }
    }
    out.push(b'}');
    Some(out)
}

/// The value of the last member called `wanted` (the one that counts).
pub fn member<'a>(object: &'a [u8], wanted: &[u8]) -> Option<Raw<'a>> {
    let mut found = None;
    members(object, 0, |key, at| {
        let (value, end) = Raw::at(object, at)?;
        if *decode(key) == *wanted {
            found = Some(value);
        }
        Some(end)
    })?;
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(object: &str, edits: &[(&[u8], Edit)]) -> String {
        String::from_utf8(edit(object.as_bytes(), edits).unwrap()).unwrap()
    }

    #[test]
    fn sets_in_place_or_at_the_end() {
        let set = |v: &str| Edit::Set(v.into());
        assert_eq!(
            edited(r#"{ "a" : 1, "b":2 }"#, &[(b"a", set("9")), (b"c", set("3"))]),
            r#"{"a":9,"b":2,"c":3}"#
        );
        assert_eq!(edited("{}", &[(b"a", set("1"))]), r#"{"a":1}"#);
        assert_eq!(
            edited(r#"{"\u0061":1,"a":2,"n":1e999}"#, &[(b"a", set("5"))]),
            r#"{"\u0061":5,"a":5,"n":1e999}"#
        );
    }

    #[test]
    fn removes_every_occurrence() {
        assert_eq!(edited(r#"{"a":1,"b":2,"a":3}"#, &[(b"a", Edit::Remove)]), r#"{"b":2}"#);
        assert_eq!(edited(r#"{"a":1}"#, &[(b"a", Edit::Remove)]), "{}");
    }

    #[test]
    fn the_last_member_counts() {
        assert_eq!(member(br#"{"a":1,"a":2}"#, b"a").unwrap().bytes(), b"2");
        assert!(member(br#"{"b":1}"#, b"a").is_none());
    }
}
