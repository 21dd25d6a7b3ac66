//! The session store of the Elyra coding agent.
//!
//! A session is an append-only file of JSON lines: a header, then entries that form a tree by
//! their ids and parent ids. This crate reads such files of any size, keeps of each entry only
//! what the tree needs, plans what a model gets to see, and appends to the file so that nothing
//! that was acknowledged is lost.
//!
//! It is not a database: there is one writer's view of one file at a time, no queries, and no
//! deletion. It does not interpret messages beyond the few members that rules of the format name.
//!
//! | room | what is in it |
//! |---|---|
//! | [`json`] | where JSON values begin and end, strings, changing a member of an object |
//! | [`mod@line`], [`salvage`] | one line: what it is, and whole records in a damaged one |
//! | [`header`], [`entry`], [`ids`], [`labels`], [`time`] | the parts of a session |
//! | [`migrate`], [`rewrite`] | old versions, and writing a file anew |
//! | [`tree`], [`layout`], [`context`] | branches, nodes, what the model sees |
//! | [`described`] | the same for entries that callers hold in arrays of their own |
//! | [`log`] | the file: handles, reading, appending, new files |
//! | [`load`], [`session`], [`fork`] | from file to session, and all that is done with one |
//! | [`verify`], [`repair`] | looking at a file, and mending it |
//! | [`place`], [`catalog`] | where sessions live, and what is known of those not open |
//!
//! The binding for Node is the only room that knows of Node, and is there with the feature `node`.

pub mod catalog;
pub mod context;
pub mod described;
pub mod entry;
mod error;
pub mod fork;
mod fresh_id;
pub mod header;
pub mod ids;
pub mod json;
pub mod labels;
pub mod layout;
pub mod line;
pub mod load;
pub mod log;
pub mod migrate;
pub mod place;
pub mod repair;
pub mod rewrite;
pub mod salvage;
pub mod session;
pub mod time;
pub mod tree;
pub mod verify;

#[cfg(feature = "node")]
mod binding;

pub use error::{Error, Result};
