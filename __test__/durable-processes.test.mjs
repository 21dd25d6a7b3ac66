// Several processes at once on the same files: nobody's entries are lost, and nothing is there twice.
//
//   OPERATIONS=20000 node --test __test__/durable-processes.test.mjs    appends of each process
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { ids } from "./support/claims.mjs";
import { fastDir } from "./support/durable/fast-dir.mjs";
import { allThere, isChain, run, start } from "./support/durable/workers.mjs";
import { A, H, H1, U, old } from "./support/entries.mjs";
import { jsonlIn, records, session, writeSession } from "./support/files.mjs";

const OPERATIONS = Number(process.env.OPERATIONS ?? 4000);
const three = [H(), U("u1"), A("a1", "u1")];

/** Three that append to `path`, and `others` that go on until those have ended. */
async function appending(dir, path, others, more = {}) {
  const stop = join(dir, "stop");
  const beside = others.map((task) => run({ path, dir, stop, ...task }));
  const task = { role: "append", path, count: OPERATIONS, start: Date.now() + 500, ...more };
  const reports = await Promise.all(["p", "q", "r"].map((tag) => run({ ...task, tag })));
  writeFileSync(stop, "");
  return { reports, beside: await Promise.all(beside) };
}

/** All that was appended is there, and each has its own chain, from what was there when it opened the file. */
function nothingLost(path, reports, count = OPERATIONS) {
  assert.deepEqual(reports.flatMap(({ errors }) => errors), []);
  const byId = allThere(records(path), ["u1", "a1", ...reports.flatMap((report) => report.ids)]);
  for (const report of reports) {
    assert.equal(report.ids.length, count);
    isChain(byId, report.ids);
    const branch = ids(SessionManager.open(path).getBranch(report.ids.at(-1)));
    assert.deepEqual([branch.slice(0, 2), branch.slice(-count)], [["u1", "a1"], report.ids]);
  }
}

test("21: three append, one lists, one branches and forks", async (t) => {
  const dir = fastDir(t);
  const path = writeSession(join(dir, "s.jsonl"), ...three);
  const { reports, beside } = await appending(dir, path, [{ role: "list" }, { role: "branch", tag: "b" }]);
  nothingLost(path, reports);
  const [lister, brancher] = beside;
  assert.deepEqual([lister.errors, brancher.errors], [[], []]);
  assert.ok(lister.counts.every((count, n) => count >= 2 && count >= (lister.counts[n - 1] ?? 0)), "each list has what the one before had");
  assert.ok(brancher.made.length > 0);
  for (const made of brancher.made) {
    const there = ids(SessionManager.open(made.path).getEntries());
    assert.deepEqual(made.ids.filter((id) => !there.includes(id)), [], made.path);
    allThere(records(made.path), there);
  }
  assert.equal(jsonlIn(dir).length, 1 + brancher.made.length, "no file but those");
  assert.deepEqual(readdirSync(dir).filter((name) => name.startsWith(".")), []);
  t.diagnostic(`${3 * OPERATIONS} appends, ${lister.counts.length} lists, ${brancher.made.length} branches and forks`);
});

// After each repair everyone reads the file again, so more of them take time and show nothing more.
for (const [count, pause] of [[4000, 30], [400, 1]]) {
  test(`three append ${count} times while one damages the file and repairs it every ${pause} ms`, async (t) => {
    const dir = fastDir(t);
    const path = writeSession(join(dir, "s.jsonl"), ...three);
    const { reports, beside } = await appending(dir, path, [{ role: "repair", pause }], { count });
    assert.deepEqual(beside[0].errors, []);
    await SessionManager.repair(path);
    nothingLost(path, reports, count);
    assert.ok(beside[0].counts.some((mended) => mended > 0));
    t.diagnostic(`${3 * count} appends, ${beside[0].counts.length} repairs`);
  });
}

