// Recipes 1 to 9 and 12, 13 of the case list: files as a crash, an editor or another program left them.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { SessionManager, findMostRecentSession } from "../index.js";
import { exactly, ids, naming, throwsPlain } from "./support/claims.mjs";
import { A, E, H, H1, T, U, assistant, old, user } from "./support/entries.mjs";
import { file, line, lines, records, session, untouched } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

const three = [H(), U("u1"), A("a1", "u1")].map(line).join("\n");

/** Opens, appends two messages, opens again. */
function appendTwoAndReopen(path) {
  const manager = SessionManager.open(path);
  manager.appendMessage(user());
  manager.appendMessage(assistant());
  return SessionManager.open(path);
}

test("1: a torn last line stays in the file, alone on its line, and the chain goes on", (t) => {
  const path = file(t, `${three}\n{"type":"message"`);
  assert.equal(appendTwoAndReopen(path).getBranch().length, 4);
  assert.equal(lines(path).length, 6);
  assert.ok(lines(path).includes('{"type":"message"'));
});

test("2: a last line without its LF is an entry, and nothing is glued onto it", (t) => {
  const path = file(t, three);
  assert.equal(appendTwoAndReopen(path).getBranch().length, 4);
  assert.equal(records(path).length, 5);
});

test("3: a damaged line is skipped", (t) => {
  const path = session(t, H(), "{bad", U("u1"), A("a1", "u1"));
  exactly(untouched(path, () => SessionManager.open(path).getEntries()), [U("u1"), A("a1", "u1")]);
});

test("3: a damaged line is kept by a migration", (t) => {
  const path = session(t, H1(), "{bad", old(U("u")), old(A("a")));
  assert.equal(SessionManager.open(path).getEntries().length, 2);
  assert.deepEqual(lines(path)[1], "{bad");
  assert.equal(lines(path).length, 4);
});

test("4: a whole record behind a torn one is read and the chain holds", (t) => {
  const torn = line(U("t1", "u1")).slice(0, 40);
  const path = session(t, H(), U("u1"), torn + line(A("a1", "u1")), U("u2", "a1"));
  assert.deepEqual(ids(untouched(path, () => SessionManager.open(path).getBranch())), ["u1", "a1", "u2"]);
});

test("5: BOM, CRLF, invalid UTF-8 and raw U+2028 are read and listed", async (t) => {
  const [before, after] = line(U("u1", null, "a\u2028b#c")).split("#");
  const path = file(
    t,
    Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from(`${line(H())}\r\n${before}`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(`${after}\r\n${line(A("a1", "u1", "x\u2029y"))}\r\n`),
    ]),
  );
  const manager = untouched(path, () => SessionManager.open(path));
  assert.equal(manager.getSessionId(), "h1");
  assert.equal(manager.getEntry("u1").message.content, "a\u2028b\ufffd\ufffdc");
  assert.equal(manager.getEntry("a1").message.content[0].text, "x\u2029y");
  const [info] = await SessionManager.list("/w", dirname(path));
  assert.equal(info.allMessagesText, "a\u2028b\ufffd\ufffdc x\u2029y");
  assert.equal(info.id, "h1");
});

for (const [what, content] of [
  ["an event file", '{"type":"event"}\n'],
  ["a session whose header was cut", `${line(H()).slice(0, 20)}\n${line(U("u1"))}\n${line(A("a1", "u1"))}\n`],
  ["a picture", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
]) {
  test(`6: ${what} is refused and left as it is`, (t) => {
    const path = file(t, content);
    untouched(path, () =>
      throwsPlain(() => SessionManager.open(path), `Session file is not a valid elyra session: ${path}`),
    );
  });
}

test("6: a directory or a device is refused by name", (t) => {
  const dir = join(tempDir(t), "d.jsonl");
  mkdirSync(dir);
  throwsPlain(() => SessionManager.open(dir), naming(dir));
  throwsPlain(() => SessionManager.open("/dev/null"), /\/dev\/null/);
});

test("7: an empty file gets one header and the messages", (t) => {
  const path = file(t, "");
  const manager = SessionManager.open(path);
  manager.appendMessage(user());
  manager.appendMessage(assistant());
  assert.deepEqual(records(path).map((each) => each.message?.role ?? each.type), ["session", "user", "assistant"]);
});

test("8: a header of 2,000 bytes is found", async (t) => {
  const cwd = `/${"long/".repeat(400)}w`;
  const path = session(t, H({ cwd }), U("u1"));
  const dir = dirname(path);
  assert.ok(line(H({ cwd })).length > 2000);
  assert.equal(findMostRecentSession(dir), path);
  assert.equal(SessionManager.continueRecent(cwd, dir).getSessionFile(), path);
  assert.deepEqual((await SessionManager.list(cwd, dir)).map((info) => info.cwd), [cwd]);
});

test("9: a newer version is opened and left as it is", (t) => {
  const path = session(t, H({ version: 4 }), U("u1"), E("a1", "u1", { role: "hookMessage" }));
  const manager = untouched(path, () => SessionManager.open(path));
  assert.equal(manager.getHeader().version, 4);
  assert.equal(manager.getEntry("a1").message.role, "hookMessage");
  assert.deepEqual(ids(manager.getBranch()), ["u1", "a1"]);
});

test("12: version 2 with a hook message, an unknown type and a damaged line", (t) => {
  const odd = { type: "odd", id: "o1", parentId: "u1", timestamp: T, deep: [{ n: null }] };
  const hook = E("k1", "o1", { role: "hookMessage", content: "x" });
  const path = session(t, H({ version: 2 }), U("u1"), odd, "{damaged", hook);
  const manager = SessionManager.open(path);
  assert.equal(manager.getEntry("k1").message.role, "custom");
  exactly(manager.getEntry("o1"), odd);
  assert.deepEqual(lines(path).filter((each) => each.startsWith("{damaged")), ["{damaged"]);
  const kept = lines(path).filter((each) => each !== "{damaged").map((each) => JSON.parse(each));
  exactly(kept, [H({ version: 3 }), U("u1"), odd, E("k1", "o1", { role: "custom", content: "x" })]);
});

test("13: a second header is no entry and changes nothing", (t) => {
  const path = session(t, H(), U("u1"), H({ id: "h2" }), A("a1", "u1"));
  const before = readFileSync(path);
  const manager = SessionManager.open(path);
  assert.equal(manager.getSessionId(), "h1");
  assert.deepEqual(ids(manager.getEntries()), ["u1", "a1"]);
  assert.deepEqual(readFileSync(path), before);
});
