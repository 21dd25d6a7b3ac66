// What is opened, appended to and listed many times leaves neither memory nor descriptors behind.
//
//   ROUNDS=100000 node --test __test__/durable-leak.test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { SessionManager } from "../index.js";
import { inChild } from "./support/durable/child.mjs";
import { H, U } from "./support/entries.mjs";
import { session } from "./support/files.mjs";

const ROUNDS = Number(process.env.ROUNDS ?? 10_000);
const MB = 1 << 20;

test(`${ROUNDS} opens, twice as many appends, as many lists: flat memory, no descriptor left`, (t) => {
  const { memory, before, after } = inChild(t, "leaking.mjs", { args: [String(ROUNDS)], flags: ["--expose-gc"], timeout: 60_000 + ROUNDS * 5 });
  t.diagnostic(`resident after each third: ${memory.map((bytes) => `${(bytes / MB).toFixed(1)} MB`).join(", ")}; descriptors: ${before}, ${after}`);
  assert.equal(memory.length, 3);
  assert.ok(memory[2] - memory[1] < 6 * MB, "flat between the second third and the last");
  assert.equal(after, before);
});

test("42: a worker uses the addon and ends, in the middle of it or by itself; the main thread goes on", async (t) => {
  const path = session(t, H(), U("u1"));
  const manager = SessionManager.open(path);
  const source = `
    const { parentPort, workerData } = require("node:worker_threads");
    const { SessionManager } = require(workerData.index);
    const manager = SessionManager.open(workerData.path);
    const ids = [];
    for (let n = 0; n < 20 || workerData.endless; n++) {
      ids.push(manager.appendMessage({ role: "user", content: "w", timestamp: 1 }));
      SessionManager.verify(workerData.path);
      if (n === 5) parentPort.postMessage("working");
    }
    parentPort.postMessage(ids);`;
  const index = fileURLToPath(new URL("../index.js", import.meta.url));
  const ours = [];
  const theirs = [];
  for (let n = 0; n < 12; n++) {
    const endless = n % 2 === 0;
    const worker = new Worker(source, { eval: true, workerData: { index, path, endless } });
    const ended = new Promise((resolve, reject) => worker.on("exit", resolve).on("error", reject));
    await new Promise((resolve) => worker.on("message", (message) => {
      if (message === "working" ? endless : true) resolve();
      if (message !== "working") theirs.push(...message);
    }));
    ours.push(manager.appendMessage({ role: "user", content: "m", timestamp: 1 }));
    if (endless) await worker.terminate();
    await ended;
    ours.push(manager.appendMessage({ role: "user", content: "m", timestamp: 1 }));
  }
  manager.refresh();
  const again = SessionManager.open(path).getEntries().map(({ id }) => id);
  assert.deepEqual(manager.getEntries().map(({ id }) => id), again);
  assert.deepEqual([...ours, ...theirs].filter((id) => !again.includes(id)), []);
  assert.equal(new Set(again).size, again.length);
  const { problems } = await SessionManager.verify(path);
  assert.deepEqual(problems, []);
});
