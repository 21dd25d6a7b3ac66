//! Ids: each distinct one is kept once and called by a number, its slot.
//!
//! An id is nearly always eight hexadecimal digits, which fit in four bytes. A slot also knows the
//! first and the last entry of its id, so that following a parent is two array look-ups; and since
//! a slot may be made before its entry is read, parents may come after their children.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::json::{self, Raw};

/// The number of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(u32);

impl Slot {
    /// The id of an entry that has none.
    pub const MISSING: Slot = Slot(0);
    /// `null`, the parent of a first entry.
    pub const NULL: Slot = Slot(1);
    /// The empty string, which JavaScript takes for no id at all when it follows one.
    pub const EMPTY: Slot = Slot(2);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// An id as it is kept. Anything but a string is odd, but is told apart as JavaScript tells it
/// apart, so that odd files mean the same here as there.
#[derive(Clone, Copy)]
enum Key {
    /// Eight lower-case hexadecimal digits.
    Hex(u32),
    /// A tag byte and the value, in the arena.
    Kept { start: u32, len: u32 },
    /// An object or array: equal to nothing else.
    Unique,
}

const STRING: u8 = b's';

struct Info {
    key: Key,
    first: u32,
    last: u32,
}

const NONE: u32 = u32::MAX;

/// All ids of a session.
pub struct Ids {
    slots: Vec<Info>,
    table: HashTable<u32>,
    arena: Vec<u8>,
    hasher: DefaultHashBuilder,
}

impl Default for Ids {
    fn default() -> Self {
        let mut ids = Ids {
            slots: Vec::new(),
            table: HashTable::new(),
            arena: Vec::new(),
            hasher: DefaultHashBuilder::default(),
        };
        ids.intern_kept(b"u");
        ids.intern_kept(b"0");
        ids.intern_kept(&[STRING]);
        ids
    }
}

impl Ids {
    /// How much memory the ids take, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Info>()
            + self.table.allocation_size()
            + self.arena.capacity()
    }

    /// The slot of an id as it stands in a file; `None` is a missing one.
    pub fn intern(&mut self, id: Option<Raw<'_>>) -> Slot {
        let Some(raw) = id else { return Slot::MISSING };
        if let Some(quoted) = raw.quoted() {
            if let Some(hex) = hex8(quoted) {
                return self.intern_hex(hex);
            }
            return self.intern_text(&json::decode(quoted));
        }
        match raw.bytes() {
            b"null" => Slot::NULL,
            b"true" => self.intern_kept(b"t"),
            b"false" => self.intern_kept(b"f"),
            _ => match raw.number() {
                // Adding zero makes -0 the 0 it equals.
                Some(number) => {
                    let mut key = vec![b'n'];
                    key.extend_from_slice(&(number + 0.0).to_bits().to_le_bytes());
                    self.intern_kept(&key)
                }
                None => self.push(Key::Unique),
            },
        }
    }

    /// The slot of an id given as text (WTF-8).
    pub fn intern_text(&mut self, text: &[u8]) -> Slot {
        match hex8(text) {
            Some(hex) => self.intern_hex(hex),
            None => self.intern_kept(&tagged(text)),
        }
    }

    /// The slot of an id given as text (WTF-8), if there is one.
    pub fn find(&self, text: &[u8]) -> Option<Slot> {
        let found = match hex8(text) {
            Some(hex) => self.table.find(self.hash_hex(hex), |&s| self.is_hex(s, hex)),
            None => {
                let key = tagged(text);
                self.table.find(self.hasher.hash_one(&*key), |&s| self.is_kept(s, &key))
            }
        };
        found.map(|&s| Slot(s))
    }

