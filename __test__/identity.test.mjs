// Which objects are the same and which are fresh. Each claim holds for the reference and for ours.
import assert from "node:assert/strict";
import { inBoth } from "./support/both.mjs";
import { A, C, Custom, CustomMessage, H, L, U, assistant, user } from "./support/entries.mjs";
import { records, session } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

const history = [H(), U("u1"), A("a1", "u1"), Custom("x1", "a1", { n: 1 }), L("l1", "x1", "u1", "mark"), U("u2", "l1")];
const opened = ({ SessionManager }, t) => SessionManager.open(session(t, ...history));

/** A session in memory: user, assistant and custom entry. */
function filled({ SessionManager }) {
  const manager = SessionManager.inMemory("/w");
  const given = [user(), assistant(), { n: 1 }];
  const ids = [manager.appendMessage(given[0]), manager.appendMessage(given[1]), manager.appendCustomEntry("ext", given[2])];
  return { manager, given, ids };
}

/** Every entry object that the manager hands out for `id`. */
function handedOut(manager, id) {
  const inTree = (nodes) => nodes.flatMap((node) => [node.entry, ...inTree(node.children)]);
  const parentId = manager.getEntry(id).parentId;
  return [manager.getEntry(id), ...[manager.getEntries(), manager.getBranch(), inTree(manager.getTree()), manager.getChildren(parentId)]
    .map((entries) => entries.find((entry) => entry.id === id))];
}

inBoth("an entry read from a file is the same object at every call", (module, t) => {
  const manager = opened(module, t);
  for (const id of ["u1", "a1", "x1", "l1", "u2"]) assert.equal(new Set(handedOut(manager, id)).size, 1, id);
  assert.equal(manager.getLeafEntry(), manager.getEntry("u2"));
});

inBoth("an entry appended is the same object at every call", (module) => {
  const { manager, ids } = filled(module);
  for (const id of ids) assert.equal(new Set(handedOut(manager, id)).size, 1);
  assert.equal(manager.getLeafEntry(), manager.getEntry(ids[2]));
});

inBoth("entries read after some were handed out are the same ones", (module, t) => {
  const manager = opened(module, t);
  const one = manager.getEntry("a1");
  assert.equal(manager.getEntries()[1], one);
  manager.appendMessage(user());
  assert.equal(manager.getEntries()[1], one);
});

inBoth("the context holds the messages of the entries, themselves", (module, t) => {
  const manager = opened(module, t);
  const { messages } = manager.buildSessionContext();
  assert.deepEqual(messages.map((message, i) => message === manager.getEntry(["u1", "a1", "u2"][i]).message), [true, true, true]);
});

inBoth("messages kept by a compaction are the stored ones", ({ SessionManager }, t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), U("u2", "u1"), C("c1", "u2", "u2"), A("a1", "c1")));
  const { messages } = manager.buildSessionContext();
  assert.equal(messages[1], manager.getEntry("u2").message);
  assert.equal(messages[2], manager.getEntry("a1").message);
});

inBoth("a custom message and a summary are made anew, with the stored content", ({ SessionManager }, t) => {
  const manager = SessionManager.open(session(t, H(), CustomMessage("x1", null, [{ type: "text", text: "x" }])));
  const [first] = manager.buildSessionContext().messages;
  assert.notEqual(first, manager.buildSessionContext().messages[0]);
  assert.equal(first.content, manager.getEntry("x1").content);
});

inBoth("what was appended is what is found", (module) => {
  const { manager, given, ids } = filled(module);
  assert.equal(manager.getEntry(ids[0]).message, given[0]);
  assert.equal(manager.getEntry(ids[1]).message, given[1]);
  assert.equal(manager.getEntry(ids[2]).data, given[2]);
});

inBoth("details and content given are the ones stored", ({ SessionManager }) => {
  const manager = SessionManager.inMemory("/w");
  const [details, content] = [{}, []];
  const first = manager.appendCompaction("s", "x", 1, details);
  const second = manager.appendCustomMessageEntry("e", content, true, details);
  const third = manager.branchWithSummary(first, "s", details);
  assert.equal(manager.getEntry(first).details, details);
  assert.equal(manager.getEntry(second).content, content);
  assert.equal(manager.getEntry(second).details, details);
  assert.equal(manager.getEntry(third).details, details);
});

