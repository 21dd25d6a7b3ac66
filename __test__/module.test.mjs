// The package as a module: import and require, worker threads, a Node that forbids eval.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import * as imported from "../index.js";
import { ids } from "./support/claims.mjs";
import { assistant, user } from "./support/entries.mjs";
import { jsonlIn, records } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

const require = createRequire(import.meta.url);
const { SessionManager } = imported;
const index = new URL("../index.js", import.meta.url).href;

const published = [
  "SessionManager", "CURRENT_SESSION_VERSION", "parseSessionEntries", "migrateSessionEntries", "getLatestCompactionEntry",
  "buildSessionContext", "getDefaultSessionDir", "loadEntriesFromFile", "findMostRecentSession", "configure",
];

test("import and require give one and the same of everything published", () => {
  const required = require("../index.js");
  for (const name of published) {
    assert.ok(imported[name] !== undefined, name);
    assert.equal(imported[name], required[name], name);
  }
  assert.ok(SessionManager.inMemory("/w") instanceof required.SessionManager);
});

test("so does the package by its name", async () => {
  const byName = await import("@elyracode/session-manager");
  assert.equal(byName.SessionManager, SessionManager);
  assert.equal(require("@elyracode/session-manager").SessionManager, SessionManager);
});

test("the package tells its version", () => {
  assert.match(require("@elyracode/session-manager/package.json").version, /^\d+\.\d+\.\d+/);
});

/** A worker that makes a session in `dir`, appends `n` pairs, reopens it and tells what it read. */
function startWorker(dir, n) {
  const source = `
    const { parentPort, workerData } = require("node:worker_threads");
    import(${JSON.stringify(index)}).then(async ({ SessionManager }) => {
      const manager = SessionManager.create("/worker", workerData.dir);
      for (let i = 0; i < workerData.n; i++) {
        manager.appendMessage({ role: "user", content: "question " + i });
        manager.appendMessage({ role: "assistant", content: [{ type: "text", text: "answer " + i }] });
      }
      const again = SessionManager.open(manager.getSessionFile());
      const listed = await SessionManager.list("/worker", workerData.dir);
      parentPort.postMessage({
        entries: again.getEntries().length,
        messages: again.buildSessionContext().messages.length,
        listed: listed.length,
      });
    });`;
  return new Worker(source, { eval: true, workerData: { dir, n } });
}

async function finish(worker) {
  const exited = once(worker, "exit");
  const [message] = await once(worker, "message");
  assert.deepEqual(await exited, [0]);
  return message;
}

test("a worker uses sessions of its own and ends; the main thread goes on", async (t) => {
  const manager = SessionManager.create("/main", tempDir(t));
  manager.appendMessage(user());
  const answer = await finish(startWorker(tempDir(t), 50));
  assert.deepEqual(answer, { entries: 100, messages: 100, listed: 1 });
  manager.appendMessage(assistant());
  assert.deepEqual(ids(records(manager.getSessionFile())).slice(1), ids(manager.getEntries()));
  assert.equal(SessionManager.open(manager.getSessionFile()).getBranch().length, 2);
});

test("two workers at once, while the main thread works", async (t) => {
  const dirs = [tempDir(t), tempDir(t)];
  const answers = dirs.map((dir) => finish(startWorker(dir, 200)));
  const manager = SessionManager.create("/main", tempDir(t));
  for (let i = 0; i < 200; i++) {
    manager.appendMessage(user(`m${i}`));
    if (i % 20 === 0) await new Promise(setImmediate);
  }
  assert.deepEqual(await Promise.all(answers), Array(2).fill({ entries: 400, messages: 400, listed: 1 }));
  for (const dir of dirs) assert.equal(records(join(dir, jsonlIn(dir)[0])).length, 401);
  assert.equal(records(manager.getSessionFile()).length, 201);
});

test("workers that are terminated leave the main thread at work", async (t) => {
  const dir = tempDir(t);
  for (let i = 0; i < 5; i++) {
    const worker = startWorker(dir, 1_000_000);
    await once(worker, "online");
    await new Promise((resolve) => setTimeout(resolve, 50));
    await worker.terminate();
  }
  const manager = SessionManager.create("/main", tempDir(t));
  manager.appendMessage(user());
  assert.equal(records(manager.getSessionFile()).length, 2);
});

test("an agent directory set in a worker's own environment counts there", async (t) => {
  const dir = tempDir(t);
  const source = `
    process.env.ELYRA_CODING_AGENT_DIR = require("node:worker_threads").workerData;
    import(${JSON.stringify(index)}).then(({ getDefaultSessionDir }) =>
      require("node:worker_threads").parentPort.postMessage(getDefaultSessionDir("/w")));`;
  const answer = await finish(new Worker(source, { eval: true, workerData: dir }));
  assert.equal(answer, join(dir, "sessions", "--w--"));
});

test("it works where code generation from strings is forbidden", (t) => {
  const dir = tempDir(t);
  const source = `
    import { SessionManager } from ${JSON.stringify(index)};
    const manager = SessionManager.create("/w", ${JSON.stringify(dir)});
    manager.appendMessage({ role: "user", content: "x" });
    const again = SessionManager.open(manager.getSessionFile());
    process.stdout.write(String(again.getEntries().length + again.getTree().length + (await SessionManager.list("/w", ${JSON.stringify(dir)})).length));`;
  const flags = ["--disallow-code-generation-from-strings", "--input-type=module", "-e", source];
  assert.equal(execFileSync(process.execPath, flags, { encoding: "utf8" }), "3");
});

test("importing reads and writes nothing in the agent directory", (t) => {
  const dir = tempDir(t);
  const env = { ...process.env, ELYRA_CODING_AGENT_DIR: join(dir, "agent") };
  execFileSync(process.execPath, ["--input-type=module", "-e", `import ${JSON.stringify(index)};`], { env });
  assert.deepEqual(jsonlIn(dir), []);
});
