import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, ids, throwsPlain } from "./support/claims.mjs";
import { A, H, U, assistant, user } from "./support/entries.mjs";
import { file, records, session, text, touch, untouched, writeSession } from "./support/files.mjs";
import { tempDir, workIn } from "./support/temp.mjs";

test("open reads header and entries and puts the leaf at the last entry", (t) => {
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  const manager = untouched(path, () => SessionManager.open(path));
  exactly(manager.getHeader(), H());
  exactly(manager.getEntries(), [U("u1"), A("a1", "u1")]);
  assert.equal(manager.getSessionId(), "h1");
  assert.equal(manager.getLeafId(), "a1");
  assert.equal(manager.getSessionFile(), path);
  assert.equal(manager.isPersisted(), true);
});

test("open takes the cwd from the header and the directory from the path", (t) => {
  const path = session(t, H({ cwd: "relative/as given" }), U("u1"));
  const manager = SessionManager.open(path);
  assert.equal(manager.getCwd(), "relative/as given");
  assert.equal(manager.getSessionDir(), dirname(path));
});

test("open prefers the directory and the cwd it is given", (t) => {
  const path = session(t, H(), U("u1"));
  const dir = tempDir(t);
  const manager = SessionManager.open(path, dir, "/other");
  assert.equal(manager.getSessionDir(), dir);
  assert.equal(manager.getCwd(), "/other");
  assert.equal(manager.getHeader().cwd, "/w");
  assert.equal(dirname(manager.newSession()), dir);
  assert.equal(manager.getHeader().cwd, "/other");
});

test("open with null as directory and cwd takes the file's own", (t) => {
  const path = session(t, H(), U("u1"));
  const manager = SessionManager.open(path, null, null);
  assert.equal(manager.getSessionDir(), dirname(path));
  assert.equal(manager.getCwd(), "/w");
});

test('open with "" as cwd override keeps it', (t) => {
  assert.equal(SessionManager.open(session(t, H(), U("u1")), undefined, "").getCwd(), "");
});

for (const cwd of [undefined, null]) {
  test(`open of a session whose header has cwd ${cwd} uses the working directory`, (t) => {
    assert.equal(SessionManager.open(session(t, H({ cwd }), U("u1"))).getCwd(), process.cwd());
  });
}

test('open of a session whose header has cwd "" keeps it', (t) => {
  assert.equal(SessionManager.open(session(t, H({ cwd: "" }), U("u1"))).getCwd(), "");
});

test("open of a path that does not exist starts a new session at that path", (t) => {
  const path = join(tempDir(t), "new.jsonl");
  const manager = SessionManager.open(path);
  assert.equal(manager.getSessionFile(), path);
  assert.equal(manager.getCwd(), process.cwd());
  assert.equal(existsSync(path), false);
  manager.appendMessage(user());
  manager.appendMessage(assistant());
  assert.deepEqual(records(path).map((each) => each.type), ["session", "message", "message"]);
  assert.equal(records(path)[0].id, manager.getSessionId());
});

test("open writes the header of a file of 0 bytes at once, and one only", (t) => {
  const path = file(t, "");
  const manager = SessionManager.open(path);
  assert.deepEqual(records(path).map((each) => each.id), [manager.getSessionId()]);
  manager.appendMessage(user());
  manager.appendMessage(assistant());
  assert.deepEqual(records(path).map((each) => each.type), ["session", "message", "message"]);
});

test("open resolves a relative path and expands ~", (t) => {
  const dir = tempDir(t);
  writeSession(join(dir, "s.jsonl"), H(), U("u1"));
  workIn(t, dir);
  assert.equal(SessionManager.open("s.jsonl").getSessionFile(), join(dir, "s.jsonl"));
  writeSession(join(homedir(), "tilde.jsonl"), H({ id: "h9" }), U("u1"));
  const manager = SessionManager.open("~/tilde.jsonl");
  assert.equal(manager.getSessionFile(), join(homedir(), "tilde.jsonl"));
  assert.equal(manager.getSessionId(), "h9");
});

test("open of a file that is no session throws, names it and leaves it alone", (t) => {
  const path = file(t, "dear diary\n");
  untouched(path, () =>
    throwsPlain(() => SessionManager.open(path), `Session file is not a valid elyra session: ${path}`),
  );
});

test("open of a session of the current version changes neither bytes nor times", (t) => {
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  touch(path, 1_000_000);
  SessionManager.open(path).getEntries();
  assert.equal(statSync(path).mtimeMs, 1_000_000_000);
});

test("what open read and what is appended stand in one file", (t) => {
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  const before = text(path);
  const manager = SessionManager.open(path);
  const id = manager.appendMessage(user("more"));
  assert.ok(text(path).startsWith(before));
  assert.deepEqual(ids(records(path)), ["h1", "u1", "a1", id]);
  assert.equal(records(path)[3].parentId, "a1");
});

for (const wrong of [undefined, null, 5]) {
  test(`open of ${wrong} throws`, () => {
    assert.throws(() => SessionManager.open(wrong));
  });
}
