// Issue 3, rule 6: verify looks and writes nothing, repair mends damage and leaves notes.
import assert from "node:assert/strict";
import { appendFileSync, chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { SessionManager, findMostRecentSession, loadEntriesFromFile } from "../index.js";
import { exactly, ids } from "./support/claims.mjs";
import { A, C, H, H1, L, T, U, old, user } from "./support/entries.mjs";
import { file, jsonlIn, line, session, untouched } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

const torn = (entry) => `{"type":"mess${line(entry)}`;

/** Each line, and the problems it must be found to have: kind, and the id where it is about an entry. */
const odd = [
  ["{bad before the header", ["notJson"]],
  [H({ cwd: "/w/会话 🙂" })],
  [U("u1", null, "naïve 会话 🙂")],
  [""],
  ["17", ["notAnObject"]],
  ["[]", ["notAnObject"]],
  [H({ id: "h2" }), ["secondHeader"]],
  [torn(A("a1", "u1")), ["splicedRecords"]],
  [`${line(U("u2", "a1"))}${line(A("a2", "u2"))}`, ["splicedRecords"]],
  ["\0\0\0\0", ["nulRun"]],
  [`\0\0${line(U("u3", "a2"))}`, ["nulRun"]],
  ["{bad 会话", ["notJson"]],
  [U("o1", "gone"), ["orphan", "o1"]],
  [U("x", "y"), ["cycle", "x"]],
  [U("y", "x"), ["cycle", "y"]],
  [U("z", "z"), ["cycle", "z"]],
  [U("u1"), ["repeatedId", "u1"]],
  [L("l1", "u1", "gone", "mark"), ["danglingLabel", "l1"]],
  [L("l2", "l1", "u2", "mark")],
  [C("k1", "l2", "gone"), ["danglingCompaction", "k1"]],
  [C("k2", "k1", "u2")],
];
const DAMAGE = ["tornTail", "nulRun", "splicedRecords", "notJson", "notAnObject", "secondHeader"];
const stub = '{"type":"message","id":"torn';

function oddFile() {
  const problems = [];
  let offset = 0;
  for (const [n, [each, problem]] of odd.entries()) {
    if (problem) {
      const [kind, id] = problem;
      problems.push({ kind, grade: DAMAGE.includes(kind) ? "damage" : "note", offset, line: n + 1, ...(id && { id }) });
    }
    offset += Buffer.byteLength(line(each)) + 1;
  }
  problems.push({ kind: "tornTail", grade: "damage", offset, line: odd.length + 1 });
  const damage = problems.filter(({ grade }) => grade === "damage");
  const notes = problems.filter(({ grade }) => grade === "note");
  return { content: `${odd.map(([each]) => line(each)).join("\n")}\n${stub}`, damage, notes };
}

const kept = ["u1", "a1", "u2", "a2", "u3", "o1", "x", "y", "z", "u1", "l1", "l2", "k1", "k2"];
const about = (problems) => problems.map(({ kind, id }) => [kind, id]);

test("verify finds each kind of problem, where it is, and writes nothing", async (t) => {
  const { content, damage, notes } = oddFile();
  const path = file(t, content);
  const report = await SessionManager.verify(path);
  exactly(report, { entries: kept.length, problems: [...damage, ...notes] });
  assert.equal(readFileSync(path, "utf8"), content);
  assert.deepEqual(readdirSync(dirname(path)), ["s.jsonl"]);
});

test("verify finds nothing in a sound file", async (t) => {
  const whole = `${line(H())}\n${line(U("u1"))}\n`;
  for (const content of [whole, whole.replaceAll("\n", "\r\n"), whole.trimEnd(), `\ufeff${whole}`, `\n${whole}\n\n`, `${line(H())}\n`]) {
    const { problems } = await SessionManager.verify(file(t, content));
    assert.deepEqual(problems, [], JSON.stringify(content));
  }
  const { entries, problems } = await SessionManager.verify(session(t, H1(), old(U("u")), old(A("a"))));
  assert.deepEqual([entries, problems], [2, []]);
});

test("verify notes a newer version at the header's line", async (t) => {
  for (const before of ["", "{bad\n", "\n\n"]) {
    const { problems } = await SessionManager.verify(file(t, `${before}${line(H({ version: 4 }))}\n${line(U("u1"))}\n`));
    const note = problems.find(({ kind }) => kind === "newerVersion");
    exactly(note, { kind: "newerVersion", grade: "note", offset: before.length, line: before.split("\n").length });
  }
});

test("verify and repair refuse what is no session, with a plain error, and leave it", async (t) => {
  for (const content of ["", "\n", "dear diary\n", `${line(U("u1"))}\n${line(H())}\n`, '{"type":"session"', "\0\0\0"]) {
    const path = file(t, content);
    for (const work of [SessionManager.verify, SessionManager.repair]) {
      await assert.rejects(work(path), (error) => {
        assert.equal(Object.getPrototypeOf(error), Error.prototype);
        assert.ok(!("code" in error));
        return error.message === `Session file is not a valid elyra session: ${path}`;
      });
    }
    assert.equal(readFileSync(path, "utf8"), content);
    assert.deepEqual(readdirSync(dirname(path)), ["s.jsonl"]);
    await assert.rejects(SessionManager.verify(`${path}.gone`), { message: new RegExp(`${path}.gone`) });
    await assert.rejects(SessionManager.repair(`${path}.gone`), { message: new RegExp(`${path}.gone`) });
  }
});

test("repair mends all damage, leaves the notes and every other byte, and keeps the old file", async (t) => {
  const { content, damage, notes } = oddFile();
  const path = file(t, content);
  chmodSync(path, 0o640);
  const before = SessionManager.open(path);
  assert.deepEqual(ids(before.getEntries()), kept);
  const done = await SessionManager.repair(path);
  assert.deepEqual(Object.keys(done), ["entries", "mended", "notes", "backup"]);
  exactly(done.mended, damage);
  assert.deepEqual(about(done.notes), about(notes));
  assert.equal(done.entries, kept.length);
  assert.match(done.backup, new RegExp(`^${path}\\.bak-`));
  assert.equal(readFileSync(done.backup, "utf8"), content);
  const entryLines = loadEntriesFromFile(done.backup).filter(({ type }) => type !== "session").map(line);
  assert.equal(readFileSync(path, "utf8"), [line(odd[1][0]), entryLines[0], "", ...entryLines.slice(1)].map((each) => `${each}\n`).join(""));
  assert.equal(statSync(path).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(dirname(path)).length, 2, "nothing but the file and the backup");
  const report = await SessionManager.verify(path);
  assert.deepEqual(about(report.problems), about(notes), "the same notes and no damage");
  assert.deepEqual(ids(SessionManager.open(path).getEntries()), kept);
});

test("a second repair does nothing, and a sound file is left alone", async (t) => {
  const path = file(t, oddFile().content);
  await SessionManager.repair(path);
  const { ino } = statSync(path);
  const again = await untouched(path, () => SessionManager.repair(path));
  exactly([again.mended, again.backup], [[], undefined]);
  assert.equal(statSync(path).ino, ino);
  assert.equal(readdirSync(dirname(path)).length, 2);
});

test("backups are never listed, found or continued", async (t) => {
  const path = session(t, H(), U("u1"), "{bad");
  const dir = dirname(path);
  const { backup } = await SessionManager.repair(path);
  assert.deepEqual((await SessionManager.list("/w", dir)).map((info) => info.path), [path]);
  assert.equal(findMostRecentSession(dir), path);
  assert.equal(SessionManager.continueRecent("/w", dir).getSessionFile(), path);
  assert.deepEqual(jsonlIn(dir), ["s.jsonl"]);
  assert.notEqual(backup, path);
});

test("two repairs of one file at once: both end well, and one of them has the backup", async (t) => {
  const content = oddFile().content;
  const path = file(t, content);
  const done = await Promise.allSettled([SessionManager.repair(path), SessionManager.repair(path), SessionManager.verify(path)]);
  assert.deepEqual(done.map(({ status }) => status), ["fulfilled", "fulfilled", "fulfilled"]);
  const backups = done.slice(0, 2).map(({ value }) => value.backup).filter(Boolean);
  assert.equal(backups.length, 1);
  assert.equal(readFileSync(backups[0], "utf8"), content);
});

test("repair through a link mends the file it leads to, and the link stays", async (t) => {
  const path = session(t, H(), U("u1"), "{bad", A("a1", "u1"));
  chmodSync(path, 0o600);
  const links = join(tempDir(t), "links");
  mkdirSync(links);
  const link = join(links, "l.jsonl");
  symlinkSync(path, link);
  const { mended, backup } = await SessionManager.repair(link);
  assert.equal(mended.length, 1);
  assert.equal(dirname(backup), dirname(path));
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal(readlinkSync(link), path);
  assert.deepEqual(readdirSync(links), ["l.jsonl"]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual((await SessionManager.verify(path)).problems, []);
});

test("an open manager goes on after a repair, with its objects", async (t) => {
  const path = session(t, H(), U("u1"), torn(A("a1", "u1")), "{bad", U("u2", "a1"));
  const manager = SessionManager.open(path);
  const before = manager.getEntries();
  await SessionManager.repair(path);
  const id = manager.appendMessage(user());
  assert.deepEqual(ids(manager.getEntries()), ["u1", "a1", "u2", id]);
  before.forEach((entry, n) => assert.ok(manager.getEntries()[n] === entry, "the same object"));
  assert.deepEqual(ids(SessionManager.open(path).getBranch()), ["u1", "a1", "u2", id]);
  assert.deepEqual((await SessionManager.verify(path)).problems, []);
  assert.equal(manager.getDiagnostics().damagedLines, 0);
});

test("an old file is repaired as it is, and migrated when it is opened", async (t) => {
  const path = session(t, H1(), old(U("u1")), "{bad", torn(old(A("a1"))), old(U("u2")));
  const { mended, entries } = await SessionManager.repair(path);
  assert.deepEqual([mended.map(({ kind }) => kind), entries], [["notJson", "splicedRecords"], 3]);
  assert.deepEqual(readFileSync(path, "utf8").split("\n"), [H1(), old(U("u1")), old(A("a1")), old(U("u2")), ""].map(line));
  assert.equal(SessionManager.open(path).getBranch().length, 3);
});

test("getDiagnostics counts what is odd, and what others add", (t) => {
  const zero = {
    damagedLines: 0, linesWithoutObject: 0, secondHeaders: 0, orphans: 0, cycles: 0, repeatedIds: 0, danglingLabels: 0, danglingCompactions: 0,
  };
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  const manager = SessionManager.open(path);
  const add = (...all) => appendFileSync(path, all.map((each) => `${line(each)}\n`).join(""));
  exactly(manager.getDiagnostics(), zero);
  add("{bad", "17", "null", H({ id: "h2" }), U("o", "gone"), U("c1", "c2"), U("c2", "c1"), U("s", "s"), U("u1"), L("l", "a1", "gone", "x"));
  add({ type: "compaction", id: "k", parentId: "a1", timestamp: T, summary: "s", firstKeptEntryId: "gone", tokensBefore: 1 });
  exactly(manager.getDiagnostics(), zero);
  manager.refresh();
  const all = { damagedLines: 1, linesWithoutObject: 2, secondHeaders: 1, orphans: 1, cycles: 3, repeatedIds: 1, danglingLabels: 1, danglingCompactions: 1 };
  exactly(manager.getDiagnostics(), all);
  exactly(SessionManager.open(path).getDiagnostics(), all);
  exactly(SessionManager.inMemory("/w").getDiagnostics(), zero);
  manager.newSession();
  exactly(manager.getDiagnostics(), zero);
});
