import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, isNow, seen, throwsPlain } from "./support/claims.mjs";
import { A, H, U } from "./support/entries.mjs";
import { records, session } from "./support/files.mjs";

function opened(t) {
  const path = session(t, H(), U("u1"), A("a1", "u1"), U("u2", "a1"));
  return { path, manager: SessionManager.open(path) };
}

test("branchWithSummary records the summary below the entry it returns to", (t) => {
  const { path, manager } = opened(t);
  const details = { readFiles: [] };
  const id = manager.branchWithSummary("u1", "what was tried", details, true);
  const { timestamp } = manager.getEntry(id);
  isNow(timestamp);
  const entry = {
    type: "branch_summary", id, parentId: "u1", timestamp, fromId: "u2", summary: "what was tried", details, fromHook: true,
  };
  exactly(manager.getEntry(id), entry);
  exactly(records(path).at(-1), entry);
  assert.equal(manager.getEntry(id).details, details);
  assert.equal(manager.getLeafId(), id);
});

test("branchWithSummary without details has both keys in memory and neither in the file", (t) => {
  const { path, manager } = opened(t);
  const id = manager.branchWithSummary("u1", "");
  const keys = ["type", "id", "parentId", "timestamp", "fromId", "summary", "details", "fromHook"];
  assert.deepEqual(Object.keys(manager.getEntry(id)), keys);
  assert.deepEqual(Object.keys(records(path).at(-1)), keys.slice(0, 6));
});

test("branchWithSummary to null starts at the root", (t) => {
  const { manager } = opened(t);
  const id = manager.branchWithSummary(null, "all of it");
  assert.equal(manager.getEntry(id).parentId, null);
  assert.equal(manager.getEntry(id).fromId, "u2");
  assert.deepEqual(manager.getBranch(), [manager.getEntry(id)]);
});

test('branchWithSummary from before the first entry comes from "root"', (t) => {
  const { manager } = opened(t);
  manager.resetLeaf();
  assert.equal(manager.getEntry(manager.branchWithSummary("a1", "s")).fromId, "root");
});

test("the summary is part of the context", (t) => {
  const { manager } = opened(t);
  const id = manager.branchWithSummary("u1", "what was tried");
  exactly(manager.buildSessionContext().messages[1], {
    role: "branchSummary",
    summary: "what was tried",
    fromId: "u2",
    timestamp: Date.parse(manager.getEntry(id).timestamp),
  });
});

for (const unknown of ["nope", "", undefined]) {
  test(`branchWithSummary to ${JSON.stringify(unknown)} throws and changes nothing`, (t) => {
    const { path, manager } = opened(t);
    const before = seen(manager);
    throwsPlain(() => manager.branchWithSummary(unknown, "s"), `Entry ${unknown} not found`);
    assert.deepEqual(seen(manager), before);
    assert.equal(records(path).length, 4);
  });
}
