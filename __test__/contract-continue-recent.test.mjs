import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { A, H, U } from "./support/entries.mjs";
import { touch, writeSession } from "./support/files.mjs";
import { agentDir, tempDir } from "./support/temp.mjs";

test("continueRecent opens the session that was modified last", (t) => {
  const dir = tempDir(t);
  const older = writeSession(join(dir, "z.jsonl"), H({ id: "older" }), U("u1"), A("a1", "u1"));
  const newer = writeSession(join(dir, "a.jsonl"), H({ id: "newer" }), U("u2"), A("a2", "u2"));
  touch(older, 1_000_000);
  touch(newer, 2_000_000);
  const manager = SessionManager.continueRecent("/w", dir);
  assert.equal(manager.getSessionId(), "newer");
  assert.equal(manager.getSessionFile(), newer);
  assert.equal(manager.getLeafId(), "a2");
});

test("continueRecent has the cwd it is given, not the header's", (t) => {
  const dir = tempDir(t);
  writeSession(join(dir, "a.jsonl"), H({ cwd: "/elsewhere" }), U("u1"));
  const manager = SessionManager.continueRecent("/w", dir);
  assert.equal(manager.getCwd(), "/w");
  assert.equal(manager.getSessionDir(), dir);
});

test("continueRecent passes over files that are no sessions or have another ending", (t) => {
  const dir = tempDir(t);
  const session = writeSession(join(dir, "a.jsonl"), H(), U("u1"));
  touch(session, 1_000_000);
  writeSession(join(dir, "b.jsonl"), { type: "event" });
  writeFileSync(join(dir, "c.jsonl"), "");
  writeSession(join(dir, "d.json"), H({ id: "other" }), U("u1"));
  assert.equal(SessionManager.continueRecent("/w", dir).getSessionFile(), session);
});

test("continueRecent starts a new session when there is none", (t) => {
  const dir = join(tempDir(t), "none");
  const manager = SessionManager.continueRecent("/w", dir);
  assert.deepEqual(manager.getEntries(), []);
  assert.equal(manager.isPersisted(), true);
  assert.equal(existsSync(manager.getSessionFile()), false);
});

for (const none of [undefined, null]) {
  test(`continueRecent with ${none} as directory looks in the default one of the cwd`, (t) => {
    const agent = agentDir(t);
    const path = join(agent, "sessions", "--w--", "a.jsonl");
    writeSession(path, H(), U("u1"));
    assert.equal(SessionManager.continueRecent("/w", none).getSessionFile(), path);
  });
}

test("continueRecent without a cwd throws", (t) => {
  agentDir(t);
  assert.throws(() => SessionManager.continueRecent());
});
