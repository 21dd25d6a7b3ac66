// Recipes 10, 11 and 14 to 17 of the case list: old versions, first writes, odd trees.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, ids } from "./support/claims.mjs";
import { A, C, H, H1, U, assistant, old, user } from "./support/entries.mjs";
import { jsonlIn, records, session, untouched } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

test("10: a fork of version 1 has ids and a chain; its source is left as it is", (t) => {
  const source = session(t, H1(), old(U("u")), old(A("a")));
  const fork = untouched(source, () => SessionManager.forkFrom(source, "/x", tempDir(t)));
  assert.equal(fork.getBranch().length, 2);
  const [header, first, second] = records(fork.getSessionFile());
  assert.equal(header.version, 3);
  assert.deepEqual([first.parentId, second.parentId], [null, first.id]);
});

/** A version 1 session of two messages and a compaction that keeps from `index`, opened. */
function withIndex(t, index, ...later) {
  const { firstKeptEntryId, ...compaction } = old(C("c"));
  const path = session(t, H1(), old(U("u")), old(A("a")), { ...compaction, firstKeptEntryIndex: index }, ...later);
  const manager = SessionManager.open(path);
  const found = manager.getEntries()[2];
  assert.ok(!Object.hasOwn(found, "firstKeptEntryIndex"));
  return { manager, found, written: records(path)[3] };
}

test("11: a kept index becomes the id of that entry", (t) => {
  const { manager, found, written } = withIndex(t, 1);
  assert.equal(found.firstKeptEntryId, manager.getEntries()[0].id);
  exactly(written, found);
});

for (const [what, index] of [["the header's", 0], ["one past the end", 99], ["a negative one", -1], ["a fraction", 1.5]]) {
  test(`11: for ${what} there is no kept id`, (t) => {
    const { found, written } = withIndex(t, index);
    assert.ok(!Object.hasOwn(found, "firstKeptEntryId"));
    assert.ok(!Object.hasOwn(written, "firstKeptEntryId"));
  });
}

test("11: the index of a later entry leaves an own key that holds undefined, absent from the file", (t) => {
  const { found, written } = withIndex(t, 4, old(U("later")));
  assert.ok(Object.hasOwn(found, "firstKeptEntryId"));
  assert.equal(found.firstKeptEntryId, undefined);
  assert.ok(!Object.hasOwn(written, "firstKeptEntryId"));
});

test("11: the index counts lines that were read, so the context keeps the right ones", (t) => {
  const { manager } = withIndex(t, 2, old(U("later")));
  const { messages } = manager.buildSessionContext();
  assert.deepEqual(messages.map((message) => message.role), ["compactionSummary", "assistant", "user"]);
});

test("14: a prompt is in the file once appendMessage returned, whatever kills the process", async (t) => {
  const dir = tempDir(t);
  const source = `
    import { SessionManager } from ${JSON.stringify(new URL("../index.js", import.meta.url).href)};
    const manager = SessionManager.create("/w", ${JSON.stringify(dir)});
    manager.appendMessage({ role: "user", content: "do not lose me" });
    process.stdout.write("appended");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const said = await Promise.race([once(child.stdout, "data"), exited]);
  assert.equal(String(said), "appended");
  child.kill("SIGKILL");
  await exited;
  const [name] = jsonlIn(dir);
  const [header, entry, ...rest] = records(join(dir, name));
  assert.equal(header.type, "session");
  assert.equal(entry.message.content, "do not lose me");
  assert.deepEqual(rest, []);
});

test("15: a session without an assistant message is continued, not begun again", (t) => {
  const path = session(t, H(), U("u1"));
  const manager = SessionManager.open(path);
  const model = manager.appendModelChange("p", "m");
  const answer = manager.appendMessage(assistant());
  assert.deepEqual(ids(records(path)), ["h1", "u1", model, answer]);
});

for (const [what, second] of [["the same parent", null], ["a parent that makes a circle", "a1"]]) {
  test(`16: ids repeated, with ${what}`, (t) => {
    const all = [U("u1"), A("a1", "u1"), U("u1", second, "again"), A("a1", "u1", "again")];
    const manager = SessionManager.open(session(t, H(), ...all));
    exactly(manager.getEntries(), all);
    assert.deepEqual(ids(manager.getBranch()), ["u1", "a1"]);
    assert.equal(manager.getEntry("u1"), manager.getEntries()[2]);
    const shown = [];
    const walk = (nodes) => nodes.forEach((node) => (shown.push(node.entry.id), walk(node.children)));
    walk(manager.getTree());
    assert.equal(new Set(shown).size, shown.length);
    if (second === null) assert.deepEqual(shown, ["u1", "a1"]);
  });
}

test("17: a circle of parents ends at the first repeat", (t) => {
  const manager = SessionManager.open(session(t, H(), U("a", "b"), U("b", "a")));
  assert.deepEqual(ids(manager.getBranch()), ["a", "b"]);
  assert.equal(manager.buildSessionContext().messages.length, 2);
  assert.ok(Array.isArray(manager.getTree()));
  manager.appendMessage(user());
  assert.equal(manager.getBranch().length, 3);
});

test("17: an entry that is its own parent is a root", (t) => {
  const manager = SessionManager.open(session(t, H(), U("a", "a"), U("b", "a")));
  assert.deepEqual(ids(manager.getBranch()), ["a", "b"]);
  assert.deepEqual(ids(manager.getBranch("a")), ["a"]);
  assert.equal(manager.buildSessionContext().messages.length, 2);
  const [root] = manager.getTree();
  assert.deepEqual([root.entry.id, ids(root.children.map((node) => node.entry))], ["a", ["b"]]);
});
