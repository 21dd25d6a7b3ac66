//! Functions on callers' own arrays, and on paths.

use std::path::Path;

use napi::Env;
use napi::bindgen_prelude::Result;
use napi_derive::napi;

use super::error::thrown;
use super::text::{Json, Text};
use super::tree::{ContextPlan, plan_to_js};
use crate::described::{self, Leaf};
use crate::log::{Durability, create_directory};
use crate::{fork, load, place};

/// The plan of the context of callers' entries, one description a line. `last` is the number of
/// the one that stands in for a leaf which is not found.
#[napi(catch_unwind)]
pub fn build_session_context(
    env: Env,
    entries: String,
    #[napi(ts_arg_type = "(string | null)[] | null")] keys: Option<Vec<Option<Text>>>,
    #[napi(ts_arg_type = "string | null")] leaf: Option<Text>,
    before_all: bool,
    last: i64,
) -> Result<ContextPlan> {
    let lines: Vec<&[u8]> = entries.lines().map(str::as_bytes).collect();
    let keys: Option<Vec<_>> =
        keys.map(|keys| keys.into_iter().map(|key| key.map(|k| k.0)).collect());
    let leaf = match before_all {
        true => Leaf::BeforeAll,
        false => Leaf::At(leaf.as_ref().map(|id| &id.0[..]), u32::try_from(last).ok()),
    };
    let (plan, settings) = thrown(env, described::context_of(&lines, keys.as_deref(), &leaf))?;
    Ok(plan_to_js(&plan, settings))
}

/// What a migration does to callers' objects, one description a line: see `migration_of` in the
/// core.
#[napi(catch_unwind, ts_return_type = "string")]
pub fn migrate_session_entries(env: Env, entries: String) -> Result<Json> {
    let lines: Vec<&[u8]> = entries.lines().map(str::as_bytes).collect();
    thrown(env, described::migration_of(&lines)).map(Json)
}

/// The objects of a session file, header first, as JSON arrays of a few megabytes each.
#[napi(catch_unwind, ts_return_type = "string[]")]
pub fn load_entries_from_file(env: Env, path: String) -> Result<Vec<Json>> {
    const ARRAY: usize = 4 << 20;
    let mut arrays: Vec<Vec<u8>> = Vec::new();
    let read = load::for_each_object(Path::new(&path), |object| match arrays.last_mut() {
        Some(array) if array.len() + object.len() < ARRAY => {
            array.push(b',');
            array.extend_from_slice(object);
        }
        _ => arrays.push([b"[", object].concat()),
    });
    thrown(env, read)?;
    Ok(arrays.into_iter().map(|array| Json([&array[..], b"]"].concat())).collect())
}

/// A path as a caller gave it, made absolute; `~` is `home`.
#[napi(catch_unwind)]
pub fn resolve_path(env: Env, path: String, home: String) -> Result<String> {
    thrown(env, place::resolve(&path, &home))
}

/// The environment variable that names the agent directory of an application.
#[napi(catch_unwind)]
pub fn agent_dir_variable(app: String) -> String {
    place::agent_dir_variable(&app)
}

/// The agent directory of an application.
#[napi(catch_unwind)]
pub fn agent_dir(
    env: Env,
    app: String,
    config_dir: Option<String>,
    given: Option<String>,
    home: String,
) -> Result<String> {
    thrown(env, place::agent_dir(&app, config_dir.as_deref(), given.as_deref(), &home))
}

/// The directory of a project's sessions.
#[napi(catch_unwind)]
pub fn project_dir(agent_dir: String, cwd: String) -> String {
    place::project_dir(&agent_dir, &cwd).to_string_lossy().into_owned()
}

/// Makes a directory, and those above it, if it is not there.
#[napi(catch_unwind)]
pub fn make_directory(env: Env, path: String) -> Result<()> {
    let path = Path::new(&path);
    if path.exists() { Ok(()) } else { thrown(env, create_directory(path, Durability::None)) }
}

/// Forks a session. Returns the new file.
#[napi(catch_unwind)]
pub fn fork_session(
    env: Env,
    source: String,
    cwd: String,
    dir: String,
    app: String,
    durability: String,
) -> Result<String> {
    let target = thrown(
        env,
        fork::fork(
            Path::new(&source),
            &cwd,
            Path::new(&dir),
            &app,
            super::manager::durability(&durability),
        ),
    )?;
    Ok(target.to_string_lossy().into_owned())
}
