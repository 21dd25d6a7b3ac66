// What looks like the leftover of a killed process need not be an ordinary file. Making a session beside
// it must not block. Prints how long each took, and before each, to standard error, what it is.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "../../../index.js";
import { user } from "../entries.mjs";

/** Makes each at a path, an hour old. */
const kinds = {
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "a link to a pipe": (path) => {
    execFileSync("mkfifo", ["-m", "600", `${path}.pipe`]);
    symlinkSync(`${path}.pipe`, path);
  },
  "a directory": (path) => mkdirSync(path),
  "a link to /dev/zero": (path) => symlinkSync("/dev/zero", path),
};

const took = {};
for (const [n, [what, make]] of Object.entries(kinds).entries()) {
  const dir = join(process.cwd(), String(n));
  mkdirSync(dir);
  make(join(dir, ".session-abc.tmp"));
  execFileSync("touch", ["-h", "-d", "1 hour ago", join(dir, ".session-abc.tmp")]);
  process.stderr.write(`${what}\n`);
  const started = performance.now();
  SessionManager.create("/w", dir).appendMessage(user());
  took[what] = performance.now() - started;
}
process.stdout.write(JSON.stringify(took));
