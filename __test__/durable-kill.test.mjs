// 22: a process killed at any moment leaves the old file or the new one, with every entry that an
// append had acknowledged. Counts are per operation.
//
//   KILLS=1000 node --test __test__/durable-kill.test.mjs
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SessionManager, findMostRecentSession } from "../index.js";
import { ids } from "./support/claims.mjs";
import { fastDir } from "./support/durable/fast-dir.mjs";
import { killed } from "./support/durable/kill.mjs";
import { A, H, H1, L, U, assistant, old, user } from "./support/entries.mjs";
import { jsonlIn, writeSession } from "./support/files.mjs";

const KILLS = Number(process.env.KILLS ?? 100);
const SIZE = 150;

/** A history of `SIZE` exchanges, 2 KB each. */
function history() {
  const entries = [];
  for (let n = 0; n < SIZE; n++) {
    const parent = entries.at(-1)?.id ?? null;
    entries.push(U(`u${n}`, parent, `${n} `.repeat(200)), A(`a${n}`, `u${n}`, "answer ".repeat(150)));
  }
  return [...entries, L("l1", entries.at(-1).id, "u1", "mark")];
}
const entries = history();
const damaged = entries.flatMap((entry, n) => (n % 40 === 7 ? ["{bad", `{"torn${JSON.stringify(entry)}`] : [entry]));
const texts = (all) => all.filter(({ type }) => type === "message").map(({ message }) => message.content);

/** What each operation works on, and whether a file is whole afterwards. */
const operations = {
  append: { source: [H(), ...entries], whole: startsWith(ids(entries)) },
  first: { source: [H(), ...entries], whole: (manager) => assert.equal(manager.getEntries()[0].type, "model_change") },
  migrate: {
    source: [H1(), ...entries.slice(0, -1).map(old)],
    whole: (manager) => assert.deepEqual(texts(manager.getEntries()).slice(0, 2 * SIZE), texts(entries)),
  },
  fork: { source: [H(), ...entries], whole: startsWith(ids(entries)) },
  branch: { source: [H(), ...entries], whole: startsWith(ids(entries.slice(0, -1))) },
  repair: { source: [H(), ...damaged], whole: startsWith(ids(entries)) },
};

function startsWith(expected) {
  return (manager) => assert.deepEqual(ids(manager.getEntries()).slice(0, expected.length), expected);
}

/** No damage but a last line that was cut, which the next append closes off. */
async function sound(path) {
  const { problems } = await SessionManager.verify(path);
  assert.deepEqual(problems.filter(({ grade, kind }) => grade === "damage" && kind !== "tornTail"), [], path);
}

/** Looks at all that a killed process left in `dir`; returns how many files that are. */
async function check(dir, operation, acknowledged, before) {
  const { whole } = operations[operation];
  const paths = jsonlIn(dir).map((name) => join(dir, name));
  const renewed = new Map(acknowledged.filter((done) => done.renewed).map((done) => [done.file, done]));
  for (const path of paths) {
    const content = readFileSync(path);
    const isOld = content.equals(before);
    if (isOld && (operation === "migrate" || operation === "repair")) {
      assert.ok(!renewed.has(path), `${path}: acknowledged, and the old file is there`);
      continue;
    }
    await sound(path);
    assert.equal(content.toString().match(/^\{"type":"session"/gm).length, 1, "one header");
    const manager = SessionManager.open(path);
    if (path !== join(dir, "source.jsonl") || operation === "append") whole(manager);
  }
  for (const [file, done] of groupByFile(acknowledged)) {
    assert.ok(existsSync(file), `${file} was acknowledged`);
    const there = ids(SessionManager.open(file).getEntries());
    for (const { id } of done.filter((each) => each.id)) assert.equal(there.filter((each) => each === id).length, 1, `${id} in ${file}`);
    for (const { backup } of done) if (backup) assert.ok(readFileSync(backup).equals(before), "the backup is the old file");
  }
  return paths.length;
}

function groupByFile(acknowledged) {
  const groups = new Map();
  for (const done of acknowledged) groups.set(done.file, [...(groups.get(done.file) ?? []), done]);
  return groups;
}

/** Leftovers are no sessions, do not stand in the way, and go when the next file is made. */
async function checkLeftovers(dir) {
  const leftovers = readdirSync(dir).filter((name) => name.startsWith(".session-"));
  const listed = (await SessionManager.list("/w", dir)).map(({ path }) => path).sort();
  assert.deepEqual(listed, jsonlIn(dir).map((name) => join(dir, name)).sort());
  assert.match(findMostRecentSession(dir), /\.jsonl$/);
  const longAgo = Date.now() / 1000 - 3600;
  for (const name of leftovers) utimesSync(join(dir, name), longAgo, longAgo);
  SessionManager.forkFrom(join(dir, "source.jsonl"), "/w", dir);
  assert.deepEqual(readdirSync(dir).filter((name) => name.startsWith(".session-")), []);
  return leftovers.length;
}

/** The session goes on: what is appended now is read again. */
function checkGoesOn(dir) {
  for (const name of jsonlIn(dir).slice(-2)) {
    const manager = SessionManager.open(join(dir, name));
    const before = ids(manager.getEntries());
    const added = [manager.appendMessage(user()), manager.appendMessage(assistant())];
    assert.deepEqual(ids(SessionManager.open(join(dir, name)).getEntries()), [...before, ...added]);
  }
}

for (const [operation, { source }] of Object.entries(operations)) {
  test(`22: killed during ${operation}`, async (t) => {
    const kills = Math.ceil(KILLS / Object.keys(operations).length);
    const counts = { kills: 0, acknowledged: 0, files: 0, leftovers: 0 };
    const next = async () => {
      while (counts.kills < kills) {
        counts.kills++;
        const dir = fastDir(t);
        const path = writeSession(join(dir, "source.jsonl"), ...source);
        const before = readFileSync(path);
        const acknowledged = await killed(operation, dir, 25);
        counts.acknowledged += acknowledged.length;
        const files = await check(dir, operation, acknowledged, before);
        const leftovers = await checkLeftovers(dir);
        counts.files += files;
        counts.leftovers += leftovers;
        checkGoesOn(dir);
        rmSync(dir, { recursive: true });
      }
    };
    await Promise.all([next(), next()]);
    t.diagnostic(`${operation}: ${JSON.stringify(counts)}`);
    assert.ok(counts.acknowledged > 0, "something was done before the kills");
  });
}
