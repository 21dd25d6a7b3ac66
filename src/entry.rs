//! What an entry is: the little of it that the tree keeps in memory.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use hashbrown::DefaultHashBuilder;

use crate::ids::Slot;
use crate::json::Raw;
use crate::line::Fields;
use crate::time;

/// The entry types that rules of the format tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `message`
    Message,
    /// `model_change`
    ModelChange,
    /// `thinking_level_change`
    ThinkingLevelChange,
    /// `compaction`
    Compaction,
    /// `branch_summary`
    BranchSummary,
    /// `custom`
    Custom,
    /// `custom_message`
    CustomMessage,
    /// `label`
    Label,
    /// `session_info`
    SessionInfo,
    /// Any other type, kept whole.
    Other,
}

impl Kind {
    /// The kind that a `type` names.
    pub fn of(name: Option<Raw<'_>>) -> Self {
        let Some(text) = name.and_then(Raw::text) else {
            return Kind::Other;
        };
        match &*text {
            b"message" => Kind::Message,
            b"model_change" => Kind::ModelChange,
            b"thinking_level_change" => Kind::ThinkingLevelChange,
            b"compaction" => Kind::Compaction,
            b"branch_summary" => Kind::BranchSummary,
            b"custom" => Kind::Custom,
            b"custom_message" => Kind::CustomMessage,
            b"label" => Kind::Label,
            b"session_info" => Kind::SessionInfo,
            _ => Kind::Other,
        }
    }
}

/// The message roles that rules of the format tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `user`
    User,
    /// `assistant`
    Assistant,
    /// `toolResult`
    ToolResult,
    /// `custom`, and `hookMessage` of versions before 3
    Custom,
    /// `system`
    System,
    /// Any other role, or no message at all.
    Other,
}

impl Role {
    /// The role that a `role` names.
    pub fn of(name: Option<Raw<'_>>) -> Self {
        let Some(text) = name.and_then(Raw::text) else {
            return Role::Other;
        };
        match &*text {
            b"user" => Role::User,
            b"assistant" => Role::Assistant,
            b"toolResult" => Role::ToolResult,
            b"custom" => Role::Custom,
            b"system" => Role::System,
            _ => Role::Other,
        }
    }
}

/// What an entry carries that the model may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// A message, or a custom message entry, with content.
    Present,
    /// A message, or a custom message entry, whose content is null or missing.
    NoContent,
    /// Nothing: no message, an empty branch summary, or a kind that the model never sees.
    Absent,
}

/// Where an entry's text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the session file: the object's first byte and its length in bytes.
    File {
        /// Offset from the start of the file.
        at: u64,
        /// Length in bytes.
        len: u32,
        /// Checksum of the text, by which it is known again: see [`Place::holds`].
        check: u32,
    },
    /// Not in the file yet: see [`crate::tree::Tree::memory`].
    Memory,
}

impl Place {
    /// The place of `text` at this offset in the file.
    pub fn in_file(at: u64, text: &[u8]) -> Self {
        Place::File { at, len: text.len() as u32, check: checksum(text) }
    }

    /// Whether `text` is what stood at this place when it was read.
    pub fn holds(self, text: &[u8]) -> bool {
        match self {
            Place::File { len, check, .. } => text.len() == len as usize && checksum(text) == check,
            Place::Memory => true,
        }
    }
}

/// A checksum that is good for this process only.
fn checksum(text: &[u8]) -> u32 {
    static HASHER: LazyLock<DefaultHashBuilder> = LazyLock::new(DefaultHashBuilder::default);
    HASHER.hash_one(text) as u32
}

/// One entry of the tree. About 48 bytes, whatever the size of its line.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Where its text is.
    pub place: Place,
    /// Its own id.
    pub slot: Slot,
    /// The id it names as its parent.
    pub parent: Slot,
    /// Its type.
    pub kind: Kind,
    /// The role of its message.
    pub role: Role,
    /// What it has for the model.
    pub body: Body,
    /// Unix milliseconds, or [`time::ODD`] if its timestamp is not written as this module writes them.
    pub time: i64,
}

impl Entry {
    /// The entry of an object, its ids given as slots.
    pub fn new(fields: &Fields<'_>, place: Place, slot: Slot, parent: Slot) -> Self {
        let kind = Kind::of(fields.kind);
        let (role, body) = match (kind, &fields.message) {
            (Kind::Message, Some(message)) if !message.raw.is_null() => {
                let empty = message.raw.is_object() && message.content.is_none_or(Raw::is_null);
                let body = if empty { Body::NoContent } else { Body::Present };
                (Role::of(message.role), body)
            }
            (Kind::CustomMessage, _) => match fields.content {
                Some(content) if !content.is_null() => (Role::Custom, Body::Present),
                _ => (Role::Custom, Body::NoContent),
            },
            (Kind::BranchSummary, _) if fields.summary.is_some_and(Raw::truthy) => {
                (Role::Other, Body::Present)
            }
            _ => (Role::Other, Body::Absent),
        };
        let time = fields.timestamp.and_then(Raw::quoted).map_or(time::ODD, time::millis);
        Entry { place, slot, parent, kind, role, body, time }
    }

    /// Whether this is a user or assistant message: what makes a session worth a file.
    pub fn is_conversation(&self) -> bool {
        matches!(self.role, Role::User | Role::Assistant)
    }
}
