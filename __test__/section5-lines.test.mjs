// Section 5, rules 1 to 4: what is a session, what is a line, what is salvaged, where walks end.
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { SessionManager, findMostRecentSession, loadEntriesFromFile } from "../index.js";
import { exactly, ids, seen, throwsPlain } from "./support/claims.mjs";
import { A, C, H, L, U, user } from "./support/entries.mjs";
import { file, line, lines, session, text, touch, untouched } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

const opened = (path) => untouched(path, () => SessionManager.open(path));

for (const [what, content] of [
  ["text", "dear diary\n"],
  ["blank lines alone", "\n\n  \n"],
  ["an entry before the header", `${line(U("u1"))}\n${line(H())}\n`],
  ["a header without an id", '{"type":"session","version":3}\n'],
  ["a header with a number as id", '{"type":"session","version":3,"id":7}\n'],
  ["scalars alone", "null\n1\n"],
  ["NUL bytes", "\0".repeat(512)],
]) {
  test(`1: ${what}: open throws and the file keeps its bytes`, (t) => {
    const path = file(t, content);
    untouched(path, () =>
      throwsPlain(() => SessionManager.open(path), `Session file is not a valid elyra session: ${path}`),
    );
  });
}

test("1: blank, damaged and scalar lines before the header are skipped, everywhere alike", async (t) => {
  const path = session(t, "", "  ", "{bad", "null", "[1]", H(), U("u1"));
  const dir = dirname(path);
  exactly(opened(path).getHeader(), H());
  assert.equal(findMostRecentSession(dir), path);
  assert.equal(SessionManager.continueRecent("/w", dir).getSessionId(), "h1");
  assert.deepEqual((await SessionManager.list("/w", dir)).map((info) => info.id), ["h1"]);
  exactly(loadEntriesFromFile(path), [H(), U("u1")]);
  assert.deepEqual(ids(SessionManager.forkFrom(path, "/x", tempDir(t)).getEntries()), ["u1"]);
});

test("1: a file of 0 bytes never gets a second header", (t) => {
  const path = file(t, "");
  const first = SessionManager.open(path);
  const second = SessionManager.open(path);
  assert.equal(second.getSessionId(), first.getSessionId());
  first.appendMessage(user());
  assert.equal(lines(path).filter((each) => each.includes('"session"')).length, 1);
});

test("2: reading changes neither bytes nor times, also of a torn or unterminated end", async (t) => {
  for (const end of [line(U("u2", "a1")), '{"type":"mess', ""]) {
    const path = file(t, `${line(H())}\n${line(U("u1"))}\n${line(A("a1", "u1"))}\n${end}`);
    touch(path, 1_000_000);
    const manager = opened(path);
    manager.getEntries();
    manager.getTree();
    manager.buildSessionContext();
    manager.branch("u1");
    await SessionManager.list("/w", dirname(path));
    SessionManager.continueRecent("/w", dirname(path));
    assert.equal(statSync(path).mtimeMs, 1_000_000_000);
  }
});

test("2: the end is closed off before the first append, once", (t) => {
  const path = file(t, `${line(H())}\n${line(U("u1"))}\n{"type":"mess`);
  const manager = SessionManager.open(path);
  const before = text(path);
  const first = manager.appendMessage(user());
  const second = manager.appendMessage(user());
  assert.ok(text(path).startsWith(`${before}\n{`));
  assert.deepEqual(lines(path).slice(3).map((each) => JSON.parse(each).id), [first, second]);
});

test("2: a stub that would make a record with what follows does not", (t) => {
  const path = file(t, `${line(H())}\n${line(U("u1"))}\n{"type":"custom","id":"t1","parentId":null,"timestamp":"x","data":`);
  SessionManager.open(path).appendMessage(user());
  assert.deepEqual(SessionManager.open(path).getEntries().map((entry) => entry.type), ["message", "message"]);
});

test("3: lines that are JSON but no object are skipped and kept", (t) => {
  const path = session(t, H(), "null", U("u1"), "1", '"text"', "true", '[{"type":"message","id":"n1"}]', A("a1", "u1"));
  const manager = opened(path);
  assert.deepEqual(ids(manager.getEntries()), ["u1", "a1"]);
  exactly(loadEntriesFromFile(path), [H(), U("u1"), A("a1", "u1")]);
});

test("3: the leaf is the last entry with a string id", (t) => {
  const { id, ...anonymous } = U("x", "u1");
  const path = session(t, H(), U("u1"), A("a1", "u1"), { ...U("x", "u1"), id: 7 }, anonymous);
  const manager = opened(path);
  assert.equal(manager.getLeafId(), "a1");
  assert.equal(manager.getEntries().length, 4);
});

test("4: a label, a branch and a context end in a circle too", (t) => {
  const manager = SessionManager.open(session(t, H(), U("a", "c"), A("b", "a"), L("c", "b", "a", "mark")));
  assert.deepEqual(ids(manager.getBranch()), ["a", "b", "c"]);
  assert.equal(manager.getLabel("a"), "mark");
  const path = manager.createBranchedSession("c");
  assert.deepEqual(manager.getBranch().map((entry) => entry.type), ["message", "message", "label"]);
  assert.ok(existsSync(path));
});

test("4: a compaction in a circle is applied once", (t) => {
  const manager = SessionManager.open(session(t, H(), U("a", "d"), C("b", "a", "a"), U("d", "b")));
  const { messages } = manager.buildSessionContext();
  assert.deepEqual(messages.map((message) => message.role), ["compactionSummary", "user", "user"]);
});

test("4: of a repeated id the last entry counts, and stands where its parent puts it", (t) => {
  const all = [U("u1"), A("a1", "u1"), U("u2", "a1"), A("a1", null, "moved")];
  const manager = SessionManager.open(session(t, H(), ...all));
  exactly(manager.getEntries(), all);
  assert.equal(manager.getEntry("a1"), manager.getEntries()[3]);
  assert.deepEqual(manager.getBranch("u2"), [all[3], all[2]]);
  const outline = (nodes) => nodes.map((node) => [node.entry.id, ...outline(node.children)]);
  assert.deepEqual(outline(manager.getTree()).sort(), [["a1", ["u2"]], ["u1"]]);
});

test("6: setSessionFile to no session leaves the manager at work on its own file", (t) => {
  const path = session(t, H(), U("u1"));
  const other = file(t, "dear diary\n");
  const manager = SessionManager.open(path);
  const before = seen(manager);
  throwsPlain(() => manager.setSessionFile(other), `Session file is not a valid elyra session: ${other}`);
  assert.deepEqual(seen(manager), before);
  manager.appendMessage(user());
  assert.equal(lines(path).length, 3);
  assert.equal(readFileSync(other, "utf8"), "dear diary\n");
});
