import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { exactly, ids, isNow, throwsPlain } from "./support/claims.mjs";
import { A, C, H, L, U, user } from "./support/entries.mjs";
import { file, records, session, untouched, writeSession } from "./support/files.mjs";
import { agentDir, tempDir, workIn } from "./support/temp.mjs";

test("forkFrom copies every entry under a new header that names its source", (t) => {
  const source = session(t, H(), U("u1"), A("a1", "u1"), L("l1", "a1", "u1", "mark"), { type: "odd", id: "o1", parentId: "l1", timestamp: "x", more: [1] });
  const dir = tempDir(t);
  const fork = untouched(source, () => SessionManager.forkFrom(source, "/target", dir));
  const [header, ...entries] = records(fork.getSessionFile());
  isNow(header.timestamp);
  exactly(header, {
    type: "session",
    version: 3,
    id: fork.getSessionId(),
    timestamp: header.timestamp,
    cwd: "/target",
    parentSession: source,
  });
  exactly(entries, records(source).slice(1));
  exactly(fork.getHeader(), header);
  exactly(fork.getEntries(), entries);
});

test("forkFrom answers a manager open on the new file", (t) => {
  const dir = tempDir(t);
  const fork = SessionManager.forkFrom(session(t, H(), U("u1"), A("a1", "u1")), "/target", dir);
  assert.notEqual(fork.getSessionId(), "h1");
  assert.equal(fork.getCwd(), "/target");
  assert.equal(fork.getSessionDir(), dir);
  assert.equal(fork.getLeafId(), "a1");
  assert.equal(dirname(fork.getSessionFile()), dir);
  const name = `${fork.getHeader().timestamp.replace(/[:.]/g, "-")}_${fork.getSessionId()}.jsonl`;
  assert.equal(basename(fork.getSessionFile()), name);
  const id = fork.appendMessage(user());
  assert.deepEqual(ids(records(fork.getSessionFile())).slice(1), ["u1", "a1", id]);
});

test("forkFrom leaves one file in the directory, which it makes", (t) => {
  const dir = join(tempDir(t), "a", "b");
  const fork = SessionManager.forkFrom(session(t, H(), U("u1")), "/target", dir);
  assert.deepEqual(readdirSync(dir), [basename(fork.getSessionFile())]);
});

for (const none of [undefined, null]) {
  test(`forkFrom with ${none} as directory takes the default one of the target`, (t) => {
    const agent = agentDir(t);
    const fork = SessionManager.forkFrom(session(t, H(), U("u1")), "/tar/get", none);
    assert.equal(fork.getSessionDir(), join(agent, "sessions", "--tar-get--"));
  });
}

test("forkFrom writes no other header than its own", (t) => {
  const source = session(t, H(), U("u1"), H({ id: "h2" }), A("a1", "u1"));
  const fork = SessionManager.forkFrom(source, "/target", tempDir(t));
  assert.deepEqual(records(fork.getSessionFile()).map((each) => each.type), ["session", "message", "message"]);
});

test("forkFrom keeps an id that occurs twice and a compaction as they are", (t) => {
  const entries = [U("u1"), A("a1", "u1"), C("c1", "a1", "u1"), U("u1", "c1")];
  const fork = SessionManager.forkFrom(session(t, H(), ...entries), "/target", tempDir(t));
  exactly(records(fork.getSessionFile()).slice(1), entries);
});

test("forkFrom of a session with a header alone gives an empty session", (t) => {
  const fork = SessionManager.forkFrom(session(t, H()), "/target", tempDir(t));
  assert.deepEqual(fork.getEntries(), []);
  assert.equal(fork.getLeafId(), null);
  assert.equal(records(fork.getSessionFile()).length, 1);
});

test("forkFrom of a relative path names the source in full", (t) => {
  const dir = tempDir(t);
  workIn(t, dir);
  writeSession("s.jsonl", H(), U("u1"));
  const fork = SessionManager.forkFrom("s.jsonl", "target", "sessions");
  assert.equal(fork.getHeader().parentSession, join(dir, "s.jsonl"));
  assert.equal(fork.getHeader().cwd, join(dir, "target"));
  assert.equal(fork.getSessionDir(), join(dir, "sessions"));
});

for (const [what, content] of [
  ["an empty file", ""],
  ["a file that is no session", "dear diary\n"],
  ["a file whose first object is no header", '{"type":"event"}\n'],
]) {
  test(`forkFrom of ${what} throws, names it and makes nothing`, (t) => {
    const source = file(t, content);
    const dir = join(tempDir(t), "sessions");
    throwsPlain(
      () => SessionManager.forkFrom(source, "/target", dir),
      `Cannot fork: source session file is empty or invalid: ${source}`,
    );
    assert.equal(existsSync(dir), false);
  });
}

test("forkFrom of a missing file throws and names it", (t) => {
  const source = join(tempDir(t), "gone.jsonl");
  throwsPlain(
    () => SessionManager.forkFrom(source, "/target", tempDir(t)),
    `Cannot fork: source session file is empty or invalid: ${source}`,
  );
});

for (const wrong of [undefined, null]) {
  test(`forkFrom of ${wrong} throws`, (t) => {
    assert.throws(() => SessionManager.forkFrom(wrong, "/target", tempDir(t)));
  });
}
