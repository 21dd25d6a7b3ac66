import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, ids, seen, throwsPlain } from "./support/claims.mjs";
import { A, H, L, U, assistant, user } from "./support/entries.mjs";
import { file, records, session, untouched, writeSession } from "./support/files.mjs";
import { tempDir, workIn } from "./support/temp.mjs";

test("setSessionFile switches to another session and answers undefined", (t) => {
  const other = session(t, H({ id: "h2" }), U("u2"), L("l2", "u2", "u2", "mark"));
  const manager = SessionManager.open(session(t, H(), U("u1"), A("a1", "u1")));
  assert.equal(untouched(other, () => manager.setSessionFile(other)), undefined);
  assert.equal(manager.getSessionFile(), other);
  assert.equal(manager.getSessionId(), "h2");
  assert.deepEqual(ids(manager.getEntries()), ["u2", "l2"]);
  assert.equal(manager.getLeafId(), "l2");
  assert.equal(manager.getLabel("u2"), "mark");
  assert.equal(manager.getEntry("u1"), undefined);
});

test("setSessionFile keeps the manager's cwd and directory", (t) => {
  const dir = tempDir(t);
  const manager = SessionManager.create("/mine", dir);
  manager.setSessionFile(session(t, H({ cwd: "/theirs" }), U("u1")));
  assert.equal(manager.getCwd(), "/mine");
  assert.equal(manager.getSessionDir(), dir);
});

test("appends go to the file that was set", (t) => {
  const first = session(t, H(), U("u1"), A("a1", "u1"));
  const second = session(t, H({ id: "h2" }), U("u2"), A("a2", "u2"));
  const manager = SessionManager.open(first);
  manager.setSessionFile(second);
  const id = untouched(first, () => manager.appendMessage(user()));
  assert.deepEqual(ids(records(second)), ["h2", "u2", "a2", id]);
});

test("setSessionFile to a missing path starts a new session there", (t) => {
  const path = join(tempDir(t), "new.jsonl");
  const manager = SessionManager.create("/mine", tempDir(t));
  const before = manager.getSessionId();
  manager.setSessionFile(path);
  assert.equal(manager.getSessionFile(), path);
  assert.notEqual(manager.getSessionId(), before);
  assert.equal(existsSync(path), false);
  manager.appendMessage(user());
  manager.appendMessage(assistant());
  const [header, ...entries] = records(path);
  assert.equal(header.id, manager.getSessionId());
  assert.equal(header.cwd, "/mine");
  assert.equal(entries.length, 2);
});

test("setSessionFile to a file of 0 bytes writes its header", (t) => {
  const path = file(t, "");
  const manager = SessionManager.create("/mine", tempDir(t));
  manager.setSessionFile(path);
  exactly(records(path), [
    { type: "session", version: 3, id: manager.getSessionId(), timestamp: manager.getHeader().timestamp, cwd: "/mine" },
  ]);
});

test("setSessionFile resolves a relative path and expands ~", (t) => {
  const dir = tempDir(t);
  workIn(t, dir);
  const manager = SessionManager.inMemory("/w");
  manager.setSessionFile("x/../s.jsonl");
  assert.equal(manager.getSessionFile(), join(dir, "s.jsonl"));
  writeSession(join(homedir(), "set.jsonl"), H({ id: "tilde" }), U("u1"));
  manager.setSessionFile("~/set.jsonl");
  assert.equal(manager.getSessionId(), "tilde");
});

test("setSessionFile to no session throws and leaves file and manager as they were", (t) => {
  const path = file(t, "dear diary\n");
  const manager = SessionManager.open(session(t, H(), U("u1"), L("l1", "u1", "u1", "mark")));
  const before = seen(manager);
  untouched(path, () =>
    throwsPlain(() => manager.setSessionFile(path), `Session file is not a valid elyra session: ${path}`),
  );
  assert.deepEqual(seen(manager), before);
  const id = manager.appendMessage(user());
  assert.deepEqual(ids(records(manager.getSessionFile())), ["h1", "u1", "l1", id]);
});

for (const wrong of [undefined, null, 1]) {
  test(`setSessionFile(${wrong}) throws and changes nothing`, (t) => {
    const manager = SessionManager.open(session(t, H(), U("u1")));
    const before = seen(manager);
    assert.throws(() => manager.setSessionFile(wrong));
    assert.deepEqual(seen(manager), before);
  });
}
