//! The class `SessionManager`: sessions, entries and appending.

use std::path::Path;

use napi::Env;
use napi::bindgen_prelude::{Result, Uint32Array};
use napi_derive::napi;

use super::error::thrown;
use super::memory::Reported;
use super::text::{Json, Text};
use super::{NEWS, NONE};
use crate::header::Fresh;
use crate::log::Durability;
use crate::rewrite::UndefinedMember;
use crate::session::{Appended, BranchPlan, Home, Opened, Session};

/// The core's side of a session manager. The public class of `lib/` holds the objects.
#[napi(js_name = "SessionManager", custom_finalize)]
pub struct SessionManager {
    pub(super) session: Session,
    pub(super) branch_plan: Option<BranchPlan>,
    fresh: Option<Fresh>,
    undefined: Vec<UndefinedMember>,
    pub(super) reported: Reported,
}

/// The settings of a manager; paths are resolved.
#[napi(object, object_to_js = false)]
pub struct HomeSettings {
    /// The name of the host application.
    pub app: String,
    /// The working directory of new sessions. Without it, that of the opened session's header,
    /// or of the process.
    pub cwd: Option<String>,
    /// The directory of new sessions.
    pub dir: String,
    /// Whether sessions are kept in files.
    pub persist: bool,
    /// `none` or `fsync`.
    pub durability: String,
}

/// What happened beyond what was asked for.
#[napi(object, object_from_js = false)]
pub struct News {
    /// The number of the entry that was appended.
    pub entry: u32,
    /// For each entry there was, the number it now has.
    #[napi(ts_type = "Uint32Array | undefined")]
    pub moved: Option<Uint32Array>,
    /// The id that the appended entry was given instead of its own.
    pub new_id: Option<String>,
    /// Whether the header is now the one in the file.
    pub new_header: bool,
}

/// Texts of entries.
#[napi(object, object_from_js = false)]
pub struct Texts {
    /// A JSON array of the entries.
    #[napi(ts_type = "string")]
    pub array: Json,
    /// How many they are.
    pub count: u32,
}

/// The version of the format that is written.
#[napi]
pub const CURRENT_SESSION_VERSION: u32 = crate::header::CURRENT_VERSION;

/// The core's durability of that name.
pub fn durability(name: &str) -> Durability {
    if name == "fsync" { Durability::Fsync } else { Durability::None }
}

