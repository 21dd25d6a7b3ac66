//! What a list shows of a session.

use std::borrow::Cow;
use std::fs::File;
use std::path::Path;

use super::Project;
use super::files::modified_millis;
use crate::entry::{Kind, Role};
use crate::header::{Header, is_session};
use crate::json::{self, Raw, elements};
use crate::line::{self, Fields};
use crate::load::objects;
use crate::log::{Lines, require_regular, with_descriptors};
use crate::place::quoted;
use crate::time;

/// How much text of a session a list holds at most, in bytes as written. What is longer could not
/// become a JavaScript string, and the session would be missing.
const LONGEST_TEXT: usize = 128 << 20;

/// What is gathered while a file is read.
#[derive(Default)]
struct Gathered {
    header: Option<Header>,
    id: Vec<u8>,
    created: Option<Vec<u8>>,
    parent_session: Option<Vec<u8>>,
    name: Option<Vec<u8>>,
    message_count: u32,
    first_message: Vec<u8>,
    all_messages: Vec<u8>,
    last_activity: f64,
    odd_times: Vec<Vec<u8>>,
}

/// What a list shows of the session at `path`, as JSON text. `None` if it is no session file, or
/// none that `project` wants.
///
/// Members are those of the list, where text is not decoded but copied as it is written; times
/// are milliseconds, with the times that only JavaScript can read aside in `oddTimes`. An odd
/// field costs itself, never the session.
pub fn read_info(path: &Path, project: Project<'_>) -> Option<Vec<u8>> {
    let meta = std::fs::metadata(path).ok()?;
    require_regular(path, &meta).ok()?;
    let file = with_descriptors(|| File::open(path)).ok()?;
    let mut gathered = Gathered::default();
    let mut lines = Lines::new(&file, 0);
    // What cannot be read further is shown as far as it could.
    while let Ok(Some(line)) = lines.next() {
        let with_ids = gathered.header.as_ref().map(Header::has_ids);
        let mut is_ours = true;
        objects(line, with_ids, |found| {
            is_ours = gathered.object(found.fields, project);
            Ok(())
        })
        .ok()?;
        if !is_ours {
            return None;
        }
    }
    let modified = modified_millis(&meta);
    gathered.header.is_some().then(|| gathered.to_json(path, modified))
}

impl Gathered {
    /// Takes an object in. Returns whether this still is a session that is wanted.
    fn object(&mut self, fields: &Fields<'_>, project: Project<'_>) -> bool {
        let Some(header) = &self.header else {
            let header = Header::of(fields).filter(|header| project.wants(header.cwd.as_deref()));
            self.id = fields.id.map(|id| id.bytes().to_vec()).unwrap_or_default();
            self.created = fields.timestamp.map(|t| t.bytes().to_vec());
            let parent = fields.parent_session.filter(|parent| parent.is_string());
            self.parent_session = parent.map(|parent| parent.bytes().to_vec());
            self.header = header;
            return self.header.is_some();
        };
        let _ = header;
        match Kind::of(fields.kind) {
            _ if is_session(fields) => {}
            Kind::SessionInfo => {
                let name = fields.name.and_then(Raw::text);
                let name = name.map(|name| json::trim(&name).to_vec());
                self.name = name.filter(|name| !name.is_empty());
            }
            Kind::Message => self.message(fields),
            _ => {}
        }
        true
    }

    fn message(&mut self, fields: &Fields<'_>) {
        self.message_count += 1;
        let Some(message) = &fields.message else {
            return;
        };
        let role = Role::of(message.role);
        let (Role::User | Role::Assistant, Some(content)) = (role, message.content) else {
            return;
        };
        match (message.timestamp.and_then(Raw::number), fields.timestamp) {
            (Some(millis), _) => self.activity(millis),
            (None, Some(timestamp)) if timestamp.is_string() => {
                match timestamp.quoted().map_or(time::ODD, time::millis) {
                    time::ODD => self.odd_times.push(timestamp.bytes().to_vec()),
                    millis => self.activity(millis as f64),
                }
            }
            _ => {}
        }
        let text = text_of(content);
        if text.is_empty() {
            return;
        }
        if self.all_messages.len() + text.len() < LONGEST_TEXT {
            if !self.all_messages.is_empty() {
                self.all_messages.push(b' ');
            }
            self.all_messages.extend_from_slice(&text);
        }
        if self.first_message.is_empty() && role == Role::User {
            self.first_message = text.into_owned();
        }
    }

    fn activity(&mut self, millis: f64) {
        self.last_activity = self.last_activity.max(millis);
    }

    fn to_json(&self, path: &Path, modified: i64) -> Vec<u8> {
        let mut out = b"{\"path\":".to_vec();
        out.extend_from_slice(&quoted(path));
        let mut put = |key: &str, value: &[u8]| {
            out.extend_from_slice(format!(",\"{key}\":").as_bytes());
            out.extend_from_slice(String::from_utf8_lossy(value).as_bytes());
        };
        let cwd = self.header.as_ref().and_then(|header| header.cwd.as_deref());
        let in_quotes = |text: &[u8]| [b"\"", text, b"\""].concat();
        put("id", &self.id);
        put("cwd", &json::quote(cwd.unwrap_or_default()));
        for (key, value) in
            [("created", &self.created), ("parentSessionPath", &self.parent_session)]
        {
            if let Some(value) = value {
                put(key, value);
            }
        }
        if let Some(name) = &self.name {
            put("name", &json::quote(name));
        }
        put("messageCount", self.message_count.to_string().as_bytes());
        put("firstMessage", &in_quotes(&self.first_message));
        put("allMessagesText", &in_quotes(&self.all_messages));
        // Too large for a JSON number is too large for a date.
        let activity = if self.last_activity.is_finite() { self.last_activity } else { f64::MAX };
        put("lastActivity", activity.to_string().as_bytes());
        put("fileModified", modified.to_string().as_bytes());
        put("oddTimes", &[&b"["[..], &self.odd_times.join(&b','), b"]"].concat());
        out.push(b'}');
        out
    }
}

/// The text of a message's content, escaped as it is written: a string, or the texts of its text
/// blocks with spaces between them.
fn text_of(content: Raw<'_>) -> Cow<'_, [u8]> {
    if let Some(quoted) = content.quoted() {
        return quoted.into();
    }
    if !content.is_array() {
        return Cow::Borrowed(b"");
    }
    let bytes = content.bytes();
    let mut texts: Vec<&[u8]> = Vec::new();
    elements(bytes, 0, |at| {
        let (block, end) = Raw::at(bytes, at)?;
        if block.is_object()
            && let Some(block) = line::object(block.bytes(), 0)
            && block.kind.is_some_and(|kind| kind.is(b"text"))
        {
            texts.push(block.text.and_then(Raw::quoted).unwrap_or_default());
        }
        Some(end)
    });
    match texts[..] {
        [only] => only.into(),
        _ => texts.join(&b' ').into(),
    }
}
