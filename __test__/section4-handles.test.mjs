// Section 4: open managers hold few descriptors, and never take other bytes for what they indexed.
import assert from "node:assert/strict";
import { readdirSync, readlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, throwsPlain } from "./support/claims.mjs";
import { A, H, U, assistant, user } from "./support/entries.mjs";
import { line, records, session, text, untouched, writeSession } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

/** How many descriptors of this process are files in `dir`. */
function descriptorsIn(dir) {
  const links = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(join("/proc/self/fd", fd));
    } catch {
      return "";
    }
  });
  return links.filter((target) => target.startsWith(dir)).length;
}

test("three hundred open sessions append and read through at most 128 descriptors", (t) => {
  const dir = tempDir(t);
  const managers = Array.from({ length: 300 }, (_, i) =>
    SessionManager.open(writeSession(join(dir, `${i}.jsonl`), H({ id: `h${i}` }), U("u1"), A("a1", "u1"))),
  );
  for (const manager of managers) manager.appendMessage(user());
  for (const manager of managers) {
    assert.equal(manager.getEntries().length, 3);
    manager.appendMessage(assistant());
    assert.equal(records(manager.getSessionFile()).length, 5);
  }
  if (process.platform === "linux") assert.ok(descriptorsIn(dir) <= 128, `${descriptorsIn(dir)} descriptors`);
});

/** What `act` answers, unless it throws that the file at `path` changed; then undefined. */
function unlessChanged(path, act) {
  let answer;
  const attempt = () => {
    answer = act();
  };
  try {
    attempt();
  } catch {
    throwsPlain(attempt, `Session file changed while open: ${path}`);
  }
  return answer;
}

for (const [what, change] of [
  ["truncated to nothing", (path) => truncateSync(path, 0)],
  ["truncated in a line", (path) => truncateSync(path, text(path).length - 50)],
  ["overwritten with other entries of the same size", (path) => writeFileSync(path, text(path).replaceAll("u1", "x1").replaceAll("a1", "y1"))],
  ["overwritten with other text of the same size", (path) => writeFileSync(path, text(path).replaceAll("asks", "said"))],
]) {
  test(`a file ${what} before its entries were asked for: the old entries, or an error`, (t) => {
    const path = session(t, H(), U("u1"), A("a1", "u1"));
    const manager = SessionManager.open(path);
    change(path);
    const entries = untouched(path, () => unlessChanged(path, () => manager.getEntries()));
    if (entries !== undefined) exactly(entries, [U("u1"), A("a1", "u1")]);
  });
}

test("an entry handed out before its file was truncated is still handed out", (t) => {
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  const manager = SessionManager.open(path);
  const entry = manager.getEntry("u1");
  writeFileSync(path, `${line(H())}\n`);
  assert.equal(manager.getEntry("u1"), entry);
});
