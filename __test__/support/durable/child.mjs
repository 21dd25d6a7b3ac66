// Runs a script of this directory in a process of its own, so that an abort or a hang there is a failure here.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tempDir } from "../temp.mjs";

/** What the script printed, read as JSON. It works in a directory of its own, as its working directory. */
export function inChild(t, script, { args = [], flags = [], timeout = 60_000 } = {}) {
  const path = join(fileURLToPath(new URL(".", import.meta.url)), script);
  const cwd = tempDir(t);
  const env = { ...process.env, HOME: cwd, ELYRA_CODING_AGENT_DIR: join(cwd, "agent") };
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [...flags, path, ...args], {
    cwd, env, timeout, encoding: "utf8", killSignal: "SIGKILL", maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`${script} ended with ${signal ?? status}: ${stderr.slice(-1000)}`);
  return JSON.parse(stdout);
}
