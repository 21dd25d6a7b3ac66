// getDefaultSessionDir and findMostRecentSession.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { findMostRecentSession, getDefaultSessionDir } from "../index.js";
import { H, U } from "./support/entries.mjs";
import { touch, writeSession } from "./support/files.mjs";
import { agentDir, tempDir, workIn } from "./support/temp.mjs";

for (const [cwd, name] of [
  ["/w", "--w--"],
  ["/home/me/my project", "--home-me-my project--"],
  ["/a/b:c\\d", "--a-b-c-d--"],
  ["/", "----"],
  ["", "----"],
  ["/日本/é", "--日本-é--"],
]) {
  test(`the sessions of ${JSON.stringify(cwd)} are in ${name}`, (t) => {
    const agent = agentDir(t);
    const dir = getDefaultSessionDir(cwd);
    assert.equal(dir, join(agent, "sessions", name));
    assert.ok(existsSync(dir));
  });
}

test("getDefaultSessionDir resolves the cwd first", (t) => {
  const agent = agentDir(t);
  const dir = tempDir(t);
  workIn(t, dir);
  const encoded = `--${join(dir, "p").slice(1).replaceAll("/", "-")}--`;
  assert.equal(getDefaultSessionDir("p/"), join(agent, "sessions", encoded));
  assert.equal(getDefaultSessionDir("~"), join(agent, "sessions", `--${homedir().slice(1).replaceAll("/", "-")}--`));
  assert.equal(getDefaultSessionDir("/w/x/"), join(agent, "sessions", "--w-x--"));
});

test("getDefaultSessionDir takes an agent directory", (t) => {
  const dir = tempDir(t);
  assert.equal(getDefaultSessionDir("/w", join(dir, "agent")), join(dir, "agent", "sessions", "--w--"));
  assert.ok(existsSync(join(dir, "agent", "sessions", "--w--")));
  agentDir(t);
  assert.equal(getDefaultSessionDir("/w", undefined), join(process.env.ELYRA_CODING_AGENT_DIR, "sessions", "--w--"));
});

test("a name of up to 255 bytes is not shortened", (t) => {
  agentDir(t);
  const cwd = `/${"x".repeat(251)}`;
  assert.equal(basename(getDefaultSessionDir(cwd)), `--${"x".repeat(251)}--`);
});

test("a longer name is shortened, the same at each call and for each cwd another", (t) => {
  agentDir(t);
  const long = (end) => `/${"x".repeat(252)}${end}`;
  const name = basename(getDefaultSessionDir(long("a")));
  assert.ok(Buffer.byteLength(name) <= 255);
  assert.equal(basename(getDefaultSessionDir(long("a"))), name);
  assert.notEqual(basename(getDefaultSessionDir(long("b"))), name);
});

for (const wrong of [undefined, null, 1]) {
  test(`getDefaultSessionDir(${wrong}) throws and makes nothing`, (t) => {
    const agent = agentDir(t);
    assert.throws(() => getDefaultSessionDir(wrong));
    assert.deepEqual(readdirSync(agent), []);
  });
}

test("findMostRecentSession gives the path of the session modified last", (t) => {
  const dir = tempDir(t);
  for (const [name, seconds] of [["a", 2e6], ["b", 3e6], ["c", 1e6]]) {
    touch(writeSession(join(dir, `${name}.jsonl`), H({ id: name }), U("u1")), seconds);
  }
  assert.equal(findMostRecentSession(dir), join(dir, "b.jsonl"));
});

test("findMostRecentSession gives null where there is no session", (t) => {
  const dir = tempDir(t);
  assert.equal(findMostRecentSession(dir), null);
  assert.equal(findMostRecentSession(join(dir, "none")), null);
  writeFileSync(join(dir, "a.jsonl"), "");
  writeSession(join(dir, "b.jsonl"), { type: "session", id: 5 });
  writeSession(join(dir, "c.jsonl.bak"), H(), U("u1"));
  mkdirSync(join(dir, "d.jsonl"));
  assert.equal(findMostRecentSession(dir), null);
});

for (const wrong of [undefined, null]) {
  test(`findMostRecentSession(${wrong}) is null, as for a missing directory`, () => {
    assert.equal(findMostRecentSession(wrong), null);
  });
}
