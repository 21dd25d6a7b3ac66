// A process to be killed: node victim.mjs OPERATION DIR. It works in DIR until it dies, and says what
// is done, in a line of JSON each, only after the call has returned.
import { copyFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "../../../index.js";
import { assistant, user } from "../entries.mjs";

const [operation, dir] = process.argv.slice(2);
const say = (done) => writeSync(1, `${JSON.stringify(done)}\n`);
const text = (n) => "x".repeat(n % 7 === 0 ? 200_000 : n % 900);
const source = join(dir, "source.jsonl");

/** A copy of the source under a name of its own, there at once or not at all. */
function place(name) {
  copyFileSync(source, join(dir, "copy.part"));
  renameSync(join(dir, "copy.part"), join(dir, name));
  return join(dir, name);
}

const operations = {
  append() {
    const manager = SessionManager.open(source);
    return (n) => say({ file: source, id: manager.appendMessage(n % 2 ? user(text(n)) : assistant(text(n))) });
  },
  first() {
    return (n) => {
      const manager = SessionManager.create("/w", dir);
      const file = manager.getSessionFile();
      const setup = [manager.appendModelChange("p", "m"), manager.appendCustomEntry("e", text(n))];
      const id = manager.appendMessage(user(text(n)));
      for (const each of [...setup, id]) say({ file, id: each });
      say({ file, id: manager.appendMessage(assistant()) });
    };
  },
  migrate() {
    return (n) => {
      const file = place(`${n}.jsonl`);
      const manager = SessionManager.open(file);
      say({ file, renewed: true });
      say({ file, id: manager.appendMessage(user()) });
    };
  },
  fork() {
    return () => {
      const manager = SessionManager.forkFrom(source, "/w", dir);
      say({ file: manager.getSessionFile(), whole: true });
      say({ file: manager.getSessionFile(), id: manager.appendMessage(user()) });
    };
  },
  branch() {
    return () => {
      const manager = SessionManager.open(source);
      manager.createBranchedSession(manager.getLeafId());
      say({ file: manager.getSessionFile(), whole: true });
      say({ file: manager.getSessionFile(), id: manager.appendMessage(user()) });
    };
  },
  repair() {
    return async (n) => {
      const file = place(`${n}.jsonl`);
      const { backup } = await SessionManager.repair(file);
      say({ file, renewed: true, backup });
      say({ file, id: SessionManager.open(file).appendMessage(user()) });
    };
  },
};

const step = operations[operation]();
say({ ready: true });
for (let n = 0; ; n++) await step(n);
