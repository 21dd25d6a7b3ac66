import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly } from "./support/claims.mjs";
import { A, E, H, Info, MS, T, U, assistant, toolResult, user } from "./support/entries.mjs";
import { session, touch, writeSession } from "./support/files.mjs";
import { agentDir, tempDir } from "./support/temp.mjs";
import { dirname } from "node:path";

const listOne = async (t, ...records) => (await SessionManager.list("/w", dirname(session(t, ...records))))[0];

test("list tells what it knows of a session", async (t) => {
  const path = session(t, H(), U("u1"), A("a1", "u1"), U("u2", "a1"), Info("i1", "u2", "Name"));
  exactly(await SessionManager.list("/w", dirname(path)), [
    {
      path,
      id: "h1",
      cwd: "/w",
      name: "Name",
      parentSessionPath: undefined,
      created: new Date(T),
      modified: new Date(MS),
      messageCount: 3,
      firstMessage: "u1 asks",
      allMessagesText: "u1 asks a1 answers u2 asks",
    },
  ]);
});

test("list has name as an own key that holds undefined where there is none", async (t) => {
  const info = await listOne(t, H(), U("u1"));
  assert.ok(Object.hasOwn(info, "name"));
  assert.equal(info.name, undefined);
});

test("list takes the last name, and an empty one clears it", async (t) => {
  assert.equal((await listOne(t, H(), Info("i1", null, "one"), Info("i2", "i1", "  two "))).name, "two");
  assert.equal((await listOne(t, H(), Info("i1", null, "one"), Info("i2", "i1", " "))).name, undefined);
});

test("list gives the parent session as the header has it", async (t) => {
  assert.equal((await listOne(t, H({ parentSession: "../p.jsonl" }), U("u1"))).parentSessionPath, "../p.jsonl");
});

test("list counts every message and reads the text of users and assistants", async (t) => {
  const blocks = [{ type: "text", text: "one" }, { type: "image", data: "", mimeType: "image/png" }, { type: "text", text: "two" }];
  const info = await listOne(t, H(), A("a1", null, "first"), E("t1", "a1", toolResult("hidden")), E("u1", "t1", user(blocks)));
  assert.equal(info.messageCount, 3);
  assert.equal(info.firstMessage, "one two");
  assert.equal(info.allMessagesText, "first one two");
});

test("list says so where there is no message", async (t) => {
  const info = await listOne(t, H());
  assert.equal(info.firstMessage, "(no messages)");
  assert.equal(info.allMessagesText, "");
  assert.equal(info.messageCount, 0);
});

test("list dates a session by its last message, else by its header, else by its file", async (t) => {
  const late = E("u1", null, { ...user(), timestamp: MS + 5000 });
  assert.equal((await listOne(t, H(), late, U("u2", "u1"))).modified.getTime(), MS + 5000);
  const { timestamp, ...undated } = assistant();
  const byEntry = { ...E("a1", null, undated), timestamp: "2025-02-03T00:00:00.000Z" };
  assert.equal((await listOne(t, H(), byEntry)).modified.toISOString(), byEntry.timestamp);
  assert.equal((await listOne(t, H())).modified.getTime(), MS);
  const path = session(t, H({ timestamp: "when?" }));
  touch(path, 1_000_000);
  const [info] = await SessionManager.list("/w", dirname(path));
  assert.equal(info.modified.getTime(), 1_000_000_000);
  assert.ok(Number.isNaN(info.created.getTime()));
});

test("list puts the session with the latest message first", async (t) => {
  const dir = tempDir(t);
  for (const [name, ms] of [["a", 2000], ["b", 3000], ["c", 1000]]) {
    writeSession(join(dir, `${name}.jsonl`), H({ id: name }), E("u1", null, { ...user(), timestamp: MS + ms }));
  }
  assert.deepEqual((await SessionManager.list("/w", dir)).map((info) => info.id), ["b", "a", "c"]);
});

test("list passes over what is no session and what has another ending", async (t) => {
  const dir = tempDir(t);
  writeSession(join(dir, "a.jsonl"), { type: "event" });
  writeFileSync(join(dir, "b.jsonl"), "");
  writeSession(join(dir, "c.txt"), H(), U("u1"));
  assert.deepEqual(await SessionManager.list("/w", dir), []);
});

test("list of a missing directory is empty", async (t) => {
  assert.deepEqual(await SessionManager.list("/w", join(tempDir(t), "none")), []);
});

for (const none of [undefined, null]) {
  test(`list with ${none} as directory looks in the default one of the cwd`, async (t) => {
    writeSession(join(agentDir(t), "sessions", "--w--", "a.jsonl"), H(), U("u1"));
    assert.deepEqual((await SessionManager.list("/w", none)).map((info) => info.id), ["h1"]);
  });
}

test("list reports progress from 1 to the number of files, before it answers", async (t) => {
  const dir = tempDir(t);
  for (const name of ["a", "b", "c"]) writeSession(join(dir, `${name}.jsonl`), H({ id: name }), U("u1"));
  const calls = [];
  await SessionManager.list("/w", dir, (loaded, total) => calls.push([loaded, total]));
  assert.deepEqual(calls.at(-1), [3, 3]);
  assert.deepEqual(calls.map(([loaded]) => loaded), calls.map(([loaded]) => loaded).toSorted((a, b) => a - b));
  assert.ok(calls.every(([, total]) => total === 3));
});

test("list rejects for a cwd of a wrong type", async (t) => {
  agentDir(t);
  await assert.rejects(SessionManager.list(undefined));
});
