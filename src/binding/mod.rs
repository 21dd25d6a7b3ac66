//! The binding: the core's calls as a class and functions for Node. No rule of the format is here.
//!
//! | file | boundary type |
//! |---|---|
//! | `text.rs` | strings: JSON text, and text that may hold lone surrogates |
//! | `error.rs` | errors, as plain `Error` objects without a code |
//! | `manager.rs`, `tree.rs` | the class `SessionManager` |
//! | `branch.rs` | the plan of a branched session |
//! | `functions.rs` | functions on callers' own arrays, and on paths |
//! | `health.rs` | looking at files and mending them |
//! | `list.rs` | session files and what a list shows of them, off the main thread |

mod branch;
mod error;
mod functions;
mod health;
mod list;
mod manager;
mod memory;
mod text;
mod tree;

/// Stands for "no such entry" where a number is expected.
pub const NONE: u32 = u32::MAX;

/// Stands for "done, but more happened than that": see `SessionManager::take_news`.
pub const NEWS: u32 = u32::MAX - 1;
