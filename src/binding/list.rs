//! Session files, and what a list shows of them, off the main thread.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use napi::bindgen_prelude::{AsyncTask, Result};
use napi::{Env, Task};
use napi_derive::napi;

use super::error::rejected;
use super::text::Json;
use crate::catalog::{self, Project};
use crate::place;

fn project(cwd: &Option<String>) -> Project<'_> {
    cwd.as_deref().map_or(Project::Any, Project::In)
}

/// Finds session files.
pub struct FindFiles {
    dir: PathBuf,
    all_projects: bool,
}

impl Task for FindFiles {
    type Output = Vec<String>;
    type JsValue = Vec<String>;

    fn compute(&mut self) -> Result<Self::Output> {
        let find = || match self.all_projects {
            true => catalog::project_files(&self.dir),
            false => catalog::session_files(&self.dir),
        };
        let found = catch_unwind(find).map_err(|_| rejected("Listing session files failed"))?;
        Ok(found.into_iter().map(|path| path.to_string_lossy().into_owned()).collect())
    }

    fn resolve(&mut self, _: Env, output: Self::Output) -> Result<Self::JsValue> {
        Ok(output)
    }
}

/// The session files in a directory, by name.
#[napi(catch_unwind, ts_return_type = "Promise<string[]>")]
pub fn session_files(dir: String) -> AsyncTask<FindFiles> {
    AsyncTask::new(FindFiles { dir: PathBuf::from(dir), all_projects: false })
}

/// The session files of all projects.
#[napi(catch_unwind, ts_return_type = "Promise<string[]>")]
pub fn project_files(agent_dir: String) -> AsyncTask<FindFiles> {
    AsyncTask::new(FindFiles { dir: place::sessions_dir(&agent_dir), all_projects: true })
}

/// Reads what a list shows of one session.
pub struct ReadInfo {
    path: PathBuf,
    cwd: Option<String>,
}

impl Task for ReadInfo {
    type Output = Option<Vec<u8>>;
    type JsValue = Option<Json>;

    fn compute(&mut self) -> Result<Self::Output> {
        catch_unwind(|| catalog::read_info(&self.path, project(&self.cwd)))
            .map_err(|_| rejected("Reading a session file failed"))
    }

    fn resolve(&mut self, _: Env, output: Self::Output) -> Result<Self::JsValue> {
        Ok(output.map(Json))
    }
}

/// What a list shows of a session, as JSON text (see `read_info` in the core); null if the file
/// is no session, or not one of the project in `cwd`.
#[napi(catch_unwind, ts_return_type = "Promise<string | null>")]
pub fn read_session_info(path: String, cwd: Option<String>) -> AsyncTask<ReadInfo> {
    AsyncTask::new(ReadInfo { path: PathBuf::from(path), cwd })
}

/// The newest session file in a directory, among those of the project in `cwd` if that is given.
#[napi(catch_unwind)]
pub fn find_most_recent_session(dir: String, cwd: Option<String>) -> Option<String> {
    let found = catalog::most_recent(Path::new(&dir), project(&cwd));
    found.map(|path| path.to_string_lossy().into_owned())
}
