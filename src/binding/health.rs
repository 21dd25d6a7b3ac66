//! Looking at session files and mending them, off the main thread; what is odd about an open one.

use std::panic::catch_unwind;
use std::path::PathBuf;

use napi::bindgen_prelude::{AsyncTask, Result};
use napi::{Env, Task};
use napi_derive::napi;

use super::error::rejected;
use super::manager::SessionManager;
use super::text::Json;
use crate::json::quote;
use crate::repair::{Repaired, repair};
use crate::verify::{Problem, Report, verify};

/// Verifies, or repairs, a session file.
pub struct Examine {
    path: PathBuf,
    app: String,
    mend: bool,
}

impl Task for Examine {
    type Output = Vec<u8>;
    type JsValue = Json;

    fn compute(&mut self) -> Result<Self::Output> {
        let work = || match self.mend {
            true => repair(&self.path, &self.app).map(|done| repaired_to_json(&done)),
            false => verify(&self.path, &self.app).map(|report| report_to_json(&report)),
        };
        let done = catch_unwind(work);
        done.map_err(|_| rejected("Examining a session file failed"))?.map_err(rejected)
    }

    fn resolve(&mut self, _: Env, output: Self::Output) -> Result<Self::JsValue> {
        Ok(Json(output))
    }
}

/// The problems of a session file, as JSON text.
#[napi(catch_unwind, ts_return_type = "Promise<string>")]
pub fn verify_session(path: String, app: String) -> AsyncTask<Examine> {
    AsyncTask::new(Examine { path: PathBuf::from(path), app, mend: false })
}

/// Mends a session file. What was done, as JSON text.
#[napi(catch_unwind, ts_return_type = "Promise<string>")]
pub fn repair_session(path: String, app: String) -> AsyncTask<Examine> {
    AsyncTask::new(Examine { path: PathBuf::from(path), app, mend: true })
}

/// What is odd about an open session, in numbers: see `Diagnostics` in the core.
#[napi(object, object_from_js = false)]
#[allow(missing_docs)] // the core's words stand for these
pub struct Diagnostics {
    pub damaged_lines: u32,
    pub lines_without_object: u32,
    pub second_headers: u32,
    pub orphans: u32,
    pub cycles: u32,
    pub repeated_ids: u32,
    pub dangling_labels: u32,
    pub dangling_compactions: u32,
}

#[napi]
impl SessionManager {
    /// What is odd about the session, in numbers.
    #[napi(catch_unwind)]
    pub fn get_diagnostics(&self) -> Diagnostics {
        let found = self.session.diagnostics();
        Diagnostics {
            damaged_lines: found.damaged_lines,
            lines_without_object: found.lines_without_object,
            second_headers: found.second_headers,
            orphans: found.orphans,
            cycles: found.cycles,
            repeated_ids: found.repeated_ids,
            dangling_labels: found.dangling_labels,
            dangling_compactions: found.dangling_compactions,
        }
    }
}

fn problems_to_json(problems: &[Problem]) -> Vec<u8> {
    let problem = |p: &Problem| {
        let grade = if p.fault.is_damage() { "damage" } else { "note" };
        let head = format!(
            r#"{{"kind":"{}","grade":"{grade}","offset":{},"line":{}"#,
            p.fault.name(),
            p.offset,
            p.line
        );
        let id = p.id.as_ref().map(|id| [b",\"id\":", &quote(id)[..]].concat()).unwrap_or_default();
        [head.as_bytes(), &id, b"}"].concat()
    };
    let problems: Vec<_> = problems.iter().map(problem).collect();
    [b"[", &problems.join(&b',')[..], b"]"].concat()
}

fn report_to_json(report: &Report) -> Vec<u8> {
    let head = format!("{{\"entries\":{},\"problems\":", report.entries);
    [head.as_bytes(), &problems_to_json(&report.problems), b"}"].concat()
}

fn repaired_to_json(done: &Repaired) -> Vec<u8> {
    let backup = done.backup.as_ref().map(|path| crate::place::quoted(path));
    [
        format!("{{\"entries\":{},\"mended\":", done.entries).as_bytes(),
        &problems_to_json(&done.mended),
        b",\"notes\":",
        &problems_to_json(&done.notes),
        b",\"backup\":",
        &backup.unwrap_or_else(|| b"null".to_vec()),
        b"}",
    ]
    .concat()
}
