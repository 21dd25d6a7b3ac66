import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, ids, isNow, seen } from "./support/claims.mjs";
import { A, H, U, assistant, bashExecution, toolResult, user } from "./support/entries.mjs";
import { records, session } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

test("appendMessage answers the id of a new entry below the leaf", () => {
  const manager = SessionManager.inMemory("/w");
  const message = user();
  const first = manager.appendMessage(message);
  assert.match(first, /^[0-9a-f]{8}$/);
  const entry = manager.getEntry(first);
  isNow(entry.timestamp);
  exactly(entry, { type: "message", id: first, parentId: null, timestamp: entry.timestamp, message });
  const second = manager.appendMessage(assistant());
  assert.equal(manager.getEntry(second).parentId, first);
  assert.equal(manager.getLeafId(), second);
});

test("appendMessage keeps the very object", () => {
  const manager = SessionManager.inMemory("/w");
  const message = user();
  assert.equal(manager.getEntry(manager.appendMessage(message)).message, message);
});

test("appendMessage adds one line, with the message as it is at that moment", (t) => {
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  const manager = SessionManager.open(path);
  const message = { ...user("text"), extra: undefined, more: { b: 1, a: [undefined, null] } };
  const id = manager.appendMessage(message);
  message.content = "changed";
  const added = records(path).slice(3);
  exactly(added, [
    {
      type: "message",
      id,
      parentId: "a1",
      timestamp: manager.getEntry(id).timestamp,
      message: { role: "user", content: "text", timestamp: message.timestamp, more: { b: 1, a: [null, null] } },
    },
  ]);
});

test("a new session's file holds everything from the header on once a conversation began", (t) => {
  const manager = SessionManager.create("/w", tempDir(t));
  const appended = [
    manager.appendModelChange("p", "m"),
    manager.appendMessage(user()),
    manager.appendMessage(assistant()),
    manager.appendMessage(toolResult()),
    manager.appendMessage(bashExecution()),
  ];
  const [header, ...entries] = records(manager.getSessionFile());
  assert.equal(header.id, manager.getSessionId());
  assert.deepEqual(ids(entries), appended);
});

for (const role of ["toolResult", "bashExecution", "custom", "system", "someday"]) {
  test(`appendMessage takes a message of role ${role}`, (t) => {
    const path = session(t, H(), U("u1"), A("a1", "u1"));
    const manager = SessionManager.open(path);
    const message = { role, content: "c", timestamp: 1 };
    const id = manager.appendMessage(message);
    exactly(SessionManager.open(path).getEntry(id).message, message);
  });
}

test("toJSON of a message decides what is written", (t) => {
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  const manager = SessionManager.open(path);
  const message = { role: "user", content: "c", toJSON: () => ({ role: "user", content: "from toJSON" }) };
  const id = manager.appendMessage(message);
  assert.equal(manager.getEntry(id).message, message);
  assert.deepEqual(records(path).at(-1).message, { role: "user", content: "from toJSON" });
});

for (const wrong of [undefined, null]) {
  test(`appendMessage(${wrong}) to a file throws and changes nothing`, (t) => {
    const path = session(t, H(), U("u1"));
    const manager = SessionManager.open(path);
    const before = seen(manager);
    assert.throws(() => manager.appendMessage(wrong));
    assert.deepEqual(seen(manager), before);
    assert.equal(records(path).length, 2);
  });
}
