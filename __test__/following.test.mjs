// Files that change under an open manager: nothing is written twice, and nothing others wrote is lost.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { SessionManager } from "../index.js";
import { tempDir } from "./support/temp.mjs";

const H = '{"type":"session","version":3,"id":"h1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}';
const U = (id, parent) =>
  JSON.stringify({ type: "message", id, parentId: parent, timestamp: "2026-01-01T00:00:01.000Z", message: { role: "user", content: id } });
const user = (content) => ({ role: "user", content });

function session(t, ...lines) {
  const file = path.join(tempDir(t), "s.jsonl");
  fs.writeFileSync(file, `${[H, ...lines].join("\n")}\n`);
  return file;
}

test("entries without ids are not written again when a repaired file is followed", async (t) => {
  const file = session(t, "{bad", U("a", null), '{"type":"x"}');
  const manager = SessionManager.open(file);
  await SessionManager.repair(file);
  manager.appendMessage(user("mine"));
  assert.equal(fs.readFileSync(file, "utf8").split('{"type":"x"}').length, 2);
  assert.equal(manager.getEntries().length, 3);
});

test("entries of a repeated id keep their objects when a replaced file is followed", (t) => {
  const file = session(t, U("a", null), U("a", null));
  const manager = SessionManager.open(file);
  const before = manager.getEntries();
  fs.copyFileSync(file, `${file}.new`);
  fs.renameSync(`${file}.new`, file);
  manager.appendMessage(user("mine"));
  assert.deepEqual(manager.getEntries().slice(0, 2).map((entry, i) => entry === before[i]), [true, true]);
});

for (const [how, change] of [
  ["deleted", (file) => fs.unlinkSync(file)],
  ["replaced by an older copy", (file) => fs.renameSync(`${file}.old`, file)],
  ["replaced by an empty one", (file) => (fs.unlinkSync(file), fs.writeFileSync(file, ""))],
]) {
  test(`lines of others survive when the file is ${how}`, (t) => {
    const file = session(t, U("a", null));
    fs.copyFileSync(file, `${file}.old`);
    const manager = SessionManager.open(file);
    const foreign = SessionManager.open(file).appendMessage(user("foreign"));
    change(file);
    const mine = manager.appendMessage(user("mine"));
    const ids = SessionManager.open(file).getEntries().map(({ id }) => id);
    assert.deepEqual(ids, ["a", foreign, mine]);
    assert.deepEqual(manager.getEntries().map(({ id }) => id), ids);
  });
}

test("the session a link led to is written again where it was", (t) => {
  const file = session(t, U("a", null));
  const link = path.join(path.dirname(file), "link.jsonl");
  fs.symlinkSync(file, link);
  const manager = SessionManager.open(link);
  fs.unlinkSync(file);
  manager.appendMessage(user("mine"));
  assert.ok(fs.lstatSync(link).isSymbolicLink());
  assert.equal(SessionManager.open(file).getEntries().length, 2);
});

test("a name that others gave is known after an append of ours failed", (t) => {
  const file = session(t, U("a", null));
  const manager = SessionManager.open(file);
  assert.equal(manager.getSessionName(), undefined);
  SessionManager.open(file).appendSessionInfo("theirs");
  assert.throws(() => manager.appendCustomEntry("x", { toJSON() { throw new Error("no"); } }));
  manager.refresh();
  assert.equal(manager.getSessionName(), "theirs");
});

test("damaged lines with headers in them are verified and repaired", async (t) => {
  const spliced = '{"type":"session","id":"h2","parentId":null,"timestamp":"t"}';
  const label = '{"type":"label","id":"l","parentId":"a","timestamp":"t","targetId":"gone","label":"x"}';
  for (const rest of [label, U("b", "a")]) {
    const file = session(t, U("a", null), `x${spliced}${rest}`);
    const { problems } = await SessionManager.verify(file);
    assert.equal(problems[0].kind, "splicedRecords");
    await SessionManager.repair(file);
    const after = await SessionManager.verify(file);
    assert.ok(after.problems.every(({ grade }) => grade === "note"), JSON.stringify(after));
    assert.equal(after.entries, 2);
  }
});

test("a session modified before 1970 is listed and continued", async (t) => {
  const file = session(t, U("a", null));
  fs.utimesSync(file, -1000, -1000);
  const dir = path.dirname(file);
  assert.equal((await SessionManager.list("/w", dir)).length, 1);
  assert.equal(SessionManager.continueRecent("/w", dir).getSessionFile(), file);
});
