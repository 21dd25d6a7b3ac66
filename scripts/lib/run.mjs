// Running other programs: quietly, with their output kept for the case that they fail.

import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository, whatever directory the script was started from. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/**
 * Runs a command in the repository and waits for it.
 *
 * @param {string[]} command Program and arguments. `node` is this Node, `npm` the one that runs us.
 * @param {{ env?: Record<string, string>, show?: boolean }} options With `show` the command writes
 *   to our own output; otherwise what it writes is returned.
 * @returns {Promise<{ code: number, output: string }>} Exit code (127 when there is no such program,
 *   128 and more after a signal), and standard output and error in the order they came.
 */
export function run(command, { env = {}, show = false } = {}) {
  const [program, args, shell] = resolve(command);
  return new Promise((done) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: show ? "inherit" : ["ignore", "pipe", "pipe"],
      shell,
    });
    const chunks = [];
    child.stdout?.on("data", (chunk) => chunks.push(chunk));
    child.stderr?.on("data", (chunk) => chunks.push(chunk));
    child.on("error", (error) => done({ code: 127, output: `${command[0]}: ${error.message}\n` }));
    child.on("close", (code, signal) => {
      const output = Buffer.concat(chunks).toString();
      done({ code: code ?? 128, output: signal ? `${output}${command[0]} ended by ${signal}\n` : output });
    });
  });
}

function resolve([name, ...args]) {
  if (name === "node") return [process.execPath, args, false];
  // Under `npm run` this is npm's own script, which needs no shell on any system.
  const npm = process.env.npm_execpath;
  if (name === "npm" && npm?.endsWith(".js")) return [process.execPath, [npm, ...args], false];
  return [name, args, name === "npm" && process.platform === "win32"];
}
