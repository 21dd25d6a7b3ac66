// Section 5, rules 7 and 8: files that change under an open manager, and rewrites.
import assert from "node:assert/strict";
import { appendFileSync, chmodSync, existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, ids, naming, seen, throwsPlain } from "./support/claims.mjs";
import { A, H, H1, L, U, assistant, old, user } from "./support/entries.mjs";
import { line, lines, records, session, untouched, writeSession } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

const three = [H(), U("u1"), A("a1", "u1")];
function opened(t) {
  const path = session(t, ...three);
  return { path, manager: SessionManager.open(path) };
}

test("7: a deleted file is written whole by the next append", (t) => {
  const { path, manager } = opened(t);
  manager.appendMessage(user());
  rmSync(path);
  const id = manager.appendMessage(assistant());
  exactly(records(path).slice(1, 3), [U("u1"), A("a1", "u1")]);
  assert.deepEqual(ids(records(path)), ["h1", ...ids(manager.getEntries())]);
  assert.equal(records(path).at(-1).id, id);
});

test("7: what was never asked for before the file was deleted is still there", (t) => {
  const { path, manager } = opened(t);
  rmSync(path);
  exactly(manager.getEntries(), three.slice(1));
});

test("7: a file renamed away is left, and the path written anew", (t) => {
  const { path, manager } = opened(t);
  renameSync(path, `${path}.away`);
  const id = untouched(`${path}.away`, () => manager.appendMessage(user()));
  assert.deepEqual(ids(records(path)), ["h1", "u1", "a1", id]);
});

test("7: a file with another header id in its place: the append throws and changes nothing", (t) => {
  const { path, manager } = opened(t);
  rmSync(path);
  writeSession(path, H({ id: "h2" }), U("x1"));
  const before = seen(manager);
  untouched(path, () => throwsPlain(() => manager.appendMessage(user()), naming(path)));
  assert.deepEqual(seen(manager), before);
});

test("7: no session in its place: the append throws and changes nothing", (t) => {
  const { path, manager } = opened(t);
  const before = seen(manager);
  rmSync(path);
  writeFileSync(path, "dear diary\n");
  untouched(path, () => throwsPlain(() => manager.appendMessage(user()), naming(path)));
  assert.deepEqual(seen(manager), before);
});

test("7: the same session in a new file is followed", (t) => {
  const { path, manager } = opened(t);
  writeSession(`${path}.new`, ...three, U("x1", "a1"));
  renameSync(`${path}.new`, path);
  const id = manager.appendMessage(user());
  assert.deepEqual(ids(records(path)), ["h1", "u1", "a1", "x1", id]);
  assert.deepEqual(ids(manager.getEntries()), ["u1", "a1", "x1", id]);
  assert.equal(manager.getEntry(id).parentId, "a1");
});

test("7: lines that another process appended stay and join the tree; the leaf stays ours", (t) => {
  const { path, manager } = opened(t);
  appendFileSync(path, `${line(U("x1", "a1"))}\n${line(L("x2", "x1", "u1", "theirs"))}\n`);
  const id = manager.appendMessage(user());
  assert.deepEqual(ids(records(path)), ["h1", "u1", "a1", "x1", "x2", id]);
  assert.deepEqual(ids(manager.getEntries()), ["u1", "a1", "x1", "x2", id]);
  assert.equal(manager.getEntry(id).parentId, "a1");
  assert.equal(manager.getLeafId(), id);
  assert.deepEqual(ids(manager.getBranch()), ["u1", "a1", id]);
  assert.deepEqual(ids(manager.getChildren("a1")), ["x1", id]);
  assert.equal(manager.getLabel("u1"), "theirs");
  exactly(manager.getEntry("x1"), U("x1", "a1"));
});

test("7: a torn line that another process left is closed off, nothing glued onto it", (t) => {
  const { path, manager } = opened(t);
  manager.appendMessage(user());
  appendFileSync(path, '{"type":"mess');
  const id = manager.appendMessage(user());
  assert.equal(lines(path).at(-2), '{"type":"mess');
  assert.equal(JSON.parse(lines(path).at(-1)).id, id);
});

test("7: two managers on one file keep each other's entries", (t) => {
  const { path, manager } = opened(t);
  const other = SessionManager.open(path);
  const appended = [];
  for (let i = 0; i < 10; i++) appended.push(manager.appendMessage(user()), other.appendMessage(user()));
  assert.deepEqual(ids(records(path)).slice(3), appended);
  assert.equal(manager.getBranch().length, 12);
  assert.equal(other.getBranch().length, 12);
  assert.deepEqual(ids(other.getEntries()), ids(records(path)).slice(1));
});

test("7: reading alone does not take in what another process appended", (t) => {
  const { path, manager } = opened(t);
  appendFileSync(path, `${line(U("x1", "a1"))}\n`);
  assert.deepEqual(ids(manager.getEntries()), ["u1", "a1"]);
});

test("8: a migration keeps the mode and leaves nothing else in the directory", (t) => {
  for (const mode of [0o600, 0o640]) {
    const path = session(t, H1(), old(U("u")));
    chmodSync(path, mode);
    SessionManager.open(path);
    assert.equal(records(path)[0].version, 3);
    assert.equal(statSync(path).mode & 0o777, mode);
    assert.deepEqual(readdirSync(dirname(path)), ["s.jsonl"]);
  }
});

test("8: a file whose name is as long as names can be is migrated", (t) => {
  const path = writeSession(join(tempDir(t), `${"x".repeat(249)}.jsonl`), H1(), old(U("u")));
  SessionManager.open(path);
  assert.equal(records(path)[0].version, 3);
});

test("8: a manager goes on appending to the file it migrated", (t) => {
  const path = session(t, H1(), old(U("u")));
  const manager = SessionManager.open(path);
  const id = manager.appendMessage(user());
  assert.equal(records(path).at(-1).id, id);
  assert.equal(records(path).length, 3);
  assert.deepEqual(ids(SessionManager.open(path).getEntries()), ids(manager.getEntries()));
});

test("8: a migration keeps line by line what it does not change", (t) => {
  const odd = '{"type":"odd" ,  "id":"o1","parentId":null,"timestamp":"x","n":1.0e2,"\\u0061":1}';
  const path = session(t, H({ version: 2 }), odd, "{bad", "", "null", U("u1", "o1"));
  SessionManager.open(path);
  assert.ok(lines(path).includes("{bad"));
  assert.ok(lines(path).includes("null"));
  assert.deepEqual(JSON.parse(lines(path).find((each) => each.includes('"odd"'))), JSON.parse(odd));
});

test("8: forks and branches leave nothing but themselves", (t) => {
  const { path, manager } = opened(t);
  const branched = manager.createBranchedSession("a1");
  const fork = SessionManager.forkFrom(path, "/x", dirname(path)).getSessionFile();
  assert.equal(readdirSync(dirname(path)).length, 3);
  for (const each of [path, branched, fork]) assert.ok(existsSync(each));
});
