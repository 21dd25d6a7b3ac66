import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, ids } from "./support/claims.mjs";
import { A, H, H1, U, assistant, old, user } from "./support/entries.mjs";
import { session, untouched } from "./support/files.mjs";
import { tempDir, workIn } from "./support/temp.mjs";

test("inMemory has no file and no directory", () => {
  const manager = SessionManager.inMemory("/w");
  assert.equal(manager.isPersisted(), false);
  assert.equal(manager.getSessionFile(), undefined);
  assert.equal(manager.getSessionDir(), "");
  assert.equal(manager.getCwd(), "/w");
});

test("inMemory has the header of a new session", () => {
  const manager = SessionManager.inMemory("/w");
  const header = manager.getHeader();
  exactly(header, {
    type: "session",
    version: 3,
    id: manager.getSessionId(),
    timestamp: header.timestamp,
    cwd: "/w",
    parentSession: undefined,
  });
});

test("inMemory without a cwd takes the working directory", () => {
  assert.equal(SessionManager.inMemory().getCwd(), process.cwd());
  assert.equal(SessionManager.inMemory(undefined).getCwd(), process.cwd());
});

test("inMemory appends, branches and starts anew without writing", (t) => {
  const dir = tempDir(t);
  workIn(t, dir);
  const manager = SessionManager.inMemory();
  const first = manager.appendMessage(user());
  manager.appendMessage(assistant());
  assert.equal(manager.getEntries().length, 2);
  assert.equal(manager.createBranchedSession(first), undefined);
  assert.deepEqual(ids(manager.getEntries()), [first]);
  assert.equal(manager.newSession(), undefined);
  assert.deepEqual(manager.getEntries(), []);
  assert.equal(manager.getSessionFile(), undefined);
  assert.deepEqual(readdirSync(dir), []);
});

test("setSessionFile on a manager in memory reads the file and never writes it", (t) => {
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  const manager = SessionManager.inMemory("/x");
  untouched(path, () => {
    manager.setSessionFile(path);
    manager.appendMessage(user());
  });
  assert.equal(manager.getSessionId(), "h1");
  assert.equal(manager.getSessionFile(), path);
  assert.equal(manager.getCwd(), "/x");
  assert.equal(manager.isPersisted(), false);
  assert.equal(manager.getEntries().length, 3);
});

test("setSessionFile on a manager in memory migrates in memory alone", (t) => {
  const path = session(t, H1(), old(U("u1")), old(A("a1", "u1")));
  const manager = SessionManager.inMemory("/x");
  untouched(path, () => manager.setSessionFile(path));
  assert.equal(manager.getHeader().version, 3);
  assert.equal(manager.getBranch().length, 2);
});

test("a path that does not exist gives a manager in memory a name and no file", (t) => {
  const dir = tempDir(t);
  const manager = SessionManager.inMemory("/x");
  manager.setSessionFile(join(dir, "new.jsonl"));
  manager.appendMessage(user());
  manager.appendMessage(assistant());
  assert.equal(manager.getSessionFile(), join(dir, "new.jsonl"));
  assert.deepEqual(readdirSync(dir), []);
});
