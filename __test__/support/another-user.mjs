// Root may write everywhere: what a read-only place does is seen by a process of another user.
import { execFileSync } from "node:child_process";

const index = new URL("../../index.js", import.meta.url).href;

/** What makes a child another user; empty if we are not root. */
export const another = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** The JSON value of an expression that a process of another user evaluates with the addon. */
export function runAsAnother(expression) {
  const source = `
    import { chmodSync } from "node:fs";
    import { SessionManager } from ${JSON.stringify(index)};
    process.stdout.write(JSON.stringify(await (${expression})));`;
  const stdio = ["ignore", "pipe", "ignore"];
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", source], { ...another, stdio, encoding: "utf8" }));
}

/** Whether that user can run the addon here at all. */
function runnable() {
  try {
    return runAsAnother("true");
  } catch {
    return false;
  }
}

/** Options of tests that need it. */
export const needsAnother = { skip: process.platform === "win32" || !runnable() };
