// Section 5, rule 3: whole records inside damaged lines.
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, ids } from "./support/claims.mjs";
import { A, E, H, H1, L, T, U, old, user } from "./support/entries.mjs";
import { file, line, lines, records, session, untouched } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

const record = line(A("a1", "u1"));
/** The entries read from a session of `u1` and one more line. */
const readWith = (t, damaged) => {
  const path = session(t, H(), U("u1"), damaged);
  return untouched(path, () => SessionManager.open(path).getEntries()).slice(1);
};

for (const cut of [1, 9, 30, 60, 120]) {
  test(`a record behind ${cut} bytes of a torn one is read`, (t) => {
    exactly(readWith(t, line(U("t1", "u1", 'say "{[}" and \\ more')).slice(0, cut) + record), [A("a1", "u1")]);
  });
}

test("a record behind a torn record that ends within a string with an escape is read", (t) => {
  exactly(readWith(t, '{"type":"message","id":"t1","parentId":null,"timestamp":"x","message":{"role":"user","content":"a\\' + record), [A("a1", "u1")]);
});

test("a record in a last line that may not be whole yet is read by the first append, before ours", (t) => {
  const path = file(t, `${line(H())}\n${line(U("u1"))}\n[${record}`);
  const manager = SessionManager.open(path);
  exactly(untouched(path, () => manager.getEntries()), [U("u1")]);
  const added = manager.appendMessage(user("x"));
  assert.deepEqual(ids(manager.getEntries()), ["u1", "a1", added]);
  assert.equal(manager.getEntry(added).parentId, "u1", "the leaf stays ours");
  exactly(SessionManager.open(path).getEntries(), manager.getEntries());
});

test("two and three records on one line are read", (t) => {
  exactly(readWith(t, record + line(U("u2", "a1"))), [A("a1", "u1"), U("u2", "a1")]);
  exactly(readWith(t, `${record} ${line(U("u2", "a1"))}\t${line(A("a2", "u2"))}`), [A("a1", "u1"), U("u2", "a1"), A("a2", "u2")]);
});

test("a record before, behind and between NUL bytes is read", (t) => {
  const nul = "\0".repeat(100);
  exactly(readWith(t, nul + record), [A("a1", "u1")]);
  exactly(readWith(t, record + nul), [A("a1", "u1")]);
  exactly(readWith(t, nul + record + nul + line(U("u2", "a1")) + nul), [A("a1", "u1"), U("u2", "a1")]);
});

test("a record between two torn ones is not followed by one, so it is no record", (t) => {
  assert.deepEqual(readWith(t, `${record}{"type":"mess`), []);
});

for (const [what, tail] of [["text", "xyz"], ["a brace", "}"], ["a comma", ","]]) {
  test(`an object followed by ${what} is no record`, (t) => {
    assert.deepEqual(readWith(t, `{bad${record}${tail}`), []);
  });
}

for (const [what, object] of [
  ["does not start with its type", { id: "x1", type: "message", parentId: null, timestamp: T }],
  ["has no id", { type: "message", parentId: null, timestamp: T }],
  ["has a number as id", { type: "message", id: 5, parentId: null, timestamp: T }],
  ["has no parent", { type: "message", id: "x1", timestamp: T }],
  ["has a number as parent", { type: "message", id: "x1", parentId: 5, timestamp: T }],
  ["has no time", { type: "message", id: "x1", parentId: null }],
  ["has a number as time", { type: "message", id: "x1", parentId: null, timestamp: 5 }],
]) {
  test(`an object that ${what} is not salvaged`, (t) => {
    assert.deepEqual(readWith(t, `{bad${line(object)}`), []);
  });
}

test("a record of an unknown type is salvaged", (t) => {
  const odd = { type: "odd", id: "o1", parentId: "u1", timestamp: T, x: { y: [1] } };
  exactly(readWith(t, `{bad${line(odd)}`), [odd]);
});

