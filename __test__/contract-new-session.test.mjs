import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, seen, throwsPlain } from "./support/claims.mjs";
import { A, H, Info, L, U, assistant, user } from "./support/entries.mjs";
import { records, session, untouched } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

test("newSession leaves the old file and starts an empty session beside it", (t) => {
  const path = session(t, H(), U("u1"), L("l1", "u1", "u1", "mark"), Info("i1", "l1", "Name"));
  const manager = SessionManager.open(path);
  const fresh = untouched(path, () => manager.newSession());
  assert.equal(fresh, manager.getSessionFile());
  assert.equal(dirname(fresh), dirname(path));
  assert.notEqual(fresh, path);
  assert.equal(existsSync(fresh), false);
  assert.notEqual(manager.getSessionId(), "h1");
  assert.deepEqual(manager.getEntries(), []);
  assert.deepEqual(manager.getTree(), []);
  assert.equal(manager.getLeafId(), null);
  assert.equal(manager.getEntry("u1"), undefined);
  assert.equal(manager.getLabel("u1"), undefined);
  assert.equal(manager.getSessionName(), undefined);
});

test("newSession has the cwd of the manager", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1")), undefined, "/other");
  manager.newSession();
  assert.equal(manager.getHeader().cwd, "/other");
});

test("newSession takes an id and a parent session, as given", (t) => {
  const manager = SessionManager.create("/w", tempDir(t));
  const path = manager.newSession({ id: "my.id-1_x", parentSession: "~/p.jsonl" });
  const header = manager.getHeader();
  assert.ok(basename(path).endsWith("_my.id-1_x.jsonl"));
  exactly(header, {
    type: "session",
    version: 3,
    id: "my.id-1_x",
    timestamp: header.timestamp,
    cwd: "/w",
    parentSession: "~/p.jsonl",
  });
  manager.appendMessage(user());
  manager.appendMessage(assistant());
  exactly(records(path)[0], header);
});

for (const options of [undefined, null, {}, { id: undefined, parentSession: undefined }, { id: null }]) {
  test(`newSession(${JSON.stringify(options)}) has a fresh id and no parent`, (t) => {
    const manager = SessionManager.create("/w", tempDir(t));
    const before = manager.getSessionId();
    manager.newSession(options);
    assert.match(manager.getSessionId(), /^[0-9a-f-]{36}$/);
    assert.notEqual(manager.getSessionId(), before);
    assert.deepEqual(Object.keys(manager.getHeader()).at(-1), "parentSession");
    assert.equal(manager.getHeader().parentSession, undefined);
  });
}

test("newSession in memory answers undefined", () => {
  const manager = SessionManager.inMemory("/w");
  manager.appendMessage(user());
  assert.equal(manager.newSession({ id: "x1" }), undefined);
  assert.equal(manager.getSessionId(), "x1");
  assert.deepEqual(manager.getEntries(), []);
});

test("newSession with an id that is none throws and leaves the manager as it was", (t) => {
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  const manager = SessionManager.open(path);
  const before = seen(manager);
  throwsPlain(() => manager.newSession({ id: "../x" }), /[Ss]ession id/);
  assert.deepEqual(seen(manager), before);
});
