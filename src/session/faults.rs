//! Every file operation of every way to write fails once: old state or new state, never a mix, and
//! memory like the file.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Appended, Home, Session};
use crate::fork::fork;
use crate::log::Durability;
use crate::log::trouble::{Trouble, with_trouble};
use crate::repair::repair;
use crate::{Result, load};

const USER: &str = r#""type":"message","message":{"role":"user","content":"a prompt that is long enough to be cut"}"#;
const CUSTOM: &str = r#""type":"custom","customType":"c","data":1"#;

/// EIO, ENOSPC, EINTR, EDQUOT, EPERM.
const ERRNOS: [i32; 5] = [5, 28, 4, 122, 1];

fn home(dir: &Path, durability: Durability) -> Home {
    let dir = dir.to_string_lossy().into_owned();
    Home { app: "elyra".into(), cwd: "/w".into(), dir, persist: true, durability }
}

fn entry(session: &Session, id: &str, members: &str) -> String {
    let tree = session.tree();
    let parent = tree.leaf().map_or(b"null".to_vec(), |slot| tree.ids.json(slot));
    let parent = String::from_utf8(parent).unwrap();
    format!(
        r#"{{"id":"{id}","parentId":{parent},"timestamp":"2026-01-01T00:00:00.000Z",{members}}}"#
    )
}

/// Appends as the face does.
fn append(session: &mut Session, id: &str, members: &str) -> Result<()> {
    let text = entry(session, id, members);
    match session.append(text.as_bytes(), session.is_written())? {
        Appended::Done(_) => Ok(()),
        Appended::NeedsWhole => {
            let header = br#"{"type":"session","version":3,"id":"h1","timestamp":"t","cwd":"/w"}"#;
            let held = session.tree().count();
            let lines = (0..held).map(|n| session.text(n).ok().filter(|_| !session.is_whole(n)));
            let lines = lines.collect();
            session.write_whole(header, lines, text.as_bytes()).map(drop)
        }
    }
}

/// What can be seen of a session: ids in order, leaf, and whether it is written.
fn seen(session: &Session) -> (Vec<Vec<u8>>, Option<Vec<u8>>, bool) {
    let tree = session.tree();
    let ids = tree.entries.iter().map(|entry| tree.id_text(entry.slot)).collect();
    (ids, tree.leaf().map(|slot| tree.id_text(slot)), session.is_written())
}

fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = paths.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    files.sort();
    files
}

fn ids_in(path: &Path) -> Vec<Vec<u8>> {
    let tree = load::load(path, "elyra").unwrap().unwrap().index.tree;
    tree.entries.iter().map(|entry| tree.id_text(entry.slot)).collect()
}

/// Runs `act` on a session made by `set_up`, once for each of its operations and each trouble.
fn each_fault(
    set_up: impl Fn(&Path, Durability) -> Session,
    act: impl Fn(&mut Session) -> Result<()>,
) {
    let mut runs = 0;
    for durability in [Durability::None, Durability::Fsync] {
        for trouble in ERRNOS.into_iter().flat_map(|e| [Trouble::Errno(e), Trouble::Short(e)]) {
            for at in 0.. {
                let dir = tempfile::tempdir().unwrap();
                let mut session = set_up(dir.path(), durability);
                let (before, files_before) = (seen(&session), files(dir.path()));
                let (result, came) = with_trouble(at, trouble, || act(&mut session));
                let what = format!("{trouble:?} at operation {at}, {durability:?}: {result:?}");
                if result.is_err() {
                    assert_eq!(seen(&session), before, "{what}");
                    assert_eq!(files(dir.path()), files_before, "{what}");
                    act(&mut session).unwrap();
                }
                let path = session.path().unwrap();
                assert_eq!(ids_in(path), seen(&session).0, "{what}");
                assert!(fs::read(path).unwrap().ends_with(b"\n"), "{what}");
                append(&mut session, "after001", CUSTOM).unwrap();
                assert_eq!(ids_in(session.path().unwrap()), seen(&session).0, "{what}");
                runs += 1;
                if !came {
                    break;
                }
            }
        }
    }
    assert!(runs > 50, "{runs} runs");
}

fn written(dir: &Path, durability: Durability) -> Session {
    let mut session = Session::create(home(dir, durability), None).unwrap().0;
    append(&mut session, "00000001", USER).unwrap();
    append(&mut session, "00000002", CUSTOM).unwrap();
    session
}

#[test]
fn append_of_a_line() {
    each_fault(written, |session| append(session, "00000003", USER));
}

