// CURRENT_SESSION_VERSION, parseSessionEntries, loadEntriesFromFile, getLatestCompactionEntry.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { CURRENT_SESSION_VERSION, getLatestCompactionEntry, loadEntriesFromFile, parseSessionEntries } from "../index.js";
import { exactly } from "./support/claims.mjs";
import { A, C, H, H1, U, old } from "./support/entries.mjs";
import { file, line, session, untouched } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

test("the current version is 3", () => assert.equal(CURRENT_SESSION_VERSION, 3));

test("parseSessionEntries reads one record a line, the header included", () => {
  exactly(parseSessionEntries([H(), U("u1"), A("a1", "u1")].map(line).join("\n")), [H(), U("u1"), A("a1", "u1")]);
});

test("parseSessionEntries skips blank and damaged lines, needs no header and no last LF", () => {
  exactly(parseSessionEntries(`\n  \n{"type":"message"\n${line(U("u1"))}\r\n\n{bad}\n${line(A("a1", "u1"))}`), [U("u1"), A("a1", "u1")]);
});

test("parseSessionEntries keeps scalars and arrays and salvages nothing", () => {
  exactly(parseSessionEntries('null\n1\n"s"\n[{"a":1}]\ntrue'), [null, 1, "s", [{ a: 1 }], true]);
  exactly(parseSessionEntries(`{"torn":${line(U("u1"))}`), []);
  exactly(parseSessionEntries(`${line(U("u1"))}${line(U("u2"))}`), []);
});

test("parseSessionEntries does not migrate", () => {
  exactly(parseSessionEntries(`${line(H1())}\n${line(old(U("u1")))}`), [H1(), old(U("u1"))]);
});

test("parseSessionEntries of nothing is empty", () => {
  assert.deepEqual(parseSessionEntries(""), []);
  assert.deepEqual(parseSessionEntries(" \n\t"), []);
});

for (const wrong of [undefined, null, 1]) {
  test(`parseSessionEntries(${wrong}) throws`, () => assert.throws(() => parseSessionEntries(wrong)));
}

test("loadEntriesFromFile gives the header and every entry, and writes nothing", (t) => {
  const path = session(t, H(), U("u1"), "{bad", "", A("a1", "u1"));
  exactly(untouched(path, () => loadEntriesFromFile(path)), [H(), U("u1"), A("a1", "u1")]);
});

test("loadEntriesFromFile gives later headers too", (t) => {
  const all = [H(), U("u1"), H({ id: "h2" }), A("a1", "u1")];
  exactly(loadEntriesFromFile(session(t, ...all)), all);
});

test("loadEntriesFromFile does not migrate", (t) => {
  const path = session(t, H1(), old(U("u1")));
  exactly(untouched(path, () => loadEntriesFromFile(path)), [H1(), old(U("u1"))]);
});

test("loadEntriesFromFile leaves an unterminated end as it is", (t) => {
  const path = file(t, `${line(H())}\n${line(U("u1"))}`);
  exactly(untouched(path, () => loadEntriesFromFile(path)), [H(), U("u1")]);
});

for (const [what, content] of [
  ["an empty file", ""],
  ["no session", "dear diary\n"],
  ["a session without a header", `${line(U("u1"))}\n${line(H())}\n`],
  ["a header whose id is no string", '{"type":"session","id":5}\n'],
]) {
  test(`loadEntriesFromFile of ${what} is empty`, (t) => {
    const path = file(t, content);
    assert.deepEqual(untouched(path, () => loadEntriesFromFile(path)), []);
  });
}

test("loadEntriesFromFile of a missing file is empty", (t) => {
  assert.deepEqual(loadEntriesFromFile(join(tempDir(t), "gone.jsonl")), []);
  assert.deepEqual(loadEntriesFromFile(""), []);
});

test("getLatestCompactionEntry gives the last compaction of an array, itself", () => {
  const entries = [C("c1", null, "x"), U("u1", "c1"), C("c2", "u1", "x"), A("a1", "c2")];
  assert.equal(getLatestCompactionEntry(entries), entries[2]);
});

test("getLatestCompactionEntry gives null where there is none", () => {
  assert.equal(getLatestCompactionEntry([U("u1")]), null);
  assert.equal(getLatestCompactionEntry([]), null);
});

test("getLatestCompactionEntry reads the array afresh at each call", () => {
  const entries = [C("c1", null, "x")];
  getLatestCompactionEntry(entries);
  entries[0].type = "custom";
  assert.equal(getLatestCompactionEntry(entries), null);
});

test("getLatestCompactionEntry throws for what is no array", () => {
  assert.throws(() => getLatestCompactionEntry(undefined));
  assert.throws(() => getLatestCompactionEntry(null));
});
