// Section 5, rule 5: when a new session is first written, and what it finds at its path.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, ids, naming, seen, throwsPlain } from "./support/claims.mjs";
import { A, H, H1, L, Model, U, assistant, old, toolResult, user } from "./support/entries.mjs";
import { jsonlIn, line, lines, records, text, untouched, writeSession } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

const created = (t) => SessionManager.create("/w", tempDir(t));

test("settings, labels and custom entries alone are not written", (t) => {
  const manager = created(t);
  const id = manager.appendModelChange("p", "m");
  manager.appendThinkingLevelChange("high");
  manager.appendLabelChange(id, "mark");
  manager.appendCustomEntry("e", {});
  manager.appendSessionInfo("Name");
  manager.appendMessage(toolResult());
  assert.equal(existsSync(manager.getSessionFile()), false);
  assert.equal(manager.getEntries().length, 6);
});

for (const message of [user(), assistant()]) {
  test(`the first ${message.role} message writes everything before it, once`, (t) => {
    const manager = created(t);
    const before = [manager.appendModelChange("p", "m"), manager.appendCustomEntry("e", { n: 1 })];
    const id = manager.appendMessage(message);
    assert.deepEqual(ids(records(manager.getSessionFile())), [manager.getSessionId(), ...before, id]);
  });
}

test("nothing is written twice when the answer comes", (t) => {
  const manager = created(t);
  const appended = [manager.appendMessage(user()), manager.appendModelChange("p", "m"), manager.appendMessage(assistant())];
  assert.deepEqual(ids(records(manager.getSessionFile())), [manager.getSessionId(), ...appended]);
});

test("a new session in a manager that had written one starts the same way", (t) => {
  const manager = created(t);
  manager.appendMessage(user());
  const path = manager.newSession();
  manager.appendModelChange("p", "m");
  assert.equal(existsSync(path), false);
  manager.appendMessage(user());
  assert.equal(records(path).length, 3);
});

test("a directory that is gone by then is made at that moment", (t) => {
  const manager = created(t);
  rmSync(manager.getSessionDir(), { recursive: true });
  manager.appendMessage(user());
  assert.equal(records(manager.getSessionFile()).length, 2);
});

test("open of a path in a missing directory makes it with the first message", (t) => {
  const path = join(tempDir(t), "a", "b", "s.jsonl");
  const manager = SessionManager.open(path);
  manager.appendMessage(user());
  assert.equal(records(path).length, 2);
});

test("a file of 0 bytes at the path is taken over", (t) => {
  const manager = created(t);
  writeFileSync(manager.getSessionFile(), "");
  const id = manager.appendMessage(user());
  assert.deepEqual(ids(records(manager.getSessionFile())), [manager.getSessionId(), id]);
});

test("a session at the path becomes ours: its header, its entries, then ours with their ids", (t) => {
  const manager = created(t);
  const path = manager.getSessionFile();
  writeSession(path, H(), U("u1"), L("l1", "u1", "u1", "mark"));
  const before = text(path);
  const model = manager.appendModelChange("p", "m");
  const id = manager.appendMessage(user());
  assert.ok(text(path).startsWith(before));
  assert.deepEqual(ids(records(path)), ["h1", "u1", "l1", model, id]);
  exactly(manager.getHeader(), H());
  assert.equal(manager.getSessionId(), "h1");
  assert.deepEqual(ids(manager.getEntries()), ["u1", "l1", model, id]);
  assert.deepEqual(ids(manager.getBranch()), [model, id]);
  assert.equal(manager.getLeafId(), id);
  assert.equal(manager.getLabel("u1"), "mark");
  exactly(SessionManager.open(path).getEntries(), records(path).slice(1));
});

test("two managers at one new path write one session", (t) => {
  const path = join(tempDir(t), "s.jsonl");
  const [first, second] = [SessionManager.open(path), SessionManager.open(path)];
  const one = first.appendMessage(user());
  const two = second.appendMessage(user());
  const three = first.appendMessage(assistant());
  assert.deepEqual(ids(records(path)), [first.getSessionId(), one, two, three]);
  assert.equal(second.getSessionId(), first.getSessionId());
  assert.equal(first.getEntry(three).parentId, one);
});

for (const [what, content] of [
  ["text", "dear diary\n"],
  ["an entry without a header", `${line(U("u1"))}\n`],
  ["blank lines", "\n\n"],
]) {
  test(`${what} at the path: the append throws and changes nothing`, (t) => {
    const manager = created(t);
    const path = manager.getSessionFile();
    manager.appendModelChange("p", "m");
    writeFileSync(path, content);
    const before = seen(manager);
    untouched(path, () => throwsPlain(() => manager.appendMessage(user()), naming(path)));
    assert.deepEqual(seen(manager), before);
    rmSync(path);
    const id = manager.appendMessage(user());
    assert.deepEqual(ids(records(path)), [...ids([{ id: manager.getSessionId() }, ...before.entries]), id]);
  });
}

test("a directory at the path: the append throws and changes nothing", (t) => {
  const manager = created(t);
  const path = manager.getSessionFile();
  mkdirSync(path);
  const before = seen(manager);
  throwsPlain(() => manager.appendMessage(user()), naming(path));
  assert.deepEqual(seen(manager), before);
});

test("a session is read back whole after its first message", (t) => {
  const manager = created(t);
  manager.appendThinkingLevelChange("low");
  manager.appendMessage(user());
  const again = SessionManager.open(manager.getSessionFile());
  assert.equal(again.getLeafId(), manager.getLeafId());
  assert.deepEqual(again.buildSessionContext(), manager.buildSessionContext());
});

test("a branch is written with its first user or assistant message", (t) => {
  const dir = tempDir(t);
  const path = writeSession(join(dir, "s.jsonl"), H(), Model("m1", null, "p", "m"), U("u1", "m1"));
  const manager = SessionManager.open(path);
  manager.createBranchedSession("m1");
  manager.appendLabelChange("m1", "mark");
  assert.deepEqual(jsonlIn(dir), ["s.jsonl"]);
  manager.appendMessage(user());
  assert.equal(records(manager.getSessionFile()).length, 4);
});

test("an old session at the path joins migrated or is refused, and is never mixed", (t) => {
  const manager = created(t);
  const path = manager.getSessionFile();
  writeSession(path, H1(), old(U("u")), old(A("a")));
  let id;
  try {
    id = manager.appendMessage(user());
  } catch {
    assert.equal(lines(path).length, 3);
    return;
  }
  const again = SessionManager.open(path);
  assert.equal(again.getEntries().length, 3);
  assert.ok(again.getEntries().every((entry) => typeof entry.id === "string"));
  assert.equal(again.getLeafId(), id);
});
