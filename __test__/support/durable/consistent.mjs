import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { SessionManager } from "../../../index.js";
import { ids } from "../claims.mjs";
import { user } from "../entries.mjs";
import { records } from "../files.mjs";

/**
 * A manager that works: it appends, and memory and file hold the same, each entry once, under parents
 * that are there.
 */
export function consistent(manager) {
  const id = manager.appendMessage(user("still works"));
  const path = manager.getSessionFile();
  const here = manager.getEntries();
  const all = ids(here);
  assert.equal(new Set(all).size, all.length, "ids are unique");
  assert.equal(manager.getLeafId(), id);
  if (!existsSync(path)) assert.fail(`${path} is not there`);
  const written = records(path);
  assert.equal(written.filter(({ type }) => type === "session").length, 1, "one header");
  assert.equal(written[0].id, manager.getSessionId(), "its header");
  assert.deepEqual(ids(written.slice(1)), all, "file and memory have the same entries");
  for (const { parentId } of here) assert.ok(parentId === null || all.includes(parentId), `the parent ${parentId} is there`);
  const again = SessionManager.open(path);
  assert.deepEqual(ids(again.getEntries()), all, "a second manager reads them");
  assert.deepEqual(again.getEntries(), JSON.parse(JSON.stringify(here)), "with what they hold");
  assert.deepEqual(ids(again.getBranch()), ids(manager.getBranch()));
}