inBoth("a change to an entry handed out is seen at later calls", (module, t) => {
  const manager = opened(module, t);
  manager.getEntry("x1").data.n = 2;
  manager.getEntries()[0].message.content = "changed";
  assert.equal(manager.getEntries()[2].data.n, 2);
  assert.equal(manager.buildSessionContext().messages[0].content, "changed");
});

inBoth("an entry appended before the first write is written as it is then", ({ SessionManager }, t) => {
  const manager = SessionManager.create("/w", tempDir(t));
  const data = { n: 1 };
  manager.appendCustomEntry("ext", data);
  data.n = 2;
  manager.appendMessage(user());
  manager.appendMessage(assistant());
  assert.equal(records(manager.getSessionFile())[1].data.n, 2);
});

inBoth("the header is the same object at every call, another one in a new session", (module, t) => {
  const manager = opened(module, t);
  const header = manager.getHeader();
  assert.equal(manager.getHeader(), header);
  manager.appendMessage(user());
  assert.equal(manager.getHeader(), header);
  manager.newSession();
  assert.notEqual(manager.getHeader(), header);
});

inBoth("arrays are fresh: what a caller does to one is not seen by the next", (module, t) => {
  const manager = opened(module, t);
  const arrays = [
    () => manager.getEntries(),
    () => manager.getBranch(),
    () => manager.getTree(),
    () => manager.getChildren("u1"),
    () => manager.buildSessionContext().messages,
  ];
  for (const get of arrays) {
    const first = get();
    const length = first.length;
    assert.notEqual(get(), first);
    first.length = 0;
    first.push("mine");
    assert.equal(get().length, length);
    assert.notEqual(get()[0], "mine");
  }
});

inBoth("an array handed out does not grow with the session", (module, t) => {
  const manager = opened(module, t);
  const [entries, branch] = [manager.getEntries(), manager.getBranch()];
  manager.appendMessage(user());
  assert.equal(entries.length, 5);
  assert.equal(branch.length, 5);
});

inBoth("tree nodes and contexts are fresh", (module, t) => {
  const manager = opened(module, t);
  assert.notEqual(manager.getTree()[0], manager.getTree()[0]);
  assert.notEqual(manager.getTree()[0].children, manager.getTree()[0].children);
  assert.notEqual(manager.buildSessionContext(), manager.buildSessionContext());
  const model = manager.buildSessionContext().model;
  assert.notEqual(model, manager.buildSessionContext().model);
});

inBoth("createBranchedSession keeps the objects of the path", ({ SessionManager }, t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), A("a1", "u1"), U("u2", "a1")));
  const before = manager.getBranch("a1");
  manager.createBranchedSession("a1");
  assert.ok(manager.getEntries().every((entry, i) => entry === before[i]));
  assert.equal(manager.getEntries().length, 2);
});

inBoth("a branch over a label keeps the messages", (module, t) => {
  const manager = opened(module, t);
  const message = manager.getEntry("u2").message;
  manager.createBranchedSession("u2");
  assert.equal(manager.getEntry("u2").message, message);
});

inBoth("messages and entries are plain data: structuredClone takes them", (module, t) => {
  const manager = opened(module, t);
  assert.deepEqual(structuredClone(manager.getEntries()), manager.getEntries());
  assert.deepEqual(structuredClone(manager.buildSessionContext()), manager.buildSessionContext());
  assert.deepEqual(structuredClone(manager.getTree()), manager.getTree());
  assert.deepEqual(structuredClone(manager.getHeader()), manager.getHeader());
});

inBoth("entries have no accessors and are open to change", (module, t) => {
  const manager = opened(module, t);
  for (const object of [manager.getHeader(), ...manager.getEntries(), ...manager.getEntries().map((entry) => entry.message ?? {})]) {
    for (const each of Object.values(Object.getOwnPropertyDescriptors(object))) {
      assert.deepEqual([each.enumerable, each.configurable, each.writable], [true, true, true]);
    }
    assert.equal(Object.getPrototypeOf(object), Object.prototype);
    assert.ok(Object.isExtensible(object));
  }
});

inBoth("migrateSessionEntries and getLatestCompactionEntry work on the caller's objects", (module) => {
  const entries = [H({ version: 2 }), C("c1", null, "x")];
  const before = [...entries];
  module.migrateSessionEntries(entries);
  assert.ok(entries.every((entry, i) => entry === before[i]));
  assert.equal(module.getLatestCompactionEntry(entries), before[1]);
});
