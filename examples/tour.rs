//! The core without Node: `cargo run --example tour -- FILE [--ids]`.
//!
//! Works on a copy of the file in a new directory and says what it finds. With `--ids` it prints
//! every id, so that a test can compare its answers with those of the addon.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use elyra_session_manager::catalog::{self, Project};
use elyra_session_manager::fork::fork;
use elyra_session_manager::log::Durability;
use elyra_session_manager::session::{Appended, Home, Session};
use elyra_session_manager::time;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let (ids, files): (Vec<_>, Vec<_>) = env::args().skip(1).partition(|arg| arg == "--ids");
    let [file] = &files[..] else {
        return Err("usage: cargo run --example tour -- FILE [--ids]".into());
    };
    let dir = tempfile::Builder::new().prefix("elyra-tour-").tempdir()?.keep();
    let copy = dir.join("session.jsonl");
    fs::copy(file, &copy)?;
    tour(&copy, &dir, !ids.is_empty())
}

fn tour(file: &Path, dir: &Path, ids: bool) -> Result<()> {
    let home = Home {
        app: "elyra".into(),
        cwd: "/work".into(),
        dir: dir.to_string_lossy().into_owned(),
        persist: true,
        durability: Durability::None,
    };
    // An old version is migrated by opening it.
    let (mut session, _) = Session::open(home.clone(), file, true)?;
    show("opened", &session, ids)?;
    println!("header    {}", String::from_utf8_lossy(session.header().unwrap_or_default()));
    println!("damaged   {} lines", session.diagnostics().damaged_lines);

    let start = leaf(&session);
    append(&mut session, r#""type":"message","message":{"role":"user","content":"On a tour."}"#)?;
    append(&mut session, r#""type":"custom","customType":"tour","data":{"step":2}"#)?;
    show("appended", &session, ids)?;

    match &start {
        Some(id) => session.branch(id.as_bytes())?,
        None => session.reset_leaf(),
    }
    append(&mut session, r#""type":"branch_summary","fromId":"root","summary":"Took a tour.""#)?;
    show("branched", &session, ids)?;

    let target = fork(file, "/elsewhere", dir, &home.app, home.durability)?;
    let (forked, _) = Session::open(home, &target, true)?;
    show("forked", &forked, ids)?;

    for path in catalog::session_files(dir) {
        let info = catalog::read_info(&path, Project::Any).unwrap_or_default();
        let messages = elyra_session_manager::json::edit::member(&info, b"messageCount");
        let messages = messages.map_or(b"0".as_slice(), |count| count.bytes());
        println!("listed    {} messages  {}", String::from_utf8_lossy(messages), path.display());
    }
    Ok(())
}

fn leaf(session: &Session) -> Option<String> {
    let tree = session.tree();
    tree.leaf().map(|slot| String::from_utf8_lossy(&tree.id_text(slot)).into_owned())
}

/// Appends an entry with these members of its own at the leaf.
fn append(session: &mut Session, members: &str) -> Result<()> {
    let id = session.fresh_id();
    let parent = leaf(session).map_or("null".into(), |id| format!("\"{id}\""));
    let entry =
        format!(r#"{{"id":"{id}","parentId":{parent},"timestamp":"{}",{members}}}"#, time::now());
    match session.append(entry.as_bytes(), true)? {
        Appended::Done(_) => Ok(()),
        Appended::NeedsWhole => Err("the file was there a moment ago".into()),
    }
}

fn show(step: &str, session: &Session, ids: bool) -> Result<()> {
    let tree = session.tree();
    let id_of = |number: u32| {
        String::from_utf8_lossy(&tree.id_text(tree.entries[number as usize].slot)).into_owned()
    };
    let branch = tree.branch(tree.leaf());
    let plan = session.context();
    println!("\n{step}");
    println!("file      {}", session.path().unwrap_or(Path::new("-")).display());
    println!("entries   {}", tree.count());
    println!("leaf      {}", leaf(session).unwrap_or("-".into()));
    println!("name      {}", String::from_utf8_lossy(&session.name()?.unwrap_or("-".into())));
    println!("branch    {} entries", branch.len());
    println!("context   {} messages", plan.messages.len());
    println!("settings  {}", String::from_utf8_lossy(&session.settings(&plan)?));
    if ids {
        let list = |numbers: &mut dyn Iterator<Item = u32>| {
            numbers.map(id_of).collect::<Vec<_>>().join(" ")
        };
        println!("branch-ids   {}", list(&mut branch.iter().copied()));
        println!("context-ids  {}", list(&mut plan.messages.iter().map(|&(number, _)| number)));
        let how: Vec<_> = plan.messages.iter().map(|(_, how)| format!("{how:?}")).collect();
        println!("context-how  {}", how.join(" "));
    }
    Ok(())
}