#[test]
fn append_behind_a_torn_line_and_lines_of_others() {
    let torn = |dir: &Path, durability| {
        let session = written(dir, durability);
        let path = session.path().unwrap();
        let mut text = fs::read_to_string(path).unwrap();
        text += "{\"type\":\"custom\",\"id\":\"foreign1\",\"parentId\":null,\"timestamp\":\"t\"}\n{\"type\":\"mess";
        fs::write(path, text).unwrap();
        // What others wrote is part of the session whatever becomes of our append.
        let mut session = Session::open(home(dir, durability), path, false).unwrap().0;
        session.refresh().unwrap();
        session
    };
    each_fault(torn, |session| append(session, "00000003", USER));
}

#[test]
fn first_write() {
    let begun = |dir: &Path, durability| {
        let mut session = Session::create(home(dir, durability), None).unwrap().0;
        append(&mut session, "00000001", CUSTOM).unwrap();
        session
    };
    each_fault(begun, |session| append(session, "00000002", USER));
}

#[test]
fn first_write_where_another_session_came_before() {
    let begun = |dir: &Path, durability| {
        let mut session = Session::create(home(dir, durability), None).unwrap().0;
        append(&mut session, "00000001", CUSTOM).unwrap();
        let other = "{\"type\":\"session\",\"version\":3,\"id\":\"h2\"}\n{\"type\":\"custom\",\"id\":\"foreign1\",\"parentId\":null,\"timestamp\":\"t\"}\n";
        fs::write(session.path().unwrap(), other).unwrap();
        session
    };
    each_fault(begun, |session| append(session, "00000002", USER));
}

#[test]
fn a_deleted_file_is_written_again() {
    let deleted = |dir: &Path, durability| {
        let session = written(dir, durability);
        fs::remove_file(session.path().unwrap()).unwrap();
        session
    };
    each_fault(deleted, |session| append(session, "00000003", USER));
}

#[test]
fn a_branch_as_a_session_of_its_own() {
    each_fault(written, |session| {
        let plan = session.plan_branch(None, b"").unwrap();
        session.create_branched_session(&plan, &plan.fresh.line("/w", None), Vec::new())
    });
}

/// Runs `act` on a file, once for each of its operations and each trouble. An error leaves the
/// file as it was and nothing beside it.
fn each_fault_of_a_file(content: &str, act: impl Fn(&Path) -> Result<()>, whole: impl Fn(&Path)) {
    for trouble in ERRNOS.into_iter().flat_map(|e| [Trouble::Errno(e), Trouble::Short(e)]) {
        for at in 0.. {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("s.jsonl");
            fs::write(&path, content).unwrap();
            let (result, came) = with_trouble(at, trouble, || act(&path));
            let what = format!("{trouble:?} at operation {at}: {result:?}");
            if result.is_err() {
                assert_eq!(
                    files(dir.path()),
                    [(path.clone(), content.as_bytes().to_vec())],
                    "{what}"
                );
                act(&path).unwrap();
            }
            whole(&path);
            if !came {
                break;
            }
        }
    }
}

const OLD: &str = "{\"type\":\"session\",\"id\":\"h1\"}\n{bad\n{\"type\":\"message\",\"timestamp\":\"t\",\"message\":{\"role\":\"user\"}}\n";

#[test]
fn migration() {
    let open = |path: &Path| {
        let (session, _) =
            Session::open(home(path.parent().unwrap(), Durability::None), path, true)?;
        assert_eq!(session.tree().count(), 1);
        Ok(())
    };
    each_fault_of_a_file(OLD, open, |path| {
        // What could not be migrated in its place is migrated in memory; the file is old or new.
        let text = fs::read_to_string(path).unwrap();
        assert!(
            text == OLD
                || (text.contains("\"version\":3")
                    && text.contains("\n{bad\n")
                    && ids_in(path).len() == 1)
        );
    });
}

#[test]
fn a_fork() {
    let work = |path: &Path| {
        let dir = path.parent().unwrap();
        fork(path, "/w", dir, "elyra", Durability::Fsync).map(drop)
    };
    each_fault_of_a_file(OLD, work, |path| {
        let forks = files(path.parent().unwrap());
        for (fork, content) in &forks {
            assert!(fork == path || ids_in(fork).len() == 1, "{forks:?}");
            assert!(fork != path || content == OLD.as_bytes(), "{forks:?}");
        }
        assert_eq!(forks.len(), 2);
    });
}

#[test]
fn a_repair() {
    let damaged = "{\"type\":\"session\",\"version\":3,\"id\":\"h1\"}\nx{\"type\":\"custom\",\"id\":\"a\",\"parentId\":null,\"timestamp\":\"t\"}\n{bad";
    let work = |path: &Path| repair(path, "elyra").map(drop);
    each_fault_of_a_file(damaged, work, |path| {
        assert!(!fs::read_to_string(path).unwrap().contains("{bad"));
        assert_eq!(ids_in(path), [b"a"]);
    });
}
