// Opens, appends and lists, over and over: node --expose-gc leaking.mjs ROUNDS. Prints the resident
// memory after each third, in bytes, and how many descriptors were open before and after.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SessionManager } from "../../../index.js";
import { A, H, L, U, assistant, user } from "../entries.mjs";
import { line } from "../files.mjs";

const rounds = Number(process.argv[2]);
const dir = join(process.cwd(), "sessions");
mkdirSync(dir);
const path = join(dir, "s.jsonl");
const content = [H(), U("u1"), A("a1", "u1"), "{bad", L("l1", "a1", "u1", "x")].map((each) => `${line(each)}\n`).join("");
const text = "x".repeat(500);
const descriptors = () => (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0);

/** Finalizers of collected managers run later, each in a turn of its own. */
async function collect() {
  for (let n = 0; n < 5; n++) {
    globalThis.gc();
    await sleep(5);
  }
}

async function round(n) {
  if (n % 25 === 0) writeFileSync(path, content);
  const manager = SessionManager.open(path);
  manager.appendMessage(user(text));
  manager.appendMessage(assistant(text));
  if (n % 10 === 0) {
    manager.getEntries();
    manager.getTree();
    manager.buildSessionContext();
    manager.refresh();
    await SessionManager.verify(path);
    await SessionManager.verify(join(dir, "gone")).catch(() => {});
    try {
      manager.branch("gone");
    } catch {
      // An error must not leak either.
    }
  }
  const listed = await SessionManager.list("/w", dir);
  if (listed.length !== 1) throw new Error(`${listed.length} listed`);
}

await round(0);
await collect();
const before = descriptors();
const memory = [];
for (let n = 1; n <= rounds; n++) {
  await round(n);
  if (n % 500 === 0) await collect();
  if (n % Math.floor(rounds / 3) === 0) {
    await collect();
    memory.push(process.memoryUsage.rss());
  }
}
await collect();
process.stdout.write(JSON.stringify({ memory, before, after: descriptors() }));
