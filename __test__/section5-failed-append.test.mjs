// Section 5, rule 6: an append that fails throws and leaves memory and file as they were.
import assert from "node:assert/strict";
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { ids, naming, seen, throwsPlain } from "./support/claims.mjs";
import { A, H, L, U, assistant, user } from "./support/entries.mjs";
import { lines, records, session, untouched } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

const cyclic = {};
cyclic.self = cyclic;
const thrown = new Error("from toJSON");

/** What JSON.stringify cannot write. */
const unwritable = [
  ["a BigInt", 1n],
  ["a cyclic object", cyclic],
  ["a toJSON that throws", { toJSON() { throw thrown; } }],
  ["a getter that throws", { get x() { throw thrown; } }],
];

/** Every call that appends, with `value` somewhere in what it would write. */
const appends = {
  appendMessage: (manager, value) => manager.appendMessage({ ...user(), extra: value }),
  appendCustomEntry: (manager, value) => manager.appendCustomEntry("e", value),
  appendCustomMessageEntry: (manager, value) => manager.appendCustomMessageEntry("e", "c", true, value),
  appendCompaction: (manager, value) => manager.appendCompaction("s", "u1", 1, value),
  appendThinkingLevelChange: (manager, value) => manager.appendThinkingLevelChange(value),
  appendModelChange: (manager, value) => manager.appendModelChange("p", value),
  appendLabelChange: (manager, value) => manager.appendLabelChange("u1", value),
  branchWithSummary: (manager, value) => manager.branchWithSummary("u1", "s", value),
};

for (const [what, value] of unwritable) {
  for (const [name, append] of Object.entries(appends)) {
    test(`${name} of ${what} throws and changes nothing`, (t) => {
      const path = session(t, H(), U("u1"), A("a1", "u1"), L("l1", "a1", "u1", "mark"));
      const manager = SessionManager.open(path);
      const before = seen(manager);
      untouched(path, () => assert.throws(() => append(manager, value)));
      assert.deepEqual(seen(manager), before);
      assert.equal(manager.getLabel("u1"), "mark");
      const id = manager.appendMessage(user());
      assert.deepEqual(ids(records(path)), ["h1", "u1", "a1", "l1", id]);
    });
  }
}

test("what toJSON throws is what the caller catches", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1")));
  const value = unwritable[2][1];
  assert.throws(() => manager.appendCustomEntry("e", value), (error) => error === thrown);
});

test("in memory nothing is written, so nothing fails", () => {
  const manager = SessionManager.inMemory("/w");
  for (const [, value] of unwritable) manager.appendCustomEntry("e", value);
  assert.equal(manager.getEntries().length, 4);
});

test("a first message that cannot be written leaves no file", (t) => {
  const manager = SessionManager.create("/w", tempDir(t));
  const model = manager.appendModelChange("p", "m");
  const before = seen(manager);
  assert.throws(() => manager.appendMessage({ ...user(), n: 1n }));
  assert.deepEqual(seen(manager), before);
  assert.equal(existsSync(manager.getSessionFile()), false);
  const id = manager.appendMessage(user());
  assert.deepEqual(ids(records(manager.getSessionFile())).slice(1), [model, id]);
});

/** A session on disk whose directory is then moved away; `back` undoes that. */
function withoutDirectory(t) {
  const dir = join(tempDir(t), "sessions");
  const manager = SessionManager.create("/w", dir);
  const first = manager.appendMessage(user());
  manager.appendMessage(assistant());
  renameSync(dir, `${dir}.away`);
  return { manager, first, dir, back: () => renameSync(`${dir}.away`, dir) };
}

for (const [name, append] of Object.entries({
  appendMessage: ({ manager }) => manager.appendMessage(user()),
  appendCustomEntry: ({ manager }) => manager.appendCustomEntry("e", {}),
  appendLabelChange: ({ manager, first }) => manager.appendLabelChange(first, "x"),
  appendSessionInfo: ({ manager }) => manager.appendSessionInfo("Name"),
  branchWithSummary: ({ manager, first }) => manager.branchWithSummary(first, "s"),
})) {
  test(`18: ${name} throws while the directory is gone and works when it is back`, (t) => {
    const it = withoutDirectory(t);
    const before = seen(it.manager);
    throwsPlain(() => append(it), naming(it.manager.getSessionFile()));
    assert.deepEqual(seen(it.manager), before);
    it.back();
    const id = append(it);
    assert.deepEqual(ids(records(it.manager.getSessionFile())).slice(1), [...ids(before.entries), id]);
  });
}

test("18: a directory that was deleted and made again gets the whole session", (t) => {
  const { manager, dir, back } = withoutDirectory(t);
  assert.throws(() => manager.appendMessage(user()));
  back();
  rmSync(join(dir, readdirSync(dir)[0]));
  manager.appendMessage(user());
  assert.deepEqual(ids(records(manager.getSessionFile())).slice(1), ids(manager.getEntries()));
  assert.equal(manager.getEntries().length, 3);
});

test("createBranchedSession that cannot write throws and changes nothing", (t) => {
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  const blocked = join(tempDir(t), "blocked");
  const manager = SessionManager.open(path, blocked);
  rmSync(blocked, { recursive: true, force: true });
  writeFileSync(blocked, "a file where the directory was");
  const before = seen(manager);
  throwsPlain(() => manager.createBranchedSession("a1"), naming(blocked));
  assert.deepEqual(seen(manager), before);
  const id = manager.appendMessage(user());
  assert.deepEqual(ids(records(path)), ["h1", "u1", "a1", id]);
});

test("a directory that cannot be made fails the first message, by name", (t) => {
  const dir = join(tempDir(t), "sessions");
  const manager = SessionManager.create("/w", dir);
  rmSync(dir, { recursive: true });
  writeFileSync(dir, "a file where the directory was");
  const before = seen(manager);
  throwsPlain(() => manager.appendMessage(user()), naming(dir));
  assert.deepEqual(seen(manager), before);
  rmSync(dir);
  manager.appendMessage(user());
  assert.equal(lines(manager.getSessionFile()).length, 2);
});

test("an append that fails leaves no other file behind", (t) => {
  const path = session(t, H(), U("u1"));
  const manager = SessionManager.open(path);
  assert.throws(() => manager.appendCustomEntry("e", 1n));
  assert.deepEqual(readdirSync(dirname(path)), ["s.jsonl"]);
});
