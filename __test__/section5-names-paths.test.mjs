// Section 5, rules 16 to 18: who may read new files, names on one line, paths given by callers.
import assert from "node:assert/strict";
import { mkdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { SessionManager, findMostRecentSession, getDefaultSessionDir, loadEntriesFromFile } from "../index.js";
import { exactly, ids } from "./support/claims.mjs";
import { A, H, U, user } from "./support/entries.mjs";
import { file, records, session, writeSession } from "./support/files.mjs";
import { agentDir, tempDir, workIn } from "./support/temp.mjs";

const mode = (path) => (statSync(path).mode & 0o777).toString(8);
const unixOnly = { skip: process.platform === "win32" };

test("16: a new session and the directories made for it are their owner's alone", unixOnly, (t) => {
  const dir = join(tempDir(t), "a", "b");
  const manager = SessionManager.create("/w", dir);
  manager.appendMessage(user());
  assert.equal(mode(manager.getSessionFile()), "600");
  assert.deepEqual([mode(dir), mode(dirname(dir))], ["700", "700"]);
});

test("16: so are forks, branches and the default directories", unixOnly, (t) => {
  const agent = join(agentDir(t), "agent");
  assert.equal(mode(getDefaultSessionDir("/w", agent)), "700");
  assert.deepEqual([mode(agent), mode(join(agent, "sessions"))], ["700", "700"]);
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  const fork = SessionManager.forkFrom(path, "/x");
  assert.equal(mode(fork.getSessionFile()), "600");
  assert.equal(mode(fork.getSessionDir()), "700");
  assert.equal(mode(SessionManager.open(path).createBranchedSession("a1")), "600");
});

test("16: files and directories that are there keep their modes", unixOnly, (t) => {
  const dir = join(tempDir(t), "open");
  mkdirSync(dir, { mode: 0o755 });
  const path = writeSession(join(dir, "s.jsonl"), H(), U("u1"));
  SessionManager.open(path).appendMessage(user());
  assert.deepEqual([mode(dir), mode(path)], ["755", "644"]);
  const empty = file(t, "");
  SessionManager.open(empty);
  assert.equal(mode(empty), "644");
});

for (const [given, name] of [
  ["a\nb", "a b"],
  ["a\r\n\r\n\nb", "a b"],
  ["\n a \n", "a"],
  ["a \n b", "a   b"],
  ["a\tb\u2028c", "a\tb\u2028c"],
  ["\r\n", ""],
]) {
  test(`17: the name ${JSON.stringify(given)} is ${JSON.stringify(name)}`, (t) => {
    const path = session(t, H(), U("u1"));
    const manager = SessionManager.open(path);
    manager.appendSessionInfo(given);
    assert.equal(records(path).at(-1).name, name);
    assert.equal(manager.getSessionName(), name || undefined);
  });
}

test("17: a name read from a file is trimmed alone", (t) => {
  const path = session(t, H(), { type: "session_info", id: "i1", parentId: null, timestamp: "x", name: " a\nb " });
  assert.equal(SessionManager.open(path).getSessionName(), "a\nb");
});

test("18: functions that take a path expand ~ and resolve", async (t) => {
  const dir = join(homedir(), "tilde");
  const path = writeSession(join(dir, "s.jsonl"), H(), U("u1"));
  workIn(t, homedir());
  for (const prefix of ["~/", "./", ""]) {
    exactly(loadEntriesFromFile(`${prefix}tilde/s.jsonl`), [H(), U("u1")]);
    assert.equal(findMostRecentSession(`${prefix}tilde`), path);
    assert.deepEqual((await SessionManager.list("/w", `${prefix}tilde/`)).map((info) => info.path), [path]);
    assert.equal(SessionManager.continueRecent("/w", `${prefix}tilde`).getSessionFile(), path);
    assert.equal(SessionManager.forkFrom(`${prefix}tilde/s.jsonl`, "/x", tempDir(t)).getHeader().parentSession, path);
  }
});

test("18: ~ in the middle and the home of others are names like any other", (t) => {
  const dir = tempDir(t);
  workIn(t, dir);
  assert.equal(SessionManager.inMemory("a/~/b").getCwd(), join(dir, "a/~/b"));
  assert.equal(SessionManager.inMemory("~other").getCwd(), join(dir, "~other"));
});

test("18: .. is resolved", (t) => {
  const dir = tempDir(t);
  const path = writeSession(join(dir, "s.jsonl"), H(), U("u1"));
  const manager = SessionManager.open(join(dir, "x") + "/../s.jsonl", undefined, "/a/../b");
  assert.equal(manager.getSessionFile(), path);
  assert.equal(manager.getCwd(), "/b");
  assert.deepEqual(ids(manager.getEntries()), ["u1"]);
});

test("18: a parent session and the cwd of a header stay as given", (t) => {
  const manager = SessionManager.create("/w", tempDir(t));
  manager.newSession({ parentSession: "~/../x" });
  assert.equal(manager.getHeader().parentSession, "~/../x");
  const opened = SessionManager.open(session(t, H({ cwd: "~/p/../q" }), U("u1")));
  assert.equal(opened.getCwd(), "~/p/../q");
});
