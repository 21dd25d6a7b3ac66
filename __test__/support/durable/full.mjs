// What must hold when there is no room left: for a full file system and for a limit of file sizes
// alike. Each scenario gets a directory and `room`: `gone(size)` takes the room away, so that a file
// that is to be longer than `size` cannot be written whole; `back()` gives it back.
import assert from "node:assert/strict";
import { appendFileSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "../../../index.js";
import { ids, naming, seen, throwsPlain } from "../claims.mjs";
import { A, H, H1, Info, L, U, assistant, old, user } from "../entries.mjs";
import { line, records, writeSession } from "../files.mjs";

const long = "long ".repeat(8_000);
const begun = (dir, ...entries) => writeSession(join(dir, "s.jsonl"), H(), U("u1"), A("a1", "u1"), ...entries);

/** Every name in a directory, with what the file holds. */
const contents = (dir) => Object.fromEntries(readdirSync(dir).sort().map((name) => [name, readFileSync(join(dir, name), "latin1")]));

/** While there is no room, `act` throws an error about `path`, and no file in `dir` changes. */
function refused(dir, room, size, path, act) {
  const before = contents(dir);
  room.gone(size);
  try {
    throwsPlain(act, naming(path));
  } finally {
    room.back();
  }
  assert.deepEqual(contents(dir), before);
}

/** A manager's calls that fail where they append: nothing changes, and afterwards they work. */
const appends = {
  appendMessage: (manager) => manager.appendMessage(user(long)),
  appendCustomEntry: (manager) => manager.appendCustomEntry("e", long),
  appendCustomMessageEntry: (manager) => manager.appendCustomMessageEntry("e", long, true),
  appendCompaction: (manager) => manager.appendCompaction(long, "u1", 1),
  appendLabelChange: (manager) => manager.appendLabelChange("u1", long),
  branchWithSummary: (manager) => manager.branchWithSummary("u1", long),
};

export const scenarios = {};

for (const [name, append] of Object.entries(appends)) {
  scenarios[`19: ${name} in the middle of its line`] = (dir, room) => {
    const path = begun(dir);
    const manager = SessionManager.open(path);
    const before = seen(manager);
    const { length } = readFileSync(path);
    refused(dir, room, length + 100, path, () => append(manager));
    assert.deepEqual(seen(manager), before);
    const added = [manager.appendMessage(user()), append(manager), manager.appendMessage(assistant())];
    assert.deepEqual(ids(records(path)), ["h1", "u1", "a1", ...added]);
    assert.deepEqual(ids(SessionManager.open(path).getEntries()), ids(manager.getEntries()));
  };
}

scenarios["19: an append after a torn line, which is then closed off all the same"] = (dir, room) => {
  const path = writeSession(join(dir, "s.jsonl"), H(), U("u1"));
  const stub = '{"type":"mess';
  appendFileSync(path, stub);
  const manager = SessionManager.open(path);
  refused(dir, room, readFileSync(path).length + 100, path, () => manager.appendMessage(user(long)));
  const id = manager.appendMessage(user());
  assert.deepEqual(readFileSync(path, "utf8").split("\n").slice(-3, -1).map((each) => (each === stub ? stub : JSON.parse(each).id)), [stub, id]);
};

scenarios["an append that fails after it took in what another appended: that is there, and only that"] = (dir, room) => {
  const path = begun(dir, Info("i1", "a1", "Before"));
  const manager = SessionManager.open(path);
  assert.equal(manager.getSessionName(), "Before");
  appendFileSync(path, `${line(Info("i2", "i1", "Theirs"))}\n`);
  refused(dir, room, readFileSync(path).length + 100, path, () => manager.appendMessage(user(long)));
  assert.equal(manager.getLeafId(), "i1");
  manager.refresh();
  assert.deepEqual(ids(manager.getEntries()), ["u1", "a1", "i1", "i2"]);
  assert.equal(manager.getSessionName(), "Theirs");
  const id = manager.appendMessage(user());
  assert.deepEqual(ids(records(path)), ["h1", "u1", "a1", "i1", "i2", id]);
};

scenarios["a first write leaves nothing behind"] = (dir, room) => {
  const manager = SessionManager.create("/w", dir);
  const model = manager.appendModelChange("p", "m");
  const before = seen(manager);
  refused(dir, room, 100, manager.getSessionFile(), () => manager.appendMessage(user(long)));
  assert.deepEqual(seen(manager), before);
  const id = manager.appendMessage(user(long));
  assert.deepEqual(ids(records(manager.getSessionFile())).slice(1), [model, id]);
};

scenarios["a first write to a file of 0 bytes leaves it so"] = (dir, room) => {
  const manager = SessionManager.open(join(dir, "s.jsonl"));
  appendFileSync(join(dir, "s.jsonl"), "");
  refused(dir, room, 100, join(dir, "s.jsonl"), () => manager.appendMessage(user(long)));
  const id = manager.appendMessage(user(long));
  assert.deepEqual(ids(records(join(dir, "s.jsonl"))), [manager.getSessionId(), id]);
};

scenarios["a deleted file that is written again leaves nothing behind"] = (dir, room) => {
  const path = begun(dir, U("u2", "a1", long));
  const manager = SessionManager.open(path);
  rmSync(path);
  refused(dir, room, 100, path, () => manager.appendMessage(user()));
  const id = manager.appendMessage(user());
  assert.deepEqual(ids(records(path)), ["h1", "u1", "a1", "u2", id]);
};

scenarios["createBranchedSession leaves nothing behind, and the manager where it was"] = (dir, room) => {
  const manager = SessionManager.open(begun(dir, U("u2", "a1", long), L("l1", "u2", "u1", "x")));
  const before = seen(manager);
  refused(dir, room, 100, dir, () => manager.createBranchedSession("l1"));
  assert.deepEqual(seen(manager), before);
  const path = manager.createBranchedSession("l1");
  assert.deepEqual(ids(records(path)).slice(1, 4), ["u1", "a1", "u2"]);
};

scenarios["forkFrom leaves nothing behind"] = (dir, room) => {
  const source = begun(dir, U("u2", "a1", long));
  refused(dir, room, 100, dir, () => SessionManager.forkFrom(source, "/x", dir));
  const fork = SessionManager.forkFrom(source, "/x", dir);
  assert.deepEqual(ids(records(fork.getSessionFile())).slice(1), ["u1", "a1", "u2"]);
};

scenarios["a migration leaves the old file and nothing else"] = (dir, room) => {
  const path = writeSession(join(dir, "s.jsonl"), H1(), old(U("u1")), old(A("a1")), old(U("u2", null, long)));
  const before = contents(dir);
  room.gone(100);
  // It may throw or open the session without migrating its file; either is a plain answer.
  let manager;
  try {
    manager = SessionManager.open(path);
  } catch (error) {
    assert.match(error.message, naming(path));
  }
  assert.deepEqual(contents(dir), before);
  room.back();
  manager ??= SessionManager.open(path);
  assert.equal(manager.getBranch().length, 3);
  const id = manager.appendMessage(user());
  assert.equal(records(path)[0].version, 3);
  assert.equal(records(path).at(-1).id, id);
};

scenarios["a repair leaves the damaged file and nothing else"] = async (dir, room) => {
  const path = begun(dir, "{bad", U("u2", "a1", long));
  const before = contents(dir);
  room.gone(100);
  await assert.rejects(SessionManager.repair(path), { message: naming(path) }).finally(() => room.back());
  assert.deepEqual(contents(dir), before);
  assert.equal((await SessionManager.repair(path)).mended.length, 1);
};
