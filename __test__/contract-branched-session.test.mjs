import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, ids, seen, throwsPlain } from "./support/claims.mjs";
import { A, H, L, Model, T, U, assistant, user } from "./support/entries.mjs";
import { records, session, untouched } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

const fourMessages = [H(), U("u1"), A("a1", "u1"), U("u2", "a1"), A("a2", "u2")];

test("createBranchedSession writes the path to an entry as a session of its own", (t) => {
  const path = session(t, ...fourMessages, U("u3", "a1"), A("a3", "u3"));
  const manager = SessionManager.open(path);
  const branched = untouched(path, () => manager.createBranchedSession("a2"));
  const [header, ...entries] = records(branched);
  exactly(header, {
    type: "session",
    version: 3,
    id: manager.getSessionId(),
    timestamp: header.timestamp,
    cwd: "/w",
    parentSession: path,
  });
  assert.notEqual(header.id, "h1");
  exactly(entries, fourMessages.slice(1));
  assert.equal(basename(branched), `${header.timestamp.replace(/[:.]/g, "-")}_${header.id}.jsonl`);
  assert.equal(dirname(branched), dirname(path));
});

test("the manager goes on in the branched session", (t) => {
  const manager = SessionManager.open(session(t, ...fourMessages));
  const branched = manager.createBranchedSession("a1");
  assert.equal(manager.getSessionFile(), branched);
  assert.deepEqual(ids(manager.getEntries()), ["u1", "a1"]);
  assert.equal(manager.getLeafId(), "a1");
  assert.equal(manager.getEntry("a2"), undefined);
  const id = manager.appendMessage(user());
  assert.deepEqual(ids(records(branched)).slice(1), ["u1", "a1", id]);
  assert.equal(records(branched)[3].parentId, "a1");
});

test("a branched session and a later message leave nothing else in the directory", (t) => {
  const path = session(t, ...fourMessages);
  const manager = SessionManager.open(path);
  const branched = manager.createBranchedSession("a2");
  manager.appendMessage(user());
  assert.deepEqual(readdirSync(dirname(path)).sort(), [basename(branched), "s.jsonl"].sort());
});

test("labels on the path are made again at its end, with their times", (t) => {
  const label = { ...L("l1", "a1", "u1", "mark"), timestamp: "2025-02-02T00:00:00.000Z" };
  const manager = SessionManager.open(session(t, H(), U("u1"), A("a1", "u1"), label, U("u3", "u1")));
  const branched = manager.createBranchedSession("a1");
  const again = records(branched).at(-1);
  exactly(again, {
    type: "label",
    id: again.id,
    parentId: "a1",
    timestamp: "2025-02-02T00:00:00.000Z",
    targetId: "u1",
    label: "mark",
  });
  assert.notEqual(again.id, "l1");
  assert.equal(manager.getLeafId(), again.id);
  assert.equal(manager.getTree()[0].labelTimestamp, label.timestamp);
});

test("labels follow each other in the order they were set; cleared and foreign ones are left out", (t) => {
  const manager = SessionManager.open(
    session(t, H(), U("u1"), A("a1", "u1"), U("u2", "a1"), L("l1", "u2", "a1", "one"), L("l2", "l1", "u1", "two"),
      L("l3", "l2", "u2", "off the path"), L("l4", "l3", "a1"), L("l5", "l4", "a1", "last")),
  );
  const branched = manager.createBranchedSession("a1");
  const labels = records(branched).slice(3);
  assert.deepEqual(labels.map((each) => [each.targetId, each.label]), [["u1", "two"], ["a1", "last"]]);
  assert.deepEqual(labels.map((each) => each.parentId), ["a1", labels[0].id]);
});

test("a label set again keeps its place in that order, and has its last time", (t) => {
  const again = { ...L("l3", "l2", "u1", "three"), timestamp: "2025-02-02T00:00:00.000Z" };
  const manager = SessionManager.open(
    session(t, H(), U("u1"), A("a1", "u1"), L("l1", "a1", "u1", "one"), L("l2", "l1", "a1", "two"), again),
  );
  const labels = records(manager.createBranchedSession("a1")).slice(3);
  assert.deepEqual(labels.map((each) => [each.label, each.timestamp]), [["three", again.timestamp], ["two", T]]);
});

test("createBranchedSession without an id branches off at the leaf", (t) => {
  const manager = SessionManager.open(session(t, ...fourMessages));
  manager.branch("a1");
  manager.createBranchedSession(undefined);
  assert.deepEqual(ids(manager.getEntries()), ["u1", "a1"]);
});

test("createBranchedSession in memory answers undefined and has no parent session", () => {
  const manager = SessionManager.inMemory("/w");
  const first = manager.appendMessage(user());
  const second = manager.appendMessage(assistant());
  const label = manager.appendLabelChange(first, "mark");
  const before = manager.getSessionId();
  const labelTime = manager.getEntry(label).timestamp;
  assert.equal(manager.createBranchedSession(second), undefined);
  assert.notEqual(manager.getSessionId(), before);
  assert.deepEqual(ids(manager.getEntries()).slice(0, 2), [first, second]);
  exactly(manager.getHeader(), {
    type: "session",
    version: 3,
    id: manager.getSessionId(),
    timestamp: manager.getHeader().timestamp,
    cwd: "/w",
    parentSession: undefined,
  });
  exactly(manager.getLeafEntry(), {
    type: "label",
    id: manager.getLeafId(),
    parentId: second,
    timestamp: labelTime,
    targetId: first,
    label: "mark",
  });
});

test("a path without a user or assistant message is written with the first of them", (t) => {
  const manager = SessionManager.open(session(t, H(), Model("m1", null, "p", "x"), U("u1", "m1"), A("a1", "u1")));
  const branched = manager.createBranchedSession("m1");
  assert.equal(existsSync(branched), false);
  const id = manager.appendMessage(user());
  manager.appendMessage(assistant());
  assert.deepEqual(ids(records(branched)).slice(1, 3), ["m1", id]);
});

for (const unknown of ["nope", ""]) {
  test(`createBranchedSession(${JSON.stringify(unknown)}) throws and changes nothing`, (t) => {
    const path = session(t, ...fourMessages);
    const manager = SessionManager.open(path);
    const before = seen(manager);
    throwsPlain(() => manager.createBranchedSession(unknown), `Entry ${unknown} not found`);
    assert.deepEqual(seen(manager), before);
    assert.deepEqual(readdirSync(dirname(path)), ["s.jsonl"]);
  });
}

test("createBranchedSession of an empty session throws", (t) => {
  const manager = SessionManager.create("/w", tempDir(t));
  throwsPlain(() => manager.createBranchedSession(), "Entry undefined not found");
  throwsPlain(() => manager.createBranchedSession(null), "Entry null not found");
});
