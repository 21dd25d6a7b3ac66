// appendCompaction, appendCustomEntry, appendCustomMessageEntry and appendLabelChange.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, isNow, seen, throwsPlain } from "./support/claims.mjs";
import { A, H, U } from "./support/entries.mjs";
import { records, session } from "./support/files.mjs";

function opened(t) {
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  const manager = SessionManager.open(path);
  return { manager, path, last: () => records(path).at(-1) };
}

test("appendCompaction records summary, kept entry and size, with details and hook", (t) => {
  const { manager, last } = opened(t);
  const details = { readFiles: ["x"], modifiedFiles: [] };
  const id = manager.appendCompaction("sum", "u1", 1234, details, true);
  const { timestamp } = manager.getEntry(id);
  isNow(timestamp);
  const entry = {
    type: "compaction", id, parentId: "a1", timestamp, summary: "sum", firstKeptEntryId: "u1", tokensBefore: 1234,
    details, fromHook: true,
  };
  exactly(manager.getEntry(id), entry);
  exactly(last(), entry);
  assert.equal(manager.getEntry(id).details, details);
});

test("appendCompaction without details has both keys in memory and neither in the file", (t) => {
  const { manager, last } = opened(t);
  const id = manager.appendCompaction("sum", "u1", 1);
  const { timestamp } = manager.getEntry(id);
  const entry = { type: "compaction", id, parentId: "a1", timestamp, summary: "sum", firstKeptEntryId: "u1", tokensBefore: 1 };
  exactly(manager.getEntry(id), { ...entry, details: undefined, fromHook: undefined });
  exactly(last(), entry);
});

test("appendCompaction keeps a kept id that is unknown, empty or null", (t) => {
  const { manager, last } = opened(t);
  for (const kept of ["nope", "", null]) {
    manager.appendCompaction("", kept, 0, null, false);
    assert.equal(last().firstKeptEntryId, kept);
    assert.equal(last().details, null);
    assert.equal(last().fromHook, false);
  }
});

test("appendCustomEntry puts type and data first", (t) => {
  const { manager, last } = opened(t);
  const data = { count: 42 };
  const id = manager.appendCustomEntry("my-ext", data);
  const { timestamp } = manager.getEntry(id);
  const entry = { type: "custom", customType: "my-ext", data, id, parentId: "a1", timestamp };
  exactly(manager.getEntry(id), entry);
  exactly(last(), entry);
  assert.equal(manager.getEntry(id).data, data);
});

test("appendCustomEntry without data has the key in memory and not in the file", (t) => {
  const { manager, last } = opened(t);
  const id = manager.appendCustomEntry("my-ext");
  assert.deepEqual(Object.keys(manager.getEntry(id)), ["type", "customType", "data", "id", "parentId", "timestamp"]);
  assert.deepEqual(Object.keys(last()), ["type", "customType", "id", "parentId", "timestamp"]);
});

test("appendCustomEntry keeps null, scalars and arrays as data", (t) => {
  const { manager, last } = opened(t);
  for (const data of [null, 0, "", [1, [2]]]) {
    manager.appendCustomEntry("", data);
    assert.deepEqual(last().data, data);
  }
});

test("appendCustomMessageEntry records content, display and details", (t) => {
  const { manager, last } = opened(t);
  const content = [{ type: "text", text: "x" }];
  const id = manager.appendCustomMessageEntry("my-ext", content, false, { a: 1 });
  const { timestamp } = manager.getEntry(id);
  const entry = {
    type: "custom_message", customType: "my-ext", content, display: false, details: { a: 1 }, id, parentId: "a1", timestamp,
  };
  exactly(manager.getEntry(id), entry);
  exactly(last(), entry);
  assert.equal(manager.getEntry(id).content, content);
});

test("appendCustomMessageEntry without details has the key in memory and not in the file", (t) => {
  const { manager, last } = opened(t);
  const id = manager.appendCustomMessageEntry("my-ext", "text", true);
  const keys = ["type", "customType", "content", "display", "details", "id", "parentId", "timestamp"];
  assert.deepEqual(Object.keys(manager.getEntry(id)), keys);
  assert.deepEqual(Object.keys(last()), keys.filter((key) => key !== "details"));
});

test("appendLabelChange labels an entry and records it below the leaf", (t) => {
  const { manager, last } = opened(t);
  const id = manager.appendLabelChange("u1", "mark");
  const { timestamp } = manager.getEntry(id);
  const entry = { type: "label", id, parentId: "a1", timestamp, targetId: "u1", label: "mark" };
  exactly(manager.getEntry(id), entry);
  exactly(last(), entry);
  assert.equal(manager.getLabel("u1"), "mark");
  assert.equal(manager.getTree()[0].labelTimestamp, timestamp);
  assert.equal(manager.getLeafId(), id);
});

test("a label of undefined clears: an own key in memory, absent from the file", (t) => {
  const { manager, last } = opened(t);
  manager.appendLabelChange("u1", "mark");
  const id = manager.appendLabelChange("u1", undefined);
  assert.ok(Object.hasOwn(manager.getEntry(id), "label"));
  assert.deepEqual(Object.keys(last()), ["type", "id", "parentId", "timestamp", "targetId"]);
  assert.equal(manager.getLabel("u1"), undefined);
  assert.equal(manager.getTree()[0].labelTimestamp, undefined);
});

for (const none of ["", null]) {
  test(`a label of ${JSON.stringify(none)} clears and is recorded`, (t) => {
    const { manager, last } = opened(t);
    manager.appendLabelChange("u1", "mark");
    manager.appendLabelChange("u1", none);
    assert.equal(manager.getLabel("u1"), undefined);
    assert.equal(last().label, none);
  });
}

test("a label may name a label", (t) => {
  const { manager } = opened(t);
  const id = manager.appendLabelChange("u1", "mark");
  manager.appendLabelChange(id, "on it");
  assert.equal(manager.getLabel(id), "on it");
});

for (const unknown of ["nope", "", undefined, null, "h1"]) {
  test(`appendLabelChange to ${JSON.stringify(unknown)} throws and changes nothing`, (t) => {
    const { manager, path } = opened(t);
    const before = seen(manager);
    throwsPlain(() => manager.appendLabelChange(unknown, "x"), `Entry ${unknown} not found`);
    assert.deepEqual(seen(manager), before);
    assert.equal(records(path).length, 3);
  });
}