test("objects and text inside a whole record are no records", (t) => {
  const inner = U("inner");
  const outer = { ...E("o1", "u1", user(`quoted: ${line(inner)}`)), nested: inner, list: [inner, inner] };
  exactly(readWith(t, line(outer)), [outer]);
  exactly(readWith(t, `{bad${line(outer)}`), [outer]);
  exactly(readWith(t, `{bad${line(outer)}${line(U("u2", "o1"))}`), [outer, U("u2", "o1")]);
});

test("a salvaged label and leaf count", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), `{torn${line(L("l1", "u1", "u1", "mark"))}`));
  assert.equal(manager.getLabel("u1"), "mark");
  assert.equal(manager.getLeafId(), "l1");
});

test("a header is not salvaged as an entry", (t) => {
  assert.deepEqual(readWith(t, `{bad${line(H({ id: "h2" }))}`), []);
});

test("an append leaves a damaged line as it is", (t) => {
  const path = session(t, H(), U("u1"), `{torn${record}`);
  const manager = SessionManager.open(path);
  const id = manager.appendMessage(user());
  assert.equal(lines(path)[2], `{torn${record}`);
  assert.equal(manager.getEntry(id).parentId, "a1");
  assert.deepEqual(ids(SessionManager.open(path).getBranch()), ["u1", "a1", id]);
});

test("a migration puts the salvaged record on its own line, the other bytes on the line before", (t) => {
  const path = session(t, H({ version: 2 }), U("u1"), `{torn${record}`, "{bad", U("u2", "a1"));
  assert.deepEqual(ids(SessionManager.open(path).getEntries()), ["u1", "a1", "u2"]);
  const [header, first, torn, whole, bad, last, ...rest] = lines(path);
  exactly([header, first, whole, last].map((each) => JSON.parse(each)), [H(), U("u1"), A("a1", "u1"), U("u2", "a1")]);
  assert.deepEqual([torn, bad, rest], ["{torn", "{bad", []]);
  assert.deepEqual(ids(untouched(path, () => SessionManager.open(path).getEntries())), ["u1", "a1", "u2"]);
});

test("a migration separates two records on one line", (t) => {
  const path = session(t, H({ version: 2 }), U("u1"), record + line(U("u2", "a1")));
  SessionManager.open(path);
  assert.deepEqual(ids(records(path)), ["h1", "u1", "a1", "u2"]);
});

test("of version 1 a known type with a time is salvaged, an unknown type or no time is not", (t) => {
  const unknown = `{torn${line({ type: "odd", timestamp: T })}`;
  const timeless = `{torn${line({ type: "custom", customType: "e" })}`;
  const path = session(t, H1(), old(U("u")), `{torn${line(old(A("a")))}`, unknown, timeless);
  const manager = SessionManager.open(path);
  assert.deepEqual(manager.getEntries().map((entry) => entry.message?.role), ["user", "assistant"]);
  assert.equal(manager.getBranch().length, 2);
  assert.deepEqual(lines(path).filter((each) => each.startsWith("{torn")), ["{torn", unknown, timeless]);
});

test("forks and branches carry records only", (t) => {
  const path = session(t, H(), U("u1"), `{torn${record}`, "{bad", "null", U("u2", "a1"));
  const fork = SessionManager.forkFrom(path, "/x", tempDir(t));
  exactly(records(fork.getSessionFile()).slice(1), [U("u1"), A("a1", "u1"), U("u2", "a1")]);
  const manager = SessionManager.open(path);
  exactly(records(manager.createBranchedSession("u2")).slice(1), [U("u1"), A("a1", "u1"), U("u2", "a1")]);
});

test("listing reads salvaged records", async (t) => {
  const path = session(t, H(), U("u1"), `{torn${record}`);
  const [info] = await SessionManager.list("/w", dirname(path));
  assert.equal(info.messageCount, 2);
  assert.equal(info.allMessagesText, "u1 asks a1 answers");
});
