// Recipes 33 to 40 of the case list: listing, directories, paths, ids and names.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { naming, throwsPlain } from "./support/claims.mjs";
import { A, H, Info, U, assistant, user } from "./support/entries.mjs";
import { line, records, session, writeSession } from "./support/files.mjs";
import { agentDir, tempDir, workIn } from "./support/temp.mjs";

test("33: a linked project directory is listed, a dangling link skipped", async (t) => {
  const sessions = join(agentDir(t), "sessions");
  const elsewhere = tempDir(t);
  writeSession(join(elsewhere, "s.jsonl"), H({ id: "linked" }), U("u1"));
  mkdirSync(sessions);
  symlinkSync(elsewhere, join(sessions, "--x--"));
  symlinkSync(join(elsewhere, "gone"), join(sessions, "--y--"));
  const found = await SessionManager.listAll();
  assert.deepEqual(found.map((info) => [info.id, info.path]), [["linked", join(sessions, "--x--", "s.jsonl")]]);
});

test("34: a name in the middle of 5 MB is found", async (t) => {
  const filler = Array.from({ length: 2500 }, (_, i) => U(`u${i}`, null, "x".repeat(1000)));
  const path = session(t, H(), ...filler, Info("i1", null, "In the middle"), ...filler);
  const [info] = await SessionManager.list("/w", dirname(path));
  assert.equal(info.name, "In the middle");
  assert.equal(info.messageCount, 5000);
});

test("35: a list after another process appended is new", async (t) => {
  const path = session(t, H(), U("u1"));
  const list = async () => (await SessionManager.list("/w", dirname(path)))[0];
  assert.equal((await list()).messageCount, 1);
  execFileSync(process.execPath, ["-e", "fs.appendFileSync(process.argv[1], process.argv[2])", path, `${line(A("a1", "u1"))}\n`]);
  assert.equal((await list()).messageCount, 2);
  appendFileSync(path, `${line(Info("i1", "a1", "Named"))}\n`);
  assert.equal((await list()).name, "Named");
});

test("36: projects whose names collide do not continue each other's sessions", (t) => {
  agentDir(t);
  const first = SessionManager.create("/q/b-c");
  first.appendMessage(user());
  first.appendMessage(assistant());
  const second = SessionManager.continueRecent("/q-b/c");
  assert.equal(second.getSessionDir(), first.getSessionDir());
  assert.notEqual(second.getSessionId(), first.getSessionId());
  assert.deepEqual(second.getEntries(), []);
  assert.equal(SessionManager.continueRecent("/q/b-c").getSessionId(), first.getSessionId());
});

test("37: a cwd of 200 CJK characters has a short directory, always the same", async (t) => {
  agentDir(t);
  const cwd = `/${"漢".repeat(200)}`;
  const manager = SessionManager.create(cwd);
  manager.appendMessage(user());
  manager.appendMessage(assistant());
  assert.ok(Buffer.byteLength(basename(manager.getSessionDir())) <= 255);
  assert.equal(SessionManager.create(cwd).getSessionDir(), manager.getSessionDir());
  assert.deepEqual((await SessionManager.list(cwd)).map((info) => info.cwd), [cwd]);
  assert.equal(SessionManager.continueRecent(cwd).getSessionId(), manager.getSessionId());
});

test("38: ~, relative and trailing parts of paths given are resolved", (t) => {
  const dir = tempDir(t);
  workIn(t, dir);
  assert.equal(SessionManager.create("/w", "~/x").getSessionDir(), join(homedir(), "x"));
  assert.equal(SessionManager.create("/w/", "y/").getSessionDir(), join(dir, "y"));
  assert.equal(SessionManager.create("/w/", "y/").getCwd(), "/w");
  assert.equal(SessionManager.continueRecent("rel", "~/z").getCwd(), join(dir, "rel"));
  assert.equal(SessionManager.inMemory("~/m").getCwd(), join(homedir(), "m"));
  assert.equal(existsSync(join(dir, "~")), false);
  assert.deepEqual(readdirSync(dir), ["y"]);
});

for (const id of ["../x", "", "a\0b", "a/b"]) {
  test(`39: newSession refuses the id ${JSON.stringify(id)} and writes nothing`, (t) => {
    const parent = tempDir(t);
    const dir = join(parent, "sessions");
    const manager = SessionManager.create("/w", dir);
    throwsPlain(() => manager.newSession({ id }), naming("ession id"));
    assert.deepEqual(readdirSync(parent), ["sessions"]);
    assert.deepEqual(readdirSync(dir), []);
  });
}

test("40: a name over several lines becomes one line", (t) => {
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  const manager = SessionManager.open(path);
  manager.appendSessionInfo("a\nb\r\nc");
  assert.equal(manager.getSessionName(), "a b c");
  assert.equal(records(path).at(-1).name, "a b c");
});
