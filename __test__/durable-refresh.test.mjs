// Issue 3, rules 2, 4, 7: what others do to the file joins at refresh and at the next append, whole.
import assert from "node:assert/strict";
import { appendFileSync, copyFileSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, ids, naming, seen, throwsPlain } from "./support/claims.mjs";
import { A, Custom, H, Info, L, U, assistant, user } from "./support/entries.mjs";
import { line, lines, records, session, untouched, writeSession } from "./support/files.mjs";

const three = [H(), U("u1"), A("a1", "u1")];
const opened = (t, ...more) => {
  const path = session(t, ...three, ...more);
  return { path, manager: SessionManager.open(path) };
};
const add = (path, ...entries) => appendFileSync(path, entries.map((each) => `${line(each)}\n`).join(""));
const agrees = (manager) => assert.deepEqual(ids(SessionManager.open(manager.getSessionFile()).getEntries()), ids(manager.getEntries()));

test("refresh takes in what another manager appended; the leaf and all objects stay", (t) => {
  const { path, manager } = opened(t);
  const message = user("mine");
  const mine = manager.appendMessage(message);
  const before = manager.getEntries();
  const other = SessionManager.open(path);
  other.branch("u1");
  const theirs = [other.appendMessage(assistant()), other.appendSessionInfo("Named by them"), other.appendLabelChange("a1", "theirs")];
  manager.refresh();
  const after = manager.getEntries();
  assert.deepEqual(ids(after), [...ids(before), ...theirs]);
  before.forEach((entry, n) => assert.ok(after[n] === entry, "the same object"));
  assert.ok(manager.getEntry(mine).message === message);
  assert.equal(manager.getLeafId(), mine);
  assert.deepEqual(ids(manager.getBranch()), ["u1", "a1", mine]);
  assert.deepEqual(ids(manager.getChildren("u1")), ["a1", theirs[0]]);
  assert.equal(manager.getSessionName(), "Named by them");
  assert.equal(manager.getLabel("a1"), "theirs");
  const context = manager.buildSessionContext();
  assert.ok(context.messages.at(-1) === message);
});

test("refresh writes nothing, and takes nothing in twice", (t) => {
  const { path, manager } = opened(t);
  add(path, U("x1", "a1"), Info("x2", "x1", "n"));
  untouched(path, () => {
    for (let n = 0; n < 3; n++) manager.refresh();
  });
  assert.deepEqual(ids(manager.getEntries()), ["u1", "a1", "x1", "x2"]);
});

test("a leaf before all entries stays there at refresh", (t) => {
  const { path, manager } = opened(t);
  manager.resetLeaf();
  add(path, U("x1", "a1"));
  manager.refresh();
  assert.equal(manager.getLeafId(), null);
  assert.equal(manager.getEntry(manager.appendMessage(user())).parentId, null);
});

test("refresh without a file does nothing", (t) => {
  const manager = SessionManager.inMemory("/w");
  manager.appendMessage(user());
  manager.refresh();
  assert.equal(manager.getEntries().length, 1);
  const { path } = opened(t);
  rmSync(path);
  const unwritten = SessionManager.open(path);
  unwritten.appendModelChange("p", "m");
  unwritten.refresh();
  assert.equal(unwritten.getEntries().length, 1);
  assert.equal(existsSync(path), false);
});

// It holds what looks like an entry, as an extension's data may.
const theirs = Buffer.from(line({ ...Custom("x1", "a1", { kept: U("inner", "u1", "ganz 会话 🙂") }), last: 1 }));
const multibyte = theirs.indexOf("会") + 1;
const inner = theirs.indexOf('}},"last"') + 1;

