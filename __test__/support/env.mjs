// No test sees the developer's own sessions: the home directory and every agent directory point
// into a directory that goes away with the process.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The environment as it was, for tools that live in the developer's home, such as cargo. */
export const developersEnv = { ...process.env };

export const home = realpathSync(mkdtempSync(join(tmpdir(), "sm-home-")));

process.env.HOME = home;
process.env.USERPROFILE = home;
process.env.TZ = "UTC";
setAgentDir(join(home, "agent"));
process.on("exit", () => rmSync(home, { recursive: true, force: true }));

/** Points ours and the reference at one agent directory. */
export function setAgentDir(dir) {
  process.env.ELYRA_CODING_AGENT_DIR = dir;
  process.env.PI_CODING_AGENT_DIR = dir;
}
