// Issue 3, cut test: a session file that ends anywhere is opened, appended to and opened again.
// Nothing whole is lost, nothing is glued together, and no byte goes.
//
//   CUTS=all node --test __test__/durable-cut.test.mjs    every line edge of the larger session
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sessionLines } from "../bench/corpus.mjs";
import { SessionManager } from "../index.js";
import { ids, throwsPlain } from "./support/claims.mjs";
import { fastDir } from "./support/durable/fast-dir.mjs";
import { expected, samples } from "./support/durable/samples.mjs";
import { assistant, user } from "./support/entries.mjs";

/** What of an entry a migration leaves as it is. */
const lasting = ({ id, parentId, firstKeptEntryIndex, firstKeptEntryId, ...rest }) =>
  rest.message?.role === "hookMessage" ? { ...rest, message: { ...rest.message, role: "custom" } } : rest;

function append(manager) {
  return [manager.appendMessage(user("after the cut")), manager.appendMessage(assistant("after it, too"))];
}

/** The lines that were appended behind `start`: two, whole, ours. */
function appendedLines(bytes, start, added) {
  const lines = bytes.subarray(start).toString("utf8").split("\n");
  assert.equal(lines.pop(), "", "the file ends in a line feed");
  assert.deepEqual(lines.map((each) => JSON.parse(each).id), added);
}

/** A prefix with a header. `exact` says that not a byte of it may change. */
function cutInEntries(path, prefix, exact) {
  const { entries, damaged, header } = expected(prefix);
  const old = header.version !== 3;
  const manager = SessionManager.open(path);
  if (!old) assert.deepEqual(readFileSync(path), prefix, "opening changes nothing");
  assert.deepEqual(manager.getEntries().map(lasting), entries.map(lasting));
  if (header.version !== undefined) assert.deepEqual(ids(manager.getEntries()), ids(entries));
  const opened = ids(manager.getEntries());
  const added = append(manager);
  const reopened = SessionManager.open(path);
  assert.deepEqual(ids(reopened.getEntries()), [...opened, ...added]);
  assert.deepEqual(reopened.getEntries().map(lasting), manager.getEntries().map(lasting));
  assert.deepEqual(ids(reopened.getBranch()), [...opened, ...added], "one chain");
  const after = readFileSync(path);
  if (exact) {
    const stub = prefix.at(-1) === 0x0a ? "" : "\n";
    assert.deepEqual(after.subarray(0, prefix.length + stub.length), Buffer.concat([prefix, Buffer.from(stub)]));
    appendedLines(after, prefix.length + stub.length, added);
  } else {
    const lines = after.toString("utf8").split("\n");
    for (const text of damaged) assert.ok(lines.includes(text), `${JSON.stringify(text)} is alone on a line`);
    assert.equal(lines.filter((each) => each.startsWith('{"type":"session"')).length, 1);
  }
}

/** A prefix without a header: refused, and left alone. With 0 bytes: a new session. */
function cutInHeader(path, prefix) {
  if (prefix.length > 0) {
    throwsPlain(() => SessionManager.open(path), `Session file is not a valid elyra session: ${path}`);
    assert.deepEqual(readFileSync(path), prefix, "left alone");
    return;
  }
  const manager = SessionManager.open(path);
  const added = append(manager);
  const lines = readFileSync(path, "utf8").split("\n");
  assert.equal(lines.length, 4);
  assert.deepEqual(lines.slice(0, 3).map((each) => JSON.parse(each).id), [manager.getSessionId(), ...added]);
}

for (const [name, whole] of Object.entries(samples)) {
  test(`1, 2, 6, 7: ${name}: cut after any of its ${whole.length} bytes`, (t) => {
    const path = join(fastDir(t), "s.jsonl");
    for (let length = 0; length <= whole.length; length++) {
      const prefix = whole.subarray(0, length);
      writeFileSync(path, prefix);
      try {
        const { header } = expected(prefix);
        if (header === undefined) cutInHeader(path, prefix);
        else cutInEntries(path, prefix, header.version === 3);
      } catch (error) {
        error.message = `cut after ${length} bytes (…${JSON.stringify(prefix.subarray(-40).toString())}): ${error.message}`;
        throw error;
      }
    }
  });
}

test("a larger session, cut at the edges of its lines and up to two bytes beside them", (t) => {
  const path = join(fastDir(t), "s.jsonl");
  const lines = [...sessionLines(2_000_000)].map((each) => Buffer.from(each));
  const whole = Buffer.concat(lines);
  const step = process.env.CUTS === "all" ? 1 : 8;
  let edge = 0;
  let cuts = 0;
  const before = [];
  for (const [number, bytes] of lines.entries()) {
    edge += bytes.length;
    const { id } = JSON.parse(bytes.toString());
    if (number > 0 && number % step === 0) {
      for (const aside of [-2, -1, 0, 1, 2]) {
        const length = Math.min(edge + aside, whole.length);
        const prefix = whole.subarray(0, length);
        writeFileSync(path, prefix);
        const manager = SessionManager.open(path);
        const read = aside < -1 ? before : [...before, id];
        assert.deepEqual(ids(manager.getEntries()), read, `at ${length}`);
        const added = append(manager);
        assert.deepEqual(ids(SessionManager.open(path).getEntries()), [...read, ...added], `reopened, at ${length}`);
        const after = readFileSync(path);
        assert.ok(after.subarray(0, length).equals(prefix), "every byte is there");
        appendedLines(after, length + (prefix.at(-1) === 0x0a ? 0 : 1), added);
        cuts++;
      }
    }
    if (number > 0) before.push(id);
  }
  t.diagnostic(`${cuts} cuts in ${whole.length} bytes`);
});
