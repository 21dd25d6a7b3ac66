import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setAgentDir } from "./env.mjs";

/** A directory of its own for the test `t`, removed after it, even if the test made it read-only. */
export function tempDir(t) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "sm-")));
  t.after(() => {
    if (existsSync(dir)) chmodSync(dir, 0o700);
    rmSync(dir, { recursive: true, force: true });
  });
  return dir;
}

/** An empty agent directory that is in force while the test `t` runs. */
export function agentDir(t) {
  const before = process.env.ELYRA_CODING_AGENT_DIR;
  const dir = tempDir(t);
  setAgentDir(dir);
  t.after(() => setAgentDir(before));
  return dir;
}

/** Makes `dir` the working directory while the test `t` runs. */
export function workIn(t, dir) {
  const before = process.cwd();
  process.chdir(dir);
  t.after(() => process.chdir(before));
}
