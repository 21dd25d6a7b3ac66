// getHeader, getEntries, getCwd, getSessionDir, getSessionId, getSessionFile, isPersisted.
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, ids } from "./support/claims.mjs";
import { A, H, T, U, user } from "./support/entries.mjs";
import { session } from "./support/files.mjs";

test("getHeader gives the header with every field the file has, in its order", (t) => {
  const header = { more: { b: 1, a: 2 }, type: "session", cwd: "/w", id: "h1", version: 3, timestamp: T, parentSession: null };
  exactly(SessionManager.open(session(t, header, U("u1"))).getHeader(), header);
});

test("getEntries gives every entry but the header, in the order of the file", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), A("a1", "u1"), U("u2", "gone")));
  assert.deepEqual(ids(manager.getEntries()), ["u1", "a1", "u2"]);
  const id = manager.appendMessage(user());
  assert.deepEqual(ids(manager.getEntries()), ["u1", "a1", "u2", id]);
});

test("entries come with unknown types and fields whole", (t) => {
  const odd = { x: null, type: "odd", deep: [{ z: 1, a: [] }], id: "o1", parentId: null, timestamp: T };
  const message = { ...U("u1", "o1"), extra: true };
  exactly(SessionManager.open(session(t, H(), odd, message)).getEntries(), [odd, message]);
});

test("an entry without a timestamp or with odd ones is kept", (t) => {
  const entries = [{ type: "custom", id: "x1", parentId: null }, { ...U("u1", "x1"), timestamp: 5 }];
  exactly(SessionManager.open(session(t, H(), ...entries)).getEntries(), entries);
});

test("what a manager says of itself agrees with header and path", (t) => {
  const path = session(t, H(), U("u1"));
  const manager = SessionManager.open(path);
  assert.equal(manager.getSessionId(), "h1");
  assert.equal(manager.getSessionFile(), path);
  assert.equal(manager.getSessionDir(), dirname(path));
  assert.equal(manager.getCwd(), "/w");
  assert.equal(manager.isPersisted(), true);
});

test("ids of new entries are unlike those there are", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1")));
  for (let i = 0; i < 500; i++) manager.appendCustomEntry("n", i);
  assert.equal(new Set(ids(manager.getEntries())).size, 501);
});