#[napi]
impl SessionManager {
    /// Opens the session file at `path`, or starts a new session.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        env: Env,
        home: HomeSettings,
        path: Option<String>,
        id: Option<String>,
    ) -> Result<Self> {
        let from_header = home.cwd.is_none();
        let cwd = home
            .cwd
            .or_else(|| std::env::current_dir().ok().map(|d| d.to_string_lossy().into_owned()));
        let home = Home {
            app: home.app,
            cwd: cwd.unwrap_or_default(),
            dir: home.dir,
            persist: home.persist,
            durability: durability(&home.durability),
        };
        let (session, opened) = match path {
            Some(path) => thrown(env, Session::open(home, Path::new(&path), from_header))?,
            None => {
                let (session, fresh) = thrown(env, Session::create(home, id.as_deref()))?;
                (session, Opened::New(fresh))
            }
        };
        let mut manager = SessionManager {
            session,
            branch_plan: None,
            fresh: None,
            undefined: Vec::new(),
            reported: Reported::default(),
        };
        manager.turned_to(opened);
        manager.report(env);
        Ok(manager)
    }

    fn report(&mut self, env: Env) {
        self.reported.update(env, self.session.tree().heap_bytes());
    }

    fn turned_to(&mut self, opened: Opened) {
        self.branch_plan = None;
        (self.fresh, self.undefined) = match opened {
            Opened::New(fresh) => (Some(fresh), Vec::new()),
            Opened::Existing(undefined) => (None, undefined),
        };
    }

    pub(super) fn branched(&mut self, fresh: Fresh) {
        self.turned_to(Opened::New(fresh));
    }

    /// Turns to another session file.
    #[napi(catch_unwind)]
    pub fn set_session_file(&mut self, env: Env, path: String) -> Result<()> {
        let opened = thrown(env, self.session.set_session_file(Path::new(&path)))?;
        self.turned_to(opened);
        self.report(env);
        Ok(())
    }

    /// Turns to a new session.
    #[napi(catch_unwind)]
    pub fn new_session(&mut self, env: Env, id: Option<String>) -> Result<()> {
        let fresh = thrown(env, self.session.new_session(id.as_deref()))?;
        self.turned_to(Opened::New(fresh));
        self.report(env);
        Ok(())
    }

    /// The members of a new header that the core decides, or nothing if the header was read.
    #[napi(catch_unwind, ts_return_type = "string | null")]
    pub fn get_new_header(&self) -> Option<Json> {
        self.fresh.as_ref().map(|fresh| Json(fresh.members()))
    }

    /// The header as it is in the file.
    #[napi(catch_unwind, ts_return_type = "string | null")]
    pub fn get_header(&self) -> Option<Json> {
        self.session.header().map(|text| Json(text.to_vec()))
    }

    /// Entries whose migration gave them a member that holds `undefined`: a JSON array of
    /// `[number, entry]`, in which the member `firstKeptEntryId` holds null.
    #[napi(catch_unwind, ts_return_type = "string | null")]
    pub fn take_undefined_members(&mut self) -> Option<Json> {
        let members = std::mem::take(&mut self.undefined);
        let pair =
            |m: UndefinedMember| [format!("[{},", m.entry).as_bytes(), &m.text, b"]"].concat();
        let pairs: Vec<_> = members.into_iter().map(pair).collect();
        (!pairs.is_empty()).then(|| Json([b"[", &pairs.join(&b',')[..], b"]"].concat()))
    }

    /// The working directory of new sessions.
    #[napi(catch_unwind)]
    pub fn get_cwd(&self) -> String {
        self.session.home().cwd.clone()
    }

    /// The session's id.
    #[napi(catch_unwind, ts_return_type = "string")]
    pub fn get_session_id(&self) -> Text {
        Text(self.session.id().to_vec())
    }

    /// The session's file.
    #[napi(catch_unwind)]
    pub fn get_session_file(&self) -> Option<String> {
        self.session.path().map(|path| path.to_string_lossy().into_owned())
    }

    /// Whether the session is in its file, so that entries are appended as whole lines.
    #[napi(catch_unwind)]
    pub fn is_written(&self) -> bool {
        self.session.is_written()
    }

    /// An id that no entry has.
    #[napi(catch_unwind)]
    pub fn fresh_id(&self) -> String {
        self.session.fresh_id()
    }

    /// Appends an entry: its line (`whole`), or its description while the session is not written.
    /// Returns its number, 0xffffffff if the session has to be written whole, or 0xfffffffe if
    /// there is news.
    #[napi(catch_unwind)]
    pub fn append(&mut self, env: Env, entry: String, whole: bool) -> Result<u32> {
        let appended = thrown(env, self.session.append(entry.as_bytes(), whole))?;
        self.report(env);
        match appended {
            Appended::Done(number) => Ok(self.unless_news(number)),
            Appended::NeedsWhole => Ok(NONE),
        }
    }

    /// Writes the whole session and one more entry. Returns the entry's number, or 0xfffffffe if
    /// there is news.
    #[napi(catch_unwind)]
    pub fn write_whole(
        &mut self,
        env: Env,
        header: String,
        lines: Vec<Option<String>>,
        entry: String,
    ) -> Result<u32> {
        let lines = lines.into_iter().map(|line| line.map(String::into_bytes)).collect();
        let written = self.session.write_whole(header.as_bytes(), lines, entry.as_bytes());
        Ok(self.unless_news(thrown(env, written)?))
    }

    /// Chooses what appends from now on survive: `none` or `fsync`.
    #[napi(catch_unwind)]
    pub fn set_durability(&mut self, name: String) {
        self.session.set_durability(durability(&name));
    }

    /// Takes in what other processes did to the file. Returns whether there is news.
    #[napi(catch_unwind)]
    pub fn refresh(&mut self, env: Env) -> Result<bool> {
        thrown(env, self.session.refresh())?;
        self.report(env);
        Ok(self.session.has_news())
    }

    fn unless_news(&self, number: u32) -> u32 {
        if self.session.has_news() { NEWS } else { number }
    }

    /// What happened since this was last asked.
    #[napi(catch_unwind)]
    pub fn take_news(&mut self) -> News {
        let news = self.session.take_news();
        News {
            entry: self.session.tree().count().saturating_sub(1),
            moved: news.moved.map(Uint32Array::new),
            new_id: news.new_id,
            new_header: news.new_header,
        }
    }

    /// The texts of the first few of these entries.
    #[napi(catch_unwind)]
    pub fn texts(&self, env: Env, numbers: Uint32Array) -> Result<Texts> {
        let batch = thrown(env, self.session.texts(&numbers))?;
        Ok(Texts { array: Json(batch.array), count: batch.count as u32 })
    }

    /// The text of an entry.
    #[napi(catch_unwind, ts_return_type = "string")]
    pub fn text(&self, env: Env, number: u32) -> Result<Json> {
        thrown(env, self.session.text(number)).map(Json)
    }
}
