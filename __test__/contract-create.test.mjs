import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, isNow } from "./support/claims.mjs";
import { assistant, user } from "./support/entries.mjs";
import { records } from "./support/files.mjs";
import { agentDir, tempDir, workIn } from "./support/temp.mjs";

test("create starts an empty persisted session in the given directory", (t) => {
  const dir = tempDir(t);
  const manager = SessionManager.create("/w", dir);
  assert.equal(manager.isPersisted(), true);
  assert.equal(manager.getCwd(), "/w");
  assert.equal(manager.getSessionDir(), dir);
  assert.equal(dirname(manager.getSessionFile()), dir);
  assert.deepEqual(manager.getEntries(), []);
  assert.equal(manager.getLeafId(), null);
});

test("create names the file by the header's time and id", (t) => {
  const manager = SessionManager.create("/w", tempDir(t));
  const { id, timestamp } = manager.getHeader();
  assert.equal(basename(manager.getSessionFile()), `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`);
  assert.equal(manager.getSessionId(), id);
});

test("create gives a version 7 UUID as id, another one each time", (t) => {
  const dir = tempDir(t);
  const first = SessionManager.create("/w", dir).getSessionId();
  assert.match(first, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.notEqual(SessionManager.create("/w", dir).getSessionId(), first);
});

test("the header of a new session has parentSession as an own key that holds undefined", (t) => {
  const manager = SessionManager.create("/w", tempDir(t));
  const header = manager.getHeader();
  isNow(header.timestamp);
  exactly(header, {
    type: "session",
    version: 3,
    id: manager.getSessionId(),
    timestamp: header.timestamp,
    cwd: "/w",
    parentSession: undefined,
  });
});

test("create leaves nothing on disk but the directory", (t) => {
  const dir = join(tempDir(t), "a", "b");
  SessionManager.create("/w", dir);
  assert.deepEqual(readdirSync(dir), []);
});

test("parentSession is absent from the file of a new session", (t) => {
  const manager = SessionManager.create("/w", tempDir(t));
  manager.appendMessage(user());
  manager.appendMessage(assistant());
  const [header] = records(manager.getSessionFile());
  assert.deepEqual(Object.keys(header), ["type", "version", "id", "timestamp", "cwd"]);
});

for (const none of [undefined, null]) {
  test(`create with ${none} as directory takes the default one of the cwd`, (t) => {
    const agent = agentDir(t);
    const manager = SessionManager.create("/w/x", none);
    assert.equal(manager.getSessionDir(), join(agent, "sessions", "--w-x--"));
    assert.ok(existsSync(manager.getSessionDir()));
  });
}

test('create keeps "" as directory and as cwd', (t) => {
  assert.equal(SessionManager.create("", tempDir(t)).getCwd(), "");
  workIn(t, tempDir(t));
  assert.equal(SessionManager.create("/w", "").getSessionDir(), "");
});

test("create resolves a relative cwd and directory and expands ~", (t) => {
  const dir = tempDir(t);
  workIn(t, dir);
  const relative = SessionManager.create("project/", "sessions/");
  assert.equal(relative.getCwd(), join(dir, "project"));
  assert.equal(relative.getHeader().cwd, join(dir, "project"));
  assert.equal(relative.getSessionDir(), join(dir, "sessions"));
  assert.equal(SessionManager.create("~/p", "~/s").getCwd(), join(homedir(), "p"));
  assert.equal(SessionManager.create("~", "~/s").getSessionDir(), join(homedir(), "s"));
});

for (const wrong of [undefined, null, 7]) {
  test(`create with cwd ${wrong} and no directory throws and makes nothing`, (t) => {
    const agent = agentDir(t);
    assert.throws(() => SessionManager.create(wrong));
    assert.deepEqual(readdirSync(agent), []);
  });
}