    /// The text of an id (WTF-8), if it is a string.
    pub fn text(&self, slot: Slot) -> Option<std::borrow::Cow<'_, [u8]>> {
        match self.slots[slot.index()].key {
            Key::Hex(hex) => Some(format!("{hex:08x}").into_bytes().into()),
            Key::Kept { start, len } => {
                let kept = self.kept(start, len);
                kept.strip_prefix(&[STRING]).map(Into::into)
            }
            Key::Unique => None,
        }
    }

    /// The id as JSON text. One that is missing, or an object, is `null`.
    pub fn json(&self, slot: Slot) -> Vec<u8> {
        if let Some(text) = self.text(slot) {
            return json::quote(&text);
        }
        match self.slots[slot.index()].key {
            Key::Kept { start, len } => match self.kept(start, len) {
                b"t" => b"true".to_vec(),
                b"f" => b"false".to_vec(),
                [b'n', bits @ ..] => {
                    let bits = bits.try_into().map(u64::from_le_bytes).unwrap_or_default();
                    serde_json::to_vec(&f64::from_bits(bits)).unwrap_or_default()
                }
                _ => b"null".to_vec(),
            },
            Key::Hex(_) | Key::Unique => b"null".to_vec(),
        }
    }

    /// Whether the id is a string.
    pub fn is_string(&self, slot: Slot) -> bool {
        match self.slots[slot.index()].key {
            Key::Hex(_) => true,
            Key::Kept { start, .. } => self.arena[start as usize] == STRING,
            Key::Unique => false,
        }
    }

    /// Whether JavaScript takes the id for true: one that is not is never followed.
    pub fn truthy(&self, slot: Slot) -> bool {
        match self.slots[slot.index()].key {
            Key::Kept { start, len } => {
                let kept = self.kept(start, len);
                !matches!(kept, b"u" | b"0" | b"f" | b"s" | b"n\0\0\0\0\0\0\0\0")
            }
            Key::Hex(_) | Key::Unique => true,
        }
    }

    /// Notes that entry number `entry` has this id.
    pub fn enter(&mut self, slot: Slot, entry: u32) {
        let info = &mut self.slots[slot.index()];
        if info.first == NONE {
            info.first = entry;
        }
        info.last = entry;
    }

    /// The last entry with this id.
    pub fn last(&self, slot: Slot) -> Option<u32> {
        let last = self.slots[slot.index()].last;
        (last != NONE).then_some(last)
    }

    /// The first entry with this id.
    pub fn first(&self, slot: Slot) -> Option<u32> {
        let first = self.slots[slot.index()].first;
        (first != NONE).then_some(first)
    }

    /// How many slots there are; every slot's index is below it.
    pub fn count(&self) -> usize {
        self.slots.len()
    }

    /// The place of a slot in tables with one row a slot.
    pub fn index(&self, slot: Slot) -> usize {
        slot.index()
    }

    fn intern_hex(&mut self, hex: u32) -> Slot {
        let hash = self.hash_hex(hex);
        if let Some(&slot) = self.table.find(hash, |&s| self.is_hex(s, hex)) {
            return Slot(slot);
        }
        let slot = self.push(Key::Hex(hex));
        self.insert(hash, slot);
        slot
    }

    fn intern_kept(&mut self, key: &[u8]) -> Slot {
        let hash = self.hasher.hash_one(key);
        if let Some(&slot) = self.table.find(hash, |&s| self.is_kept(s, key)) {
            return Slot(slot);
        }
        let start = self.arena.len() as u32;
        self.arena.extend_from_slice(key);
        let slot = self.push(Key::Kept { start, len: key.len() as u32 });
        self.insert(hash, slot);
        slot
    }

    fn insert(&mut self, hash: u64, slot: Slot) {
        let Ids { slots, table, arena, hasher } = self;
        table.insert_unique(hash, slot.0, |&s| match slots[s as usize].key {
            Key::Kept { start, len } => {
                hasher.hash_one(&arena[start as usize..start as usize + len as usize])
            }
            Key::Hex(hex) => hasher.hash_one(hex),
            Key::Unique => 0,
        });
    }

    fn push(&mut self, key: Key) -> Slot {
        self.slots.push(Info { key, first: NONE, last: NONE });
        Slot((self.slots.len() - 1) as u32)
    }

    fn kept(&self, start: u32, len: u32) -> &[u8] {
        &self.arena[start as usize..start as usize + len as usize]
    }

    fn hash_hex(&self, hex: u32) -> u64 {
        self.hasher.hash_one(hex)
    }

    fn is_hex(&self, slot: u32, hex: u32) -> bool {
        matches!(self.slots[slot as usize].key, Key::Hex(h) if h == hex)
    }

    fn is_kept(&self, slot: u32, key: &[u8]) -> bool {
        match self.slots[slot as usize].key {
            Key::Kept { start, len } => self.kept(start, len) == key,
            _ => false,
        }
    }
}

fn tagged(text: &[u8]) -> Vec<u8> {
    let mut key = Vec::with_capacity(text.len() + 1);
    key.push(STRING);
    key.extend_from_slice(text);
    key
}

fn hex8(text: &[u8]) -> Option<u32> {
    let text: &[u8; 8] = text.try_into().ok()?;
    text.iter().try_fold(0u32, |n, &b| {
        let digit = match b {
            b'0'..=b'9' => b - b'0',
            b'a'..=b'f' => b - b'a' + 10,
            _ => return None,
        };
        Some(n << 4 | u32::from(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Option<Raw<'_>> {
        Raw::at(text.as_bytes(), 0).map(|(raw, _)| raw)
    }

    #[test]
    fn equal_ids_share_a_slot_however_they_are_written() {
        let mut ids = Ids::default();
        let a = ids.intern(raw(r#""0a1b2c3d""#));
        assert_eq!(ids.intern(raw(r#""\u0030a1b2c3d""#)), a);
        assert_eq!(ids.find(b"0a1b2c3d"), Some(a));
        assert_eq!(ids.text(a).unwrap(), &b"0a1b2c3d"[..]);
        assert_ne!(ids.intern(raw(r#""0A1B2C3D""#)), a);
        assert_eq!(ids.intern(raw("1e1")), ids.intern(raw("10")));
        assert_eq!(ids.intern(raw("-0")), ids.intern(raw("0")));
        assert_ne!(ids.intern(raw("{}")), ids.intern(raw("{}")));
        assert_ne!(ids.intern(raw("\"1\"")), ids.intern(raw("1")));
    }

    #[test]
    fn knows_what_javascript_follows() {
        let mut ids = Ids::default();
        for (text, truth) in [
            ("\"\"", false),
            ("null", false),
            ("0", false),
            ("false", false),
            ("\"0\"", true),
            ("{}", true),
            ("7", true),
        ] {
            let slot = ids.intern(raw(text));
            assert_eq!(ids.truthy(slot), truth, "{text}");
        }
        assert!(!ids.truthy(Slot::MISSING));
        assert_eq!(ids.intern(None), Slot::MISSING);
        assert_eq!(ids.intern(raw("\"\"")), Slot::EMPTY);
        assert_eq!(ids.intern(raw("null")), Slot::NULL);
    }

    #[test]
    fn many_ids_are_found_again() {
        let mut ids = Ids::default();
        let slots: Vec<_> =
            (0..10_000u32).map(|n| ids.intern_text(format!("{n:08x}").as_bytes())).collect();
        let odd: Vec<_> =
            (0..10_000u32).map(|n| ids.intern_text(format!("id-{n}").as_bytes())).collect();
        for n in 0..10_000u32 {
            assert_eq!(ids.find(format!("{n:08x}").as_bytes()), Some(slots[n as usize]));
            assert_eq!(ids.find(format!("id-{n}").as_bytes()), Some(odd[n as usize]));
        }
        assert_eq!(ids.find(b"never"), None);
    }
}
