// Recipes 23 to 30 of the case list: labels, branches, compactions, large trees.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, ids } from "./support/claims.mjs";
import { A, C, E, H, L, U, user } from "./support/entries.mjs";
import { file, line, records, session, writeSession } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

/** A session of `n` entries, each the child of the one before. */
function chain(t, n) {
  const entries = Array.from({ length: n }, (_, i) => line(U(`e${i}`, i === 0 ? null : `e${i - 1}`, "x")));
  return file(t, `${line(H())}\n${entries.join("\n")}\n`);
}
const said = ({ messages }) => messages.map((message) => message.summary ?? message.content?.[0]?.text ?? message.content);

test("23: a branch over a label is a chain, with the label made again at its end", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), L("l1", "u1", "u1", "mark"), A("a1", "l1"), U("u2", "a1")));
  manager.createBranchedSession("u2");
  const branch = manager.getBranch();
  assert.equal(branch.length, 4);
  assert.deepEqual(ids(branch).slice(0, 3), ["u1", "a1", "u2"]);
  assert.deepEqual([branch[3].type, branch[3].targetId, branch[3].label], ["label", "u1", "mark"]);
  assert.equal(manager.getLeafId(), branch[3].id);
  exactly(records(manager.getSessionFile()).slice(1), branch);
});

test("24: a new session has no label and no label time of the old one", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), L("l1", "u1", "u1", "mark")));
  const path = manager.newSession();
  assert.equal(manager.getLabel("u1"), undefined);
  // Another program makes the file first, with an entry of the same id.
  writeSession(path, H({ id: "h2" }), U("u1"));
  manager.appendMessage(user());
  const [node] = manager.getTree();
  assert.deepEqual([node.entry.id, node.label, node.labelTimestamp], ["u1", undefined, undefined]);
});

test("25: branchWithSummary comes from the leaf that was left", (t) => {
  const manager = SessionManager.open(session(t, H(), U("a"), A("b", "a")));
  assert.equal(manager.getEntry(manager.branchWithSummary("a", "s")).fromId, "b");
});

test("26: a chain of 120,000 entries is walked in linear time", (t) => {
  const manager = SessionManager.open(chain(t, 120_000));
  const start = performance.now();
  assert.equal(manager.getBranch().length, 120_000);
  assert.equal(manager.buildSessionContext().messages.length, 120_000);
  assert.ok(performance.now() - start < 10_000, "within seconds");
});

test("26: a tree 20,000 deep meets no recursion limit", (t) => {
  let [node] = SessionManager.open(chain(t, 20_000)).getTree();
  let depth = 0;
  for (; node; [node] = node.children) depth += 1;
  assert.equal(depth, 20_000);
});

test("27: a compaction whose kept entry is gone leaves the summary and what follows", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), A("a1", "u1"), C("c1", "a1", "gone"), U("u2", "c1")));
  assert.deepEqual(said(manager.buildSessionContext()), ["c1 sums up", "u2 asks"]);
});

test("28: of two compactions the second counts, and keeps from before the first", (t) => {
  const manager = SessionManager.open(
    session(t, H(), U("a"), U("b", "a"), C("c1", "b", "b"), U("c", "c1"), C("c2", "c", "b"), U("d", "c2")),
  );
  assert.deepEqual(said(manager.buildSessionContext()), ["c2 sums up", "b asks", "c asks", "d asks"]);
});

test("29: a session branched off before the first answer is on disk", (t) => {
  const manager = SessionManager.create("/w", tempDir(t));
  const id = manager.appendMessage(user());
  const path = manager.createBranchedSession(id);
  assert.ok(existsSync(path));
  assert.deepEqual(ids(SessionManager.open(path).getEntries()), [id]);
});

test("30: null content is an empty array in the context, in a copy", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1", null, null)));
  exactly(manager.buildSessionContext().messages, [{ ...user(), content: [] }]);
  assert.equal(manager.getEntry("u1").message.content, null);
});

test("30: an array with a null block is in the context as it is", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1", null, [null, { type: "text", text: "x" }])));
  assert.equal(manager.buildSessionContext().messages[0], manager.getEntry("u1").message);
  exactly(manager.buildSessionContext().messages[0].content, [null, { type: "text", text: "x" }]);
});

test("30: sessions with null content or a null block are listed", async (t) => {
  for (const content of [null, [null, { type: "text", text: "x" }]]) {
    const path = session(t, H(), E("u1", null, user(content)), U("u2", "u1", "y"));
    const [info] = await SessionManager.list("/w", dirname(path));
    assert.equal(info.messageCount, 2);
    assert.equal(info.allMessagesText, content === null ? "y" : "x y");
  }
});
