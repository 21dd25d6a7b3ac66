// getLeafId, getLeafEntry, getEntry, getBranch, getChildren, getLabel, branch, resetLeaf.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { ids, seen, throwsPlain } from "./support/claims.mjs";
import { A, H, L, U, user } from "./support/entries.mjs";
import { records, session, untouched } from "./support/files.mjs";

// u1 - a1 - u2
//         \ u3
const forked = [H(), U("u1"), A("a1", "u1"), U("u2", "a1"), U("u3", "a1")];
const opened = (t) => SessionManager.open(session(t, ...forked));

test("the leaf of a new session is null, its entry undefined", () => {
  const manager = SessionManager.inMemory("/w");
  assert.equal(manager.getLeafId(), null);
  assert.equal(manager.getLeafEntry(), undefined);
});

test("the leaf is the last entry of the file, then the last appended", (t) => {
  const manager = opened(t);
  assert.equal(manager.getLeafId(), "u3");
  const id = manager.appendMessage(user());
  assert.equal(manager.getLeafId(), id);
  assert.equal(manager.getLeafEntry(), manager.getEntry(id));
});

test("getEntry finds an entry by its id and nothing else", (t) => {
  const manager = opened(t);
  assert.deepEqual(manager.getEntry("a1"), A("a1", "u1"));
  for (const unknown of ["nope", "", "h1", undefined, null]) assert.equal(manager.getEntry(unknown), undefined);
});

test("getBranch walks from the root to the leaf or to the entry named", (t) => {
  const manager = opened(t);
  assert.deepEqual(ids(manager.getBranch()), ["u1", "a1", "u3"]);
  assert.deepEqual(ids(manager.getBranch("u2")), ["u1", "a1", "u2"]);
  assert.deepEqual(ids(manager.getBranch("u1")), ["u1"]);
});

test("getBranch of null or undefined is the leaf's, of an unknown or empty id is empty", (t) => {
  const manager = opened(t);
  assert.deepEqual(ids(manager.getBranch(null)), ["u1", "a1", "u3"]);
  assert.deepEqual(ids(manager.getBranch(undefined)), ["u1", "a1", "u3"]);
  assert.deepEqual(manager.getBranch("nope"), []);
  assert.deepEqual(manager.getBranch(""), []);
  manager.resetLeaf();
  assert.deepEqual(manager.getBranch(), []);
});

test("getBranch starts where the parent is unknown", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), A("a1", "gone"), U("u2", "a1")));
  assert.deepEqual(ids(manager.getBranch()), ["a1", "u2"]);
});

test("getChildren gives direct children in the order of the file", (t) => {
  const manager = opened(t);
  assert.deepEqual(ids(manager.getChildren("a1")), ["u2", "u3"]);
  assert.deepEqual(ids(manager.getChildren("u1")), ["a1"]);
  assert.deepEqual(manager.getChildren("u2"), []);
  assert.deepEqual(manager.getChildren("nope"), []);
  const id = manager.appendMessage(user());
  assert.deepEqual(ids(manager.getChildren("u3")), [id]);
});

test("getChildren of null gives the roots", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), A("a1", "u1"), U("u2", null)));
  assert.deepEqual(ids(manager.getChildren(null)), ["u1", "u2"]);
  assert.deepEqual(manager.getChildren(undefined), []);
});

test("getChildren of an unknown parent finds its orphans", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), A("a1", "gone")));
  assert.deepEqual(ids(manager.getChildren("gone")), ["a1"]);
});

test("getLabel gives the label last set in the file", (t) => {
  const manager = SessionManager.open(
    session(t, H(), U("u1"), A("a1", "u1"), L("l1", "a1", "u1", "one"), L("l2", "l1", "u1", "two"), L("l3", "l2", "a1", "x"), L("l4", "l3", "a1")),
  );
  assert.equal(manager.getLabel("u1"), "two");
  assert.equal(manager.getLabel("a1"), undefined);
  for (const unknown of ["nope", "", undefined, null]) assert.equal(manager.getLabel(unknown), undefined);
});

test("getLabel does not depend on the leaf", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), A("a1", "u1"), L("l1", "a1", "u1", "one")));
  manager.branch("u1");
  assert.equal(manager.getLabel("u1"), "one");
});

test("branch moves the leaf and writes nothing; the next entry goes below it", (t) => {
  const path = session(t, ...forked);
  const manager = SessionManager.open(path);
  assert.equal(untouched(path, () => manager.branch("u1")), undefined);
  assert.equal(manager.getLeafId(), "u1");
  assert.equal(manager.getEntries().length, 4);
  const id = manager.appendMessage(user());
  assert.equal(manager.getEntry(id).parentId, "u1");
  assert.equal(records(path).at(-1).parentId, "u1");
});

for (const unknown of ["nope", "", undefined, null, "h1"]) {
  test(`branch(${JSON.stringify(unknown)}) throws and leaves the leaf`, (t) => {
    const manager = opened(t);
    const before = seen(manager);
    throwsPlain(() => manager.branch(unknown), `Entry ${unknown} not found`);
    assert.deepEqual(seen(manager), before);
  });
}

test("resetLeaf goes before the first entry; the next one is a root", (t) => {
  const path = session(t, ...forked);
  const manager = SessionManager.open(path);
  assert.equal(untouched(path, () => manager.resetLeaf()), undefined);
  assert.equal(manager.getLeafId(), null);
  assert.equal(manager.getLeafEntry(), undefined);
  const id = manager.appendMessage(user());
  assert.equal(manager.getEntry(id).parentId, null);
  assert.equal(records(path).at(-1).parentId, null);
  assert.deepEqual(ids(manager.getBranch()), [id]);
});
