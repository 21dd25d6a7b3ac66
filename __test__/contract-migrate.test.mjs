import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionManager, migrateSessionEntries } from "../index.js";
import { exactly } from "./support/claims.mjs";
import { A, C, E, H, H1, T, U, old } from "./support/entries.mjs";
import { records, session } from "./support/files.mjs";

const hook = (role = "hookMessage") => ({ role, content: "x" });

test("migrateSessionEntries gives version 1 a version, ids and a chain of parents, in place", () => {
  const entries = [H1(), old(U("u")), old(A("a"))];
  const [header, first, second] = entries;
  assert.equal(migrateSessionEntries(entries), undefined);
  exactly(header, { ...H1(), version: 3 });
  assert.match(first.id, /^[0-9a-f]{8}$/);
  exactly(first, { ...old(U("u")), id: first.id, parentId: null });
  exactly(second, { ...old(A("a")), id: second.id, parentId: first.id });
  assert.notEqual(first.id, second.id);
  assert.equal(entries[0], header);
  assert.equal(entries.length, 3);
});

test("migrateSessionEntries renames the role hookMessage from versions 1 and 2", () => {
  for (const header of [H1(), H({ version: 2 })]) {
    const entries = [header, E("x1", null, hook()), { type: "custom", id: "y1", parentId: "x1", timestamp: T, message: hook() }];
    migrateSessionEntries(entries);
    assert.equal(entries[1].message.role, "custom");
    assert.equal(entries[2].message.role, "hookMessage");
    assert.equal(header.version, 3);
  }
});

test("migrateSessionEntries of version 2 keeps ids and parents", () => {
  const entries = [H({ version: 2 }), U("u1", "gone"), A("u1", "u1")];
  migrateSessionEntries(entries);
  exactly(entries, [H({ version: 3 }), U("u1", "gone"), A("u1", "u1")]);
});

for (const version of [3, 4, 99]) {
  test(`migrateSessionEntries leaves version ${version} alone`, () => {
    const entries = [H({ version }), E("x1", null, hook()), old(U("u"))];
    const before = structuredClone(entries);
    migrateSessionEntries(entries);
    exactly(entries, before);
  });
}

test("without a header the entries are of version 1", () => {
  const entries = [old(U("u"))];
  migrateSessionEntries(entries);
  assert.deepEqual(Object.keys(entries[0]).slice(-2), ["id", "parentId"]);
});

test("a version 1 compaction finds its kept entry by index", () => {
  const { firstKeptEntryId, ...compaction } = old(C("c"));
  const entries = [H1(), old(U("u")), { ...compaction, firstKeptEntryIndex: 1 }];
  migrateSessionEntries(entries);
  const [, first, migrated] = entries;
  exactly(migrated, { ...compaction, id: migrated.id, parentId: first.id, firstKeptEntryId: first.id });
});

test("an index that is no number stays", () => {
  const entries = [H1(), { ...old(C("c", null, "x")), firstKeptEntryIndex: "1" }];
  migrateSessionEntries(entries);
  assert.equal(entries[1].firstKeptEntryIndex, "1");
});

test("ids a version 1 entry already has are replaced where they stand", () => {
  const entries = [H1(), { id: "mine", ...old(U("u")) }];
  migrateSessionEntries(entries);
  assert.notEqual(entries[1].id, "mine");
  assert.deepEqual(Object.keys(entries[1]), ["id", "type", "timestamp", "message", "parentId"]);
});

test("migrateSessionEntries of no entries does nothing, of no array throws", () => {
  assert.equal(migrateSessionEntries([]), undefined);
  assert.throws(() => migrateSessionEntries(undefined));
  assert.throws(() => migrateSessionEntries(null));
});

test("opening an old session rewrites it as version 3, once", (t) => {
  const path = session(t, H1({ more: [1] }), old(U("u")), old(A("a")));
  const manager = SessionManager.open(path);
  const [header, first, second] = records(path);
  exactly(header, { ...H1({ more: [1] }), version: 3 });
  exactly([first, second], manager.getEntries());
  exactly(first, { ...old(U("u")), id: first.id, parentId: null });
  assert.equal(second.parentId, first.id);
  assert.equal(manager.getLeafId(), second.id);
  exactly(SessionManager.open(path).getEntries(), [first, second]);
});

test("opening a version 2 session changes what the version asks and nothing else", (t) => {
  const path = session(t, H({ version: 2 }), E("x1", null, hook()), U("u1", "x1"));
  SessionManager.open(path);
  exactly(records(path), [H({ version: 3 }), E("x1", null, hook("custom")), U("u1", "x1")]);
});
