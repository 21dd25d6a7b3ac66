// Runs the scenarios of full.mjs in this process, under a limit of file sizes that it sets for
// itself: node limited.mjs DIR. Node ignores SIGXFSZ, so a write fails as on a full disk. Writes to
// standard output what each scenario did wrong, as JSON.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { scenarios } from "./full.mjs";

const limit = (size) => execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${size}:unlimited`]);
const room = { gone: limit, back: () => limit("unlimited") };

const failures = {};
for (const [n, [name, scenario]] of Object.entries(scenarios).entries()) {
  const dir = join(process.argv[2], String(n));
  mkdirSync(dir);
  try {
    await scenario(dir, room);
    failures[name] = null;
  } catch (error) {
    failures[name] = error.stack;
  }
  room.back();
}
process.stdout.write(JSON.stringify(failures));