test("three append lines of up to 2 MB while one refreshes: no line is read by halves", async (t) => {
  const dir = fastDir(t);
  const path = writeSession(join(dir, "s.jsonl"), ...three);
  const { reports, beside } = await appending(dir, path, [{ role: "refresh" }, { role: "list" }], { count: 40, size: 2_000_000 });
  assert.deepEqual([...reports, ...beside].flatMap(({ errors }) => errors), []);
  const written = records(path);
  allThere(written, reports.flatMap((report) => report.ids));
  assert.deepEqual(beside[0].ids, ids(written.slice(1)));
  assert.equal(beside[0].damaged, 0);
  t.diagnostic(`${beside[0].counts.length} refreshes, ${beside[1].counts.length} lists`);
});

/** Four processes that open each of `paths` at the same moment, and append to it. */
async function together(paths, count) {
  const task = { role: "together", paths, count, start: Date.now() + 600, every: 30 };
  const reports = await Promise.all(["p", "q", "r", "s"].map((tag) => run({ ...task, tag })));
  assert.deepEqual(reports.flatMap(({ errors }) => errors), []);
  return reports;
}

/** 200 exchanges, so that a migration takes a while. */
const long = Array.from({ length: 400 }, (_, n) => (n % 2 ? A : U)(`e${n}`, n ? `e${n - 1}` : null, "text ".repeat(200)));
const oldFiles = { 1: [H1(), "{bad", ...long.map(old)], 2: [H({ version: 2 }), "{bad", ...long] };

for (const [version, content] of Object.entries(oldFiles)) {
  test(`four open the same file of version ${version} at once: it is migrated once, and keeps what each appends`, async (t) => {
    const dir = fastDir(t);
    const paths = Array.from({ length: 25 }, (_, n) => writeSession(join(dir, `${n}.jsonl`), ...content));
    const reports = await together(paths, 5);
    for (const [n, path] of paths.entries()) {
      const entries = SessionManager.open(path).getEntries();
      const all = reports.flatMap((report) => report.ids[n]);
      assert.equal(all.length, 20);
      assert.equal(entries.length, 420, "those that were there, and twenty");
      const byId = new Map(entries.map((entry) => [entry.id, entry]));
      assert.equal(byId.size, 420);
      for (const report of reports) isChain(byId, report.ids[n]);
      const { problems } = await SessionManager.verify(path);
      assert.deepEqual(problems.map(({ kind, line }) => [kind, line]), [["notJson", 2]]);
    }
    assert.deepEqual(readdirSync(dir).length, paths.length, "nothing else is left");
  });
}

for (const [what, prepare] of [["a path where nothing is", () => {}], ["an empty file", (path) => writeFileSync(path, "")]]) {
  test(`four begin a session at ${what}, at once: one header, and the entries of all`, async (t) => {
    const dir = fastDir(t);
    const paths = Array.from({ length: 25 }, (_, n) => join(dir, `${n}.jsonl`));
    paths.forEach(prepare);
    const reports = await together(paths, 5);
    for (const [n, path] of paths.entries()) {
      const byId = allThere(records(path), reports.flatMap((report) => report.ids[n]));
      assert.equal(byId.size, 20);
      for (const report of reports) isChain(byId, report.ids[n]);
    }
    assert.deepEqual(readdirSync(dir).length, paths.length, "nothing else is left");
  });
}

const noFlock = spawnSync("flock", ["--version"]).status === 0 ? false : "the command flock is not here";
test("a file that another process keeps locked: after 5 seconds an error that names it, nothing changed; then it works", { skip: noFlock }, async (t) => {
  const path = session(t, ...three);
  const holder = spawn("flock", ["--no-fork", path, "sh", "-c", "echo held; exec sleep 60"], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  const { child, report } = start({ role: "locked", path }, ["ipc"]);
  await once(child, "message");
  assert.deepEqual(ids(records(path)), ["h1", "u1", "a1"]);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  child.send("go on");
  const { errors, counts, unchanged, ids: accepted } = await report;
  assert.deepEqual(errors, [`Session file is locked by another process: ${path}`]);
  assert.ok(counts[0] >= 5000 && counts[0] < 6500, `after ${counts[0]} ms`);
  assert.ok(unchanged);
  assert.deepEqual(ids(records(path)), ["h1", "u1", "a1", ...accepted]);
});
