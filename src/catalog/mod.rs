//! What is known of sessions that are not open.
//!
//! | file | role |
//! |---|---|
//! | `files.rs` | session files of a directory or of all, and the most recent one |
//! | `info.rs` | what a list shows of a session |

mod files;
mod info;

pub use files::{Project, most_recent, project_files, session_files, usable};
pub use info::read_info;
