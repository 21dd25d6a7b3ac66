// Opens one large session again and again and holds none of the managers; gc is never asked for. Prints how
// many bytes their entries take together, at 36 bytes each, and by how much the process grew at most.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "../../../index.js";
import { H, U } from "../entries.mjs";
import { line } from "../files.mjs";

const COUNT = 200_000;
const ROUNDS = 40;
const id = (n) => n.toString(16).padStart(8, "0");
const entries = Array.from({ length: COUNT }, (_, n) => U(id(n + 1), n === 0 ? null : id(n)));
const path = join(process.cwd(), "s.jsonl");
writeFileSync(path, [H(), ...entries].map((entry) => `${line(entry)}\n`).join(""));

SessionManager.open(path);
const before = process.memoryUsage.rss();
let most = before;
for (let n = 0; n < ROUNDS; n++) {
  SessionManager.open(path);
  await new Promise(setImmediate); // finalizers run between turns
  most = Math.max(most, process.memoryUsage.rss());
}
process.stdout.write(JSON.stringify({ held: ROUNDS * COUNT * 36, grown: most - before }));