for (const [where, cut] of [["at its start", 1], ["in the middle", 40], ["in a character", multibyte], ["after what looks like an entry", inner], ["before its last byte", theirs.length - 1], ["before its line feed", theirs.length]]) {
  for (const seenBy of ["open", "refresh", "append"]) {
    test(`a line that another is in the middle of writing, cut ${where}, first seen by ${seenBy === "open" ? "open" : "refresh"}, then whole for ${seenBy === "append" ? "append" : "refresh"}`, (t) => {
      const { path, manager: early } = opened(t);
      appendFileSync(path, theirs.subarray(0, cut));
      const manager = seenBy === "open" ? SessionManager.open(path) : early;
      manager.refresh();
      manager.refresh();
      const whole = cut === theirs.length ? ["u1", "a1", "x1"] : ["u1", "a1"];
      assert.deepEqual(ids(manager.getEntries()), whole);
      appendFileSync(path, Buffer.concat([theirs.subarray(cut), Buffer.from("\n")]));
      const added = [];
      if (seenBy === "append") added.push(manager.appendMessage(user()));
      else manager.refresh();
      assert.deepEqual(ids(manager.getEntries()), ["u1", "a1", "x1", ...added]);
      exactly(manager.getEntry("x1"), JSON.parse(theirs.toString()));
      assert.equal(manager.getDiagnostics().damagedLines, 0);
      assert.equal(lines(path).filter((each) => each === "").length, 0, "no line between");
      agrees(manager);
    });
  }
}

test("a half line that nobody ends is closed off by the next append, once, and counted once", (t) => {
  const { path, manager } = opened(t);
  const half = theirs.subarray(0, 40).toString();
  appendFileSync(path, half);
  manager.refresh();
  assert.equal(manager.getDiagnostics().damagedLines, 1);
  const added = [manager.appendMessage(user()), manager.appendMessage(user())];
  assert.deepEqual(lines(path).slice(3).map((each) => (each === half ? half : JSON.parse(each).id)), [half, ...added]);
  assert.equal(manager.getDiagnostics().damagedLines, 1);
  appendFileSync(path, `${theirs.subarray(40)}\n`);
  manager.refresh();
  assert.equal(manager.getDiagnostics().damagedLines, 2);
  agrees(manager);
});

for (const [what, more] of [
  ["", []],
  [", with an id that is there twice", [U("u2", "a1"), U("u2", "u1")]],
  [", with entries that have no id", ['{"type":"custom","parentId":null,"timestamp":"t","customType":"no id"}', '{"type":"custom","id":7,"parentId":null,"timestamp":"t"}']],
]) {
  test(`a file that was replaced by a copy is followed: nothing is written, everything stays${what}`, (t) => {
    const { path, manager } = opened(t, ...more);
    const before = manager.getEntries();
    const size = readFileSync(path).length;
    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
    manager.refresh();
    assert.equal(readFileSync(path).length, size, "nothing is written");
    assert.deepEqual(manager.getEntries(), before);
    for (const entry of before) if (entry.id !== "u2") assert.ok(manager.getEntries().includes(entry), "the same object");
    const id = manager.appendMessage(user());
    assert.deepEqual(ids(records(path)), ["h1", ...ids(before), id]);
  });
}

test("a replacing file that has more and lacks something: all of both are there, objects stay", (t) => {
  const { path, manager } = opened(t);
  const mine = manager.appendMessage(user("mine"));
  const before = manager.getEntries();
  writeSession(`${path}.new`, ...three, U("x1", "a1"), L("x2", "x1", "u1", "theirs"));
  renameSync(`${path}.new`, path);
  manager.refresh();
  assert.deepEqual(new Set(ids(manager.getEntries())), new Set(["u1", "a1", mine, "x1", "x2"]));
  for (const entry of before) assert.ok(manager.getEntry(entry.id) === entry, "the same object");
  assert.equal(manager.getLeafId(), mine);
  assert.equal(manager.getLabel("u1"), "theirs");
  const id = manager.appendMessage(user());
  assert.equal(manager.getEntry(id).parentId, mine);
  agrees(manager);
});

