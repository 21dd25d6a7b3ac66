// Section 5, rules 14 and 15: what a list shows of odd sessions, and of whose.
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { SessionManager, findMostRecentSession } from "../index.js";
import { A, E, H, Info, MS, T, U, user } from "./support/entries.mjs";
import { line, session, touch, writeSession } from "./support/files.mjs";
import { agentDir, tempDir } from "./support/temp.mjs";

/** The info of a session with these records. */
async function listed(t, ...records) {
  const path = session(t, ...records);
  const found = await SessionManager.list("/w", dirname(path));
  assert.equal(found.length, 1, "the session is listed");
  return found[0];
}

for (const [what, odd] of [
  ["a message of null", { ...U("x1"), message: null }],
  ["no message", { type: "message", id: "x1", parentId: null, timestamp: T }],
  ["a message that is text", { ...U("x1"), message: "text" }],
  ["content that is a number", U("x1", null, 5)],
  ["content that is an object", U("x1", null, { type: "text", text: "x" })],
  ["a role that is a number", E("x1", null, { role: 5, content: "x" })],
]) {
  test(`14: with ${what} a session is listed, and that message counted without text`, async (t) => {
    const info = await listed(t, H(), odd, U("u1", "x1"));
    assert.equal(info.messageCount, 2);
    assert.equal(info.firstMessage, "u1 asks");
    assert.equal(info.allMessagesText, "u1 asks");
  });
}

test("14: blocks that are no blocks are passed over", async (t) => {
  const info = await listed(t, H(), U("u1", null, [null, 1, "s", [], {}, { type: "text", text: "seen" }]));
  assert.equal(info.firstMessage, "seen");
});

for (const name of [5, null, {}, [], true]) {
  test(`14: a name of ${JSON.stringify(name)} counts as none`, async (t) => {
    const info = await listed(t, H(), Info("i1", null, name), U("u1", "i1"));
    assert.equal(info.name, undefined);
    assert.equal(info.messageCount, 1);
  });
}

test("14: odd times fall back", async (t) => {
  const odd = { ...E("u1", null, { ...user(), timestamp: "soon" }), timestamp: 5 };
  const info = await listed(t, H(), odd);
  assert.equal(info.modified.getTime(), MS);
  const late = { ...E("u1", null, { ...user(), timestamp: null }), timestamp: "2025-05-05T00:00:00.000Z" };
  assert.equal((await listed(t, H(), late)).modified.toISOString(), late.timestamp);
});

for (const timestamp of [undefined, null, {}, "when?"]) {
  test(`14: a header whose time is ${JSON.stringify(timestamp)} is listed`, async (t) => {
    const info = await listed(t, H({ timestamp }), U("u1"));
    assert.equal(info.modified.getTime(), MS);
    assert.ok(info.created instanceof Date);
  });
}

for (const cwd of [undefined, null, 5, ["/w"]]) {
  test(`14: a header whose cwd is ${JSON.stringify(cwd)} is listed with an empty one`, async (t) => {
    assert.equal((await listed(t, H({ cwd }), U("u1"))).cwd, "");
  });
}

test("14: a header of any length is read", async (t) => {
  const cwd = `/${"x".repeat(3_000_000)}`;
  const info = await listed(t, H({ cwd }), U("u1"));
  assert.equal(info.cwd, cwd);
  assert.equal(findMostRecentSession(dirname(info.path)), info.path);
});

test("14: lines that are no objects and damaged ones are passed over", async (t) => {
  const info = await listed(t, H(), "null", "{bad", U("u1"), "[]", "\0\0", A("a1", "u1"));
  assert.equal(info.messageCount, 2);
});

test("14: an entry deeper than most parsers go is listed", async (t) => {
  const deep = `{"type":"custom","id":"d1","parentId":null,"timestamp":"x","data":${"[".repeat(5000)}${"]".repeat(5000)}}`;
  assert.equal((await listed(t, H(), deep, U("u1"))).messageCount, 1);
});

test("14: dangling links and directories that end in .jsonl are passed over, links to files read", async (t) => {
  const dir = tempDir(t);
  const elsewhere = session(t, H({ id: "linked" }), U("u1"));
  symlinkSync(join(dir, "gone"), join(dir, "a.jsonl"));
  mkdirSync(join(dir, "b.jsonl"));
  symlinkSync(elsewhere, join(dir, "c.jsonl"));
  assert.deepEqual((await SessionManager.list("/w", dir)).map((info) => [info.id, info.path]), [["linked", join(dir, "c.jsonl")]]);
  assert.equal(findMostRecentSession(dir), join(dir, "c.jsonl"));
});

test("14: old versions are listed and left as they are", async (t) => {
  const info = await listed(t, { type: "session", id: "v1", timestamp: T }, { type: "message", timestamp: T, message: user("first") });
  assert.deepEqual([info.id, info.firstMessage, info.messageCount], ["v1", "first", 1]);
});

test("14: five hundred sessions are listed", async (t) => {
  const dir = tempDir(t);
  const body = `${line(H())}\n${line(U("u1"))}\n`;
  for (let i = 0; i < 500; i++) writeFileSync(join(dir, `${i}.jsonl`), body);
  assert.equal((await SessionManager.list("/w", dir)).length, 500);
});

/** The default directory that /q/b-c and /q-b/c share, with one session for each cwd given. */
function shared(t, ...cwds) {
  const dir = join(agentDir(t), "sessions", "--q-b-c--");
  cwds.forEach((cwd, i) => touch(writeSession(join(dir, `${i}.jsonl`), H({ id: `s${i}`, cwd }), U("u1")), 1000 + i));
  return dir;
}
const listedIds = async (...args) => (await SessionManager.list(...args)).map((info) => info.id).sort();

test("15: projects that share a directory name see their own sessions", async (t) => {
  shared(t, "/q/b-c", "/q-b/c", "/q-b-c");
  assert.deepEqual(await listedIds("/q/b-c"), ["s0"]);
  assert.deepEqual(await listedIds("/q-b/c"), ["s1"]);
  assert.equal(SessionManager.continueRecent("/q/b-c").getSessionId(), "s0");
  assert.equal(SessionManager.continueRecent("/q-b/c").getSessionId(), "s1");
});

test("15: a session without a cwd, or of a project by another name, is everyone's", async (t) => {
  shared(t, "", undefined, "/moved/from/here");
  assert.deepEqual(await listedIds("/q/b-c"), ["s0", "s1", "s2"]);
  assert.equal(SessionManager.continueRecent("/q/b-c").getSessionId(), "s2");
});

test("15: a directory given by the caller is not filtered", async (t) => {
  const dir = tempDir(t);
  writeSession(join(dir, "s.jsonl"), H({ cwd: "/q-b/c" }), U("u1"));
  assert.deepEqual(await listedIds("/q/b-c", dir), ["h1"]);
  assert.equal(SessionManager.continueRecent("/q/b-c", dir).getSessionId(), "h1");
});

test("15: listAll shows every project's sessions", async (t) => {
  shared(t, "/q/b-c", "/q-b/c");
  assert.equal((await SessionManager.listAll()).length, 2);
});
