// Section 5, rules 9 to 13: branches over labels, summaries, forks of old versions, ids, null content.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionManager, buildSessionContext } from "../index.js";
import { exactly, ids, seen, throwsPlain } from "./support/claims.mjs";
import { A, C, CustomMessage, E, H, H1, L, MS, U, assistant, old, toolResult, user } from "./support/entries.mjs";
import { records, session, untouched } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

test("9: parents are re-chained over labels that are left out, in copies that keep the message", (t) => {
  const path = session(t, H(), U("u1"), L("l1", "u1", "u1", "x"), L("l2", "l1", "u1"), A("a1", "l2"), U("u2", "a1"));
  const manager = SessionManager.open(path);
  const [a1, u2] = [manager.getEntry("a1"), manager.getEntry("u2")];
  const branched = manager.createBranchedSession("u2");
  exactly(manager.getEntries(), [U("u1"), A("a1", "u1"), U("u2", "a1")]);
  exactly(records(branched).slice(1), manager.getEntries());
  assert.equal(a1.parentId, "l2", "the old object is as it was");
  assert.equal(manager.getEntry("a1").message, a1.message);
  assert.equal(manager.getEntry("u2"), u2, "an entry that does not change is the same object");
});

test("9: an entry below labels at the root becomes a root", (t) => {
  const manager = SessionManager.open(session(t, H(), L("l1", null, "u1", "x"), U("u1", "l1")));
  manager.createBranchedSession("u1");
  assert.equal(manager.getEntry("u1").parentId, null);
  assert.equal(manager.getBranch().length, 2);
});

test("9: a compaction that keeps from a removed label keeps from the next kept entry", (t) => {
  const path = session(t, H(), U("u1"), L("l1", "u1", "u1", "x"), L("l2", "l1", "u1", "y"), U("u2", "l2"), C("c1", "u2", "l1"), A("a1", "c1"));
  const manager = SessionManager.open(path);
  const before = manager.buildSessionContext();
  const branched = manager.createBranchedSession("a1");
  assert.equal(manager.getEntry("c1").firstKeptEntryId, "u2");
  assert.equal(records(branched).find((each) => each.id === "c1").firstKeptEntryId, "u2");
  exactly(manager.buildSessionContext(), before);
});

test("9: in memory too", () => {
  const manager = SessionManager.inMemory("/w");
  const first = manager.appendMessage(user());
  manager.appendLabelChange(first, "mark");
  const second = manager.appendMessage(assistant());
  manager.createBranchedSession(second);
  assert.deepEqual(ids(manager.getBranch()).slice(0, 2), [first, second]);
  assert.equal(manager.getBranch().length, 3);
});

test("10: branchWithSummary in a tree comes from the leaf, not from its target", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), A("a1", "u1"), U("u2", "a1"), U("u3", "u1")));
  manager.branch("u2");
  assert.equal(manager.getEntry(manager.branchWithSummary("u1", "s")).fromId, "u2");
  const summary = manager.getLeafId();
  assert.equal(manager.getEntry(manager.branchWithSummary(null, "s")).fromId, summary);
});

test("11: a fork of version 1 or 2 is of version 3; its source keeps its bytes", (t) => {
  for (const all of [[H1(), old(U("u")), old(E("k", null, { role: "hookMessage" }))], [H({ version: 2 }), U("u1"), E("k1", "u1", { role: "hookMessage" })]]) {
    const source = session(t, ...all);
    const fork = untouched(source, () => SessionManager.forkFrom(source, "/x", tempDir(t)));
    const [header, first, second] = records(fork.getSessionFile());
    assert.equal(header.version, 3);
    assert.equal(second.parentId, first.id);
    assert.equal(second.message.role, "custom");
    exactly(fork.getEntries(), [first, second]);
  }
});

test("11: newSession and setSessionFile forget label times", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), L("l1", "u1", "u1", "mark")));
  manager.setSessionFile(session(t, H({ id: "h2" }), U("u1")));
  const [node] = manager.getTree();
  assert.deepEqual([node.label, node.labelTimestamp], [undefined, undefined]);
});

for (const id of ["a", "A1", "0", "a.b-c_d", "a..b", "x".repeat(100), "01a22fca-bbe0-73e2-a047-4337f68591e4"]) {
  test(`12: ${id} is an id`, (t) => {
    const manager = SessionManager.create("/w", tempDir(t));
    manager.newSession({ id });
    assert.equal(manager.getSessionId(), id);
    manager.appendMessage(user());
    assert.equal(records(manager.getSessionFile())[0].id, id);
  });
}

test("12: a long id names files of a new session, a branch and their like", (t) => {
  const id = `a${"-".repeat(218)}b`;
  const manager = SessionManager.create("/w", tempDir(t));
  const path = manager.newSession({ id });
  manager.appendMessage(user());
  assert.equal(SessionManager.open(path).getSessionId(), id);
});

for (const id of ["", ".", "..", "-a", "a-", "_a", "a_", ".a", "a.", "a b", "a\n", "a/b", "a\\b", "a\0", "é", "a:b"]) {
  test(`12: ${JSON.stringify(id)} is no id, on disk or in memory`, (t) => {
    for (const manager of [SessionManager.create("/w", tempDir(t)), SessionManager.inMemory("/w")]) {
      const before = seen(manager);
      throwsPlain(() => manager.newSession({ id }), /[Ss]ession id/);
      assert.deepEqual(seen(manager), before);
    }
  });
}

const { content: _, ...withoutContent } = user();
for (const [what, message, expected] of [
  ["a user message without content", withoutContent, []],
  ["a user message of null", user(null), []],
  ["an assistant message of null", { ...assistant(), content: null }, []],
  ["a tool result of null", { ...toolResult(), content: null }, []],
  ["a custom message of null", { role: "custom", customType: "e", content: null, display: true, timestamp: MS }, []],
  ["a system message of null", { role: "system", content: null }, ""],
  ["a system message without content", { role: "system" }, ""],
]) {
  test(`13: ${what} has ${JSON.stringify(expected)} in the context, in a copy`, (t) => {
    const manager = SessionManager.open(session(t, H(), E("x1", null, message)));
    const entries = [E("x1", null, message)];
    for (const [context, stored] of [[manager.buildSessionContext(), manager.getEntry("x1")], [buildSessionContext(entries), entries[0]]]) {
      assert.deepEqual(context.messages, [{ ...message, content: expected }]);
      assert.notEqual(context.messages[0], stored.message);
      assert.deepEqual(stored.message, message, "the stored entry is as it was");
    }
  });
}

for (const message of [user(""), user([]), { role: "bashExecution", content: null }, { role: "someday" }, { ...toolResult(), content: 0 }]) {
  test(`13: ${message.role} with ${JSON.stringify(message.content)} is the stored object`, () => {
    const entries = [E("x1", null, message)];
    assert.equal(buildSessionContext(entries).messages[0], message);
  });
}

test("13: a custom message entry of null has [] in the context", (t) => {
  const manager = SessionManager.open(session(t, H(), CustomMessage("x1", null, null)));
  assert.deepEqual(manager.buildSessionContext().messages[0].content, []);
  assert.equal(manager.getEntry("x1").content, null);
});

test("13: an entry without a message is left out", (t) => {
  const { message, ...bare } = U("u2", "u1");
  const entries = [U("u1"), bare, { ...U("u3", "u2"), message: null }, U("u4", "u3")];
  const contexts = [SessionManager.open(session(t, H(), ...entries)).buildSessionContext(), buildSessionContext(entries)];
  for (const { messages } of contexts) assert.deepEqual(messages.map((each) => each.content), ["u1 asks", "u4 asks"]);
});
