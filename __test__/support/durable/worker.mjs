// One of several processes that work on the same files: node worker.mjs '{"role": …, …}'. It says at
// the end, as JSON, what it did: the ids it was given, what it read, the errors it met.
import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { SessionManager } from "../../../index.js";
import { assistant, user } from "../entries.mjs";

const task = JSON.parse(process.argv[2]);
const done = { tag: task.tag, ids: [], errors: [], made: [], counts: [] };

async function trying(work) {
  try {
    return await work();
  } catch (error) {
    done.errors.push(error.message);
  }
}

/** Waits for the moment that others wait for, too; asleep, so that all wake at once. */
function until(moment) {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (let left; (left = moment - Date.now()) > 0; ) Atomics.wait(cell, 0, 0, left);
}

function append(manager, count, { size = 300 } = {}) {
  for (let n = 0; n < count; n++) {
    const text = `${task.tag} ${n} ${"x".repeat((n * 100_003) % size)}`;
    trying(() => done.ids.push(n % 2 ? manager.appendMessage(user(text)) : manager.appendMessage(assistant(text))));
  }
}

const stopped = () => existsSync(task.stop);

const roles = {
  /** Appends to one file, each entry to the one before. */
  append() {
    const manager = SessionManager.open(task.path);
    until(task.start);
    append(manager, task.count, task);
  },

  /** Lists over and over: how many messages the session had, each time. */
  async list() {
    while (!stopped()) {
      const found = await trying(() => SessionManager.list("/w", task.dir));
      done.counts.push(found?.find(({ path }) => path === task.path)?.messageCount ?? -1);
    }
  },

  /** Refreshes over and over: how many entries it had each time, and which at the end. */
  async refresh() {
    const manager = SessionManager.open(task.path);
    while (!stopped()) {
      await trying(() => manager.refresh());
      done.counts.push(manager.getEntries().length);
    }
    manager.refresh();
    done.ids = manager.getEntries().map(({ id }) => id);
    done.damaged = manager.getDiagnostics().damagedLines;
  },

  /** Branches and forks off, over and over; says what each had and has. */
  async branch() {
    while (!stopped()) {
      await trying(() => {
        const manager = SessionManager.open(task.path);
        const leaf = manager.getLeafId();
        const before = manager.getBranch(leaf).map(({ id }) => id);
        const path = manager.createBranchedSession(leaf);
        done.made.push({ path, ids: [...before, manager.appendMessage(user(task.tag))] });
        const fork = SessionManager.forkFrom(task.path, "/w", task.dir);
        done.made.push({ path: fork.getSessionFile(), ids: before });
      });
      await sleep(2);
    }
  },

  /** Damages the file, as a crash would, and repairs it, over and over. */
  async repair() {
    while (!stopped()) {
      appendFileSync(task.path, "{bad\n");
      const repaired = await trying(() => SessionManager.repair(task.path));
      if (repaired) done.counts.push(repaired.mended.length);
      await sleep(task.pause);
    }
  },

  /** Opens each of many files at the moment others do, and appends to it. */
  async together() {
    for (const [n, path] of task.paths.entries()) {
      until(task.start + n * task.every);
      const ids = [];
      await trying(() => {
        const manager = SessionManager.open(path);
        for (let k = 0; k < task.count; k++) ids.push(manager.appendMessage(user(`${task.tag} ${k}`)));
        done.counts.push(manager.getEntries().length);
      });
      done.ids.push(ids);
    }
  },

  /** Appends to a file that another process keeps locked, and once more when it does not. */
  async locked() {
    const manager = SessionManager.open(task.path);
    const before = JSON.stringify([manager.getLeafId(), manager.getEntries()]);
    const started = performance.now();
    await trying(() => manager.appendMessage(user("refused")));
    done.counts.push(performance.now() - started);
    done.unchanged = JSON.stringify([manager.getLeafId(), manager.getEntries()]) === before;
    process.send("refused");
    await new Promise((go) => process.once("message", go));
    done.ids.push(manager.appendMessage(user("accepted")));
    process.disconnect();
  },
};

await roles[task.role]();
process.stdout.write(JSON.stringify(done));
