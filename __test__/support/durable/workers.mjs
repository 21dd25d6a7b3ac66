// Starts the processes of worker.mjs.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const worker = fileURLToPath(new URL("worker.mjs", import.meta.url));

/** Starts a process with a task. `report` comes when it has ended: what it said. */
export function start(task, stdio = []) {
  const child = spawn(process.execPath, [worker, JSON.stringify(task)], { stdio: ["ignore", "pipe", "inherit", ...stdio] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => (output += chunk));
  const report = new Promise((resolve, reject) => {
    child.on("close", (code, signal) => {
      if (code === 0) resolve(JSON.parse(output));
      else reject(new Error(`${task.role} ended with ${code ?? signal}`));
    });
  });
  return { child, report };
}

export const run = (task) => start(task).report;

/** Every id once, in one file, under one header, on whole lines. Returns the entries by id. */
export function allThere(records, acknowledged) {
  assert.equal(records.filter(({ type }) => type === "session").length, 1, "one header");
  const byId = new Map(records.slice(1).map((entry) => [entry.id, entry]));
  assert.equal(byId.size, records.length - 1, "no id twice");
  const missing = acknowledged.filter((id) => !byId.has(id));
  assert.deepEqual(missing, [], "every acknowledged entry");
  assert.equal(new Set(acknowledged).size, acknowledged.length, "no id given to two");
  return byId;
}

/** Whether walking parents from the last of `chain` leads through all of it, to an entry of another or a root. */
export function isChain(byId, chain) {
  const { parentId } = byId.get(chain[0]);
  assert.ok(parentId === null || byId.has(parentId), "it begins at an entry that is there");
  for (let n = chain.length - 1; n > 0; n--) assert.equal(byId.get(chain[n]).parentId, chain[n - 1], "its own chain");
}
