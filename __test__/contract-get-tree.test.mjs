import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly } from "./support/claims.mjs";
import { A, H, L, T, U, user } from "./support/entries.mjs";
import { session } from "./support/files.mjs";

const tree = (t, ...entries) => SessionManager.open(session(t, H(), ...entries)).getTree();
/** A tree as nested ids: [id, ...children]. */
const outline = (nodes) => nodes.map((node) => [node.entry.id, ...outline(node.children)]);

test("getTree of an empty session is empty", () => {
  assert.deepEqual(SessionManager.inMemory("/w").getTree(), []);
});

test("getTree nests entries below their parents", (t) => {
  const nodes = tree(t, U("u1"), A("a1", "u1"), U("u2", "a1"), U("u3", "a1"));
  assert.deepEqual(outline(nodes), [["u1", ["a1", ["u2"], ["u3"]]]]);
});

test("a node has entry, children, label and label time, in this order, also without a label", (t) => {
  exactly(tree(t, U("u1")), [{ entry: U("u1"), children: [], label: undefined, labelTimestamp: undefined }]);
});

test("a labelled node carries the label and the time of the label entry", (t) => {
  const label = { ...L("l1", "u1", "u1", "mark"), timestamp: "2025-03-03T00:00:00.000Z" };
  const [node] = tree(t, U("u1"), label);
  assert.equal(node.label, "mark");
  assert.equal(node.labelTimestamp, label.timestamp);
});

test("a label that was cleared leaves neither label nor time", (t) => {
  const [node] = tree(t, U("u1"), L("l1", "u1", "u1", "mark"), L("l2", "l1", "u1"));
  assert.equal(node.label, undefined);
  assert.equal(node.labelTimestamp, undefined);
});

test("orphans and entries that are their own parent are roots", (t) => {
  assert.deepEqual(outline(tree(t, U("u1"), A("a1", "gone"), U("u2", "u2"), U("u3", "a1"))), [["u1"], ["a1", ["u3"]], ["u2"]]);
});

test("children are sorted by time, equal times in the order of the file; roots are not", (t) => {
  const at = (entry, timestamp) => ({ ...entry, timestamp });
  const nodes = tree(
    t,
    at(U("r2"), "2025-01-09T00:00:00.000Z"),
    at(U("late", "r2"), "2025-01-03T00:00:00.000Z"),
    at(U("same1", "r2"), "2025-01-02T00:00:00.000Z"),
    at(U("same2", "r2"), "2025-01-02T01:00:00.000+01:00"),
    at(U("early", "r2"), "2025-01-01T00:00:00.000Z"),
    at(U("r1"), T),
  );
  assert.deepEqual(outline(nodes), [["r2", ["early"], ["same1"], ["same2"], ["late"]], ["r1"]]);
});

test("getTree shows what was appended since", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), A("a1", "u1")));
  manager.branch("u1");
  const id = manager.appendMessage(user());
  assert.deepEqual(outline(manager.getTree()), [["u1", ["a1"], [id]]]);
  manager.appendLabelChange(id, "new");
  assert.equal(manager.getTree()[0].children[1].label, "new");
});

test("nodes are the caller's own: a label written on one is gone at the next call", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), A("a1", "u1")));
  const [node] = manager.getTree();
  node.label = "mine";
  node.children.pop();
  const [again] = manager.getTree();
  assert.equal(again.label, undefined);
  assert.equal(again.children.length, 1);
});
