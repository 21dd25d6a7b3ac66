//! Where sessions live: agent directory, project directories, and paths as callers give them.

use std::path::{Component, Path, PathBuf};

use uuid::Uuid;

use crate::error::Error;
use crate::{Result, json};

/// The longest name of a file that common file systems take, in bytes.
pub const LONGEST_NAME: usize = 255;

/// The environment variable that names the agent directory of the application `app`.
pub fn agent_dir_variable(app: &str) -> String {
    format!("{}_CODING_AGENT_DIR", app.to_uppercase())
}

/// The agent directory: the one `given` (by the host or the environment variable, `~` expanded),
/// else `agent` in the application's own directory under `home`.
pub fn agent_dir(
    app: &str,
    config_dir: Option<&str>,
    given: Option<&str>,
    home: &str,
) -> Result<String> {
    match given {
        Some(given) if !given.is_empty() => resolve(given, home),
        _ => {
            let config_dir = config_dir.map_or_else(|| format!(".{app}"), str::to_owned);
            let path = Path::new(home).join(config_dir).join("agent");
            resolve(&path.to_string_lossy(), home)
        }
    }
}

/// The directory of all projects' sessions.
pub fn sessions_dir(agent_dir: &str) -> PathBuf {
    Path::new(agent_dir).join("sessions")
}

/// The directory of the sessions of the project in `cwd` (resolved).
pub fn project_dir(agent_dir: &str, cwd: &str) -> PathBuf {
    sessions_dir(agent_dir).join(project_name(cwd))
}

/// The name of a project's directory: its path with separators and colons turned into `-`.
/// Should that be longer than a name may be, it is cut, and a hash of all of it takes the rest.
fn project_name(cwd: &str) -> String {
    let inner = cwd.strip_prefix(['/', '\\']).unwrap_or(cwd);
    let name = format!("--{}--", inner.replace(['/', '\\', ':'], "-"));
    if name.len() <= LONGEST_NAME {
        return name;
    }
    let hash = Uuid::new_v5(&Uuid::NAMESPACE_URL, name.as_bytes()).simple().to_string();
    let room = LONGEST_NAME - hash.len() - "---".len();
    let kept = name.char_indices().map(|(at, _)| at).take_while(|&at| at <= room).last();
    format!("{}-{hash}--", &name[..kept.unwrap_or(0)])
}

/// Whether a session whose header names `header_cwd` belongs to the project in `cwd`. Different
/// projects may share a directory name; a header without a working directory belongs to each.
pub fn belongs(header_cwd: Option<&[u8]>, cwd: &str) -> bool {
    let Some(other) = header_cwd.filter(|other| !other.is_empty()) else {
        return true;
    };
    let other = String::from_utf8_lossy(other);
    let other = clean(Path::new(&*other)).to_string_lossy().into_owned();
    let same =
        if cfg!(windows) { other.to_lowercase() == cwd.to_lowercase() } else { other == cwd };
    same || project_name(&other) != project_name(cwd)
}

/// A path as a caller gave it, made absolute: `~` is `home`, what is relative starts at the
/// working directory. The empty path stays empty.
pub fn resolve(path: &str, home: &str) -> Result<String> {
    if path.is_empty() {
        return Ok(String::new());
    }
    let expanded = expand(path, home);
    let absolute = std::path::absolute(&expanded).map_err(Error::io("resolve", &expanded))?;
    Ok(clean(&absolute).to_string_lossy().into_owned())
}

fn expand(path: &str, home: &str) -> PathBuf {
    match path.strip_prefix('~') {
        Some("") => PathBuf::from(home),
        Some(rest) if rest.starts_with('/') || (cfg!(windows) && rest.starts_with('\\')) => {
            Path::new(home).join(&rest[1..])
        }
        _ => PathBuf::from(path),
    }
}

/// Takes out `.` and `..` as text, without asking the file system.
fn clean(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// A path as JSON text.
pub fn quoted(path: &Path) -> Vec<u8> {
    json::quote(path.to_string_lossy().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_path_with_dashes() {
        assert_eq!(project_name("/home/u/p"), "--home-u-p--");
        assert_eq!(project_name("C:\\w\\p"), "--C--w-p--");
        assert_eq!(project_name("/"), "----");
    }

    #[test]
    fn long_names_are_cut_and_told_apart() {
        let long = format!("/{}", "目".repeat(200));
        let name = project_name(&long);
        assert!(name.len() <= LONGEST_NAME && name.len() > 240, "{}", name.len());
        assert_eq!(name, project_name(&long));
        assert_ne!(name, project_name(&format!("{long}x")));
        let fits = format!("/{}", "a".repeat(251));
        assert_eq!(project_name(&fits).len(), 255);
    }

    #[test]
    fn colliding_projects_do_not_see_each_other() {
        assert!(belongs(Some(b"/q/b-c"), "/q/b-c"));
        assert!(!belongs(Some(b"/q-b/c"), "/q/b-c"));
        assert!(belongs(Some(b"/elsewhere"), "/q/b-c"));
        assert!(belongs(Some(b"/q/b-c/"), "/q/b-c"));
        assert!(belongs(None, "/q/b-c") && belongs(Some(b""), "/q/b-c"));
    }

    #[cfg(unix)]
    #[test]
    fn paths_of_callers_are_made_absolute() {
        let of = |path: &str| resolve(path, "/home/u").unwrap();
        assert_eq!(of("~"), "/home/u");
        assert_eq!(of("~/x/../y/"), "/home/u/y");
        assert_eq!(of("/a//b/./c"), "/a/b/c");
        assert_eq!(of("/../a"), "/a");
        assert_eq!(of(""), "");
        let here = std::env::current_dir().unwrap();
        assert_eq!(of("x"), here.join("x").to_string_lossy());
        assert_eq!(of("~x"), here.join("~x").to_string_lossy());
    }

    #[cfg(unix)]
    #[test]
    fn the_host_names_the_agent_directory() {
        let of = |config, given| agent_dir("elyra", config, given, "/home/u").unwrap();
        assert_eq!(of(None, None), "/home/u/.elyra/agent");
        assert_eq!(of(Some(".e"), Some("")), "/home/u/.e/agent");
        assert_eq!(of(Some(".e"), Some("~/d")), "/home/u/d");
        assert_eq!(agent_dir_variable("elyra"), "ELYRA_CODING_AGENT_DIR");
    }
}
