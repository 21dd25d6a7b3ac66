// appendThinkingLevelChange, appendModelChange and appendSessionInfo.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, isNow, seen } from "./support/claims.mjs";
import { A, H, Info, U, user } from "./support/entries.mjs";
import { records, session } from "./support/files.mjs";

/** A manager on a file of two messages; `last` is the last record the file has now. */
function opened(t) {
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  const manager = SessionManager.open(path);
  return { manager, path, last: () => records(path).at(-1) };
}

test("appendThinkingLevelChange records the level below the leaf", (t) => {
  const { manager, last } = opened(t);
  const id = manager.appendThinkingLevelChange("high");
  const { timestamp } = manager.getEntry(id);
  isNow(timestamp);
  const entry = { type: "thinking_level_change", id, parentId: "a1", timestamp, thinkingLevel: "high" };
  exactly(manager.getEntry(id), entry);
  exactly(last(), entry);
  assert.equal(manager.getLeafId(), id);
});

test("appendThinkingLevelChange keeps undefined in memory and null in the file", (t) => {
  const { manager, last } = opened(t);
  const id = manager.appendThinkingLevelChange();
  assert.ok(Object.hasOwn(manager.getEntry(id), "thinkingLevel"));
  assert.deepEqual(Object.keys(last()), ["type", "id", "parentId", "timestamp"]);
  manager.appendThinkingLevelChange(null);
  assert.equal(last().thinkingLevel, null);
});

test("appendModelChange records provider and model below the leaf", (t) => {
  const { manager, last } = opened(t);
  const id = manager.appendModelChange("openai", "gpt");
  const { timestamp } = manager.getEntry(id);
  const entry = { type: "model_change", id, parentId: "a1", timestamp, provider: "openai", modelId: "gpt" };
  exactly(manager.getEntry(id), entry);
  exactly(last(), entry);
});

test("appendModelChange keeps empty and undefined names", (t) => {
  const { manager, last } = opened(t);
  const id = manager.appendModelChange("", undefined);
  exactly(manager.getEntry(id), {
    type: "model_change", id, parentId: "a1", timestamp: manager.getEntry(id).timestamp, provider: "", modelId: undefined,
  });
  assert.ok(!Object.hasOwn(last(), "modelId"));
});

test("appendSessionInfo records a trimmed name, which getSessionName gives", (t) => {
  const { manager, last } = opened(t);
  const id = manager.appendSessionInfo("  My work\t ");
  const { timestamp } = manager.getEntry(id);
  const entry = { type: "session_info", id, parentId: "a1", timestamp, name: "My work" };
  exactly(manager.getEntry(id), entry);
  exactly(last(), entry);
  assert.equal(manager.getSessionName(), "My work");
});

test("an empty name clears the name and is recorded", (t) => {
  const { manager, last } = opened(t);
  manager.appendSessionInfo("one");
  manager.appendSessionInfo("  ");
  assert.equal(manager.getSessionName(), undefined);
  assert.equal(last().name, "");
});

for (const wrong of [undefined, null, 4, {}]) {
  test(`appendSessionInfo(${JSON.stringify(wrong)}) throws and changes nothing`, (t) => {
    const { manager, path } = opened(t);
    const before = seen(manager);
    assert.throws(() => manager.appendSessionInfo(wrong));
    assert.deepEqual(seen(manager), before);
    assert.equal(records(path).length, 3);
  });
}

test("getSessionName takes the last name in the file, whatever branch it is on", (t) => {
  const path = session(t, H(), U("u1"), Info("i1", "u1", "one"), Info("i2", "u1", " two "), U("u2", "u1"));
  const manager = SessionManager.open(path);
  assert.equal(manager.getSessionName(), "two");
  manager.branch("i1");
  assert.equal(manager.getSessionName(), "two");
});

for (const none of [undefined, null, "", " \n"]) {
  test(`getSessionName is undefined for a name of ${JSON.stringify(none)}`, (t) => {
    const manager = SessionManager.open(session(t, H(), Info("i1", null, "one"), Info("i2", "i1", none)));
    assert.equal(manager.getSessionName(), undefined);
  });
}

test("getSessionName is undefined where no name was set", (t) => {
  const { manager } = opened(t);
  manager.appendMessage(user());
  assert.equal(manager.getSessionName(), undefined);
});