for (const [what, content] of [
  ["another session", `${line(H({ id: "h2" }))}\n${line(U("x1"))}\n`],
  ["no session", "dear diary\n"],
]) {
  test(`${what} in its place: refresh throws and changes nothing; the session goes on when it is back`, (t) => {
    const { path, manager } = opened(t);
    manager.appendMessage(user());
    const before = seen(manager);
    renameSync(path, `${path}.away`);
    writeFileSync(path, content);
    untouched(path, () => throwsPlain(() => manager.refresh(), naming(path)));
    untouched(path, () => throwsPlain(() => manager.appendMessage(user()), naming(path)));
    assert.deepEqual(seen(manager), before);
    renameSync(`${path}.away`, path);
    manager.refresh();
    assert.deepEqual(seen(manager), before);
    manager.appendMessage(user());
    agrees(manager);
  });
}

test("an empty file in its place: refresh leaves it so, the next append writes the whole session to it", (t) => {
  const { path, manager } = opened(t);
  rmSync(path);
  writeFileSync(path, "");
  const before = seen(manager);
  untouched(path, () => manager.refresh());
  assert.deepEqual(seen(manager), before);
  const id = manager.appendMessage(user());
  assert.deepEqual(ids(records(path)), ["h1", "u1", "a1", id]);
  agrees(manager);
});

test("lines that were read and are gone: refresh and append throw, and nothing is written", (t) => {
  const { path, manager } = opened(t);
  const before = seen(manager);
  truncateSync(path, readFileSync(path).length - 10);
  for (const act of [() => manager.refresh(), () => manager.appendMessage(user()), () => manager.branchWithSummary("u1", "s")]) {
    untouched(path, () => throwsPlain(act, `Session file changed while open: ${path}`));
  }
  assert.deepEqual(seen(manager), before);
});

test("20: an unlinked file: refresh leaves it so, the next append writes the whole session", (t) => {
  const { path, manager } = opened(t);
  const mine = manager.appendMessage(user());
  rmSync(path);
  manager.refresh();
  assert.equal(existsSync(path), false);
  const id = manager.appendMessage(assistant());
  assert.deepEqual(ids(records(path)), ["h1", "u1", "a1", mine, id]);
  agrees(manager);
});

test("20: an unlinked file behind a link: the next append writes it where the link leads", (t) => {
  const { path } = opened(t);
  symlinkSync(path, `${path}.link.jsonl`);
  const manager = SessionManager.open(`${path}.link.jsonl`);
  rmSync(path);
  const id = manager.appendMessage(user());
  assert.ok(lstatSync(`${path}.link.jsonl`).isSymbolicLink());
  assert.deepEqual(ids(records(path)), ["h1", "u1", "a1", id]);
});

test("a session begun at a link that leads nowhere is written where it leads", (t) => {
  const { path } = opened(t);
  rmSync(path);
  symlinkSync(path, `${path}.link.jsonl`);
  const manager = SessionManager.open(`${path}.link.jsonl`);
  const id = manager.appendMessage(user());
  assert.ok(lstatSync(`${path}.link.jsonl`).isSymbolicLink());
  assert.deepEqual(ids(records(path)), [manager.getSessionId(), id]);
});

test("21: two managers that take turns, and refresh, end with the same entries", (t) => {
  const { path, manager } = opened(t);
  const other = SessionManager.open(path);
  for (let n = 0; n < 100; n++) {
    [manager, other][n % 2].appendMessage(user(String(n)));
    if (n % 7 === 0) [manager, other][(n >> 1) % 2].refresh();
  }
  manager.refresh();
  other.refresh();
  assert.deepEqual(ids(manager.getEntries()), ids(other.getEntries()));
  for (const each of [manager, other]) assert.equal(each.getBranch().length, 52);
  agrees(manager);
});

test("a file that is replaced over and over is followed each time", (t) => {
  const { path, manager } = opened(t);
  for (let n = 0; n < 20; n++) {
    manager.appendMessage(user(String(n)));
    writeFileSync(`${path}.new`, readFileSync(path));
    add(`${path}.new`, U(`x${n}`, "a1"));
    renameSync(`${path}.new`, path);
  }
  manager.refresh();
  assert.equal(manager.getEntries().length, 42);
  assert.equal(new Set(ids(manager.getEntries())).size, 42);
  agrees(manager);
});
