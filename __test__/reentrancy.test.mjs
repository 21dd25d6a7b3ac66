// Callbacks of the caller that call back into the manager, in the middle of a call.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { SessionManager } from "../index.js";
import { tempDir } from "./support/temp.mjs";

const user = (content) => ({ role: "user", content });
const linesOf = (manager) =>
  readFileSync(manager.getSessionFile(), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));

/** Memory and file have the same entries, and each id once. */
function agrees(manager) {
  const [header, ...entries] = linesOf(manager);
  assert.equal(header.id, manager.getSessionId());
  assert.deepEqual(entries, JSON.parse(JSON.stringify(manager.getEntries())));
  assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length);
}

test("a getter that makes the first write does not put a description into the file", (t) => {
  const manager = SessionManager.create("/w", tempDir(t));
  let once = true;
  const message = {
    role: "user",
    get content() {
      if (once) {
        once = false;
        manager.appendMessage(user("inner"));
      }
      return "outer";
    },
  };
  try {
    manager.appendMessage(message);
  } catch (error) {
    assert.match(error.message, /changed during the call/);
  }
  agrees(manager);
  manager.appendMessage(user("after"));
  agrees(manager);
  assert.ok(linesOf(manager).slice(1).every(({ message }) => typeof message.content === "string"));
});

test("a toJSON that begins another session leaves no stranger's header", (t) => {
  const manager = SessionManager.create("/w", tempDir(t));
  let armed = false;
  manager.appendCustomEntry("x", { toJSON: () => (armed && ((armed = false), manager.newSession()), 1) });
  armed = true;
  assert.throws(() => manager.appendMessage(user("one")), /changed during the call/i);
  manager.appendMessage(user("two"));
  agrees(manager);
});

test("a setup entry that cannot be stored is refused at once, not at the first message", (t) => {
  const manager = SessionManager.create("/w", tempDir(t));
  assert.throws(() => manager.appendCustomEntry("x", { n: 10n }), TypeError);
  manager.appendMessage(user("kept"));
  agrees(manager);
});

test("an entry appended from within another's toJSON is not on its branch", (t) => {
  const manager = SessionManager.create("/w", tempDir(t));
  manager.appendMessage(user("first"));
  manager.getBranch();
  let once = true;
  manager.appendMessage({ role: "user", content: { toJSON: () => (once && ((once = false), manager.appendCustomEntry("in")), "x") } });
  const cached = manager.getBranch();
  manager.branch(manager.getLeafId());
  assert.deepEqual(cached, manager.getBranch());
  agrees(manager);
});
