// Kills the process of victim.mjs at a random moment, and hands over what it had acknowledged.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const victim = fileURLToPath(new URL("victim.mjs", import.meta.url));

/** Runs an operation in `dir` and kills it up to `most` milliseconds after its first act. */
export async function killed(operation, dir, most) {
  const child = spawn(process.execPath, [victim, operation, dir], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => (output += chunk));
  const closed = once(child, "close");
  await Promise.race([once(child.stdout, "data"), closed]);
  await sleep(Math.random() * most);
  child.kill("SIGKILL");
  const [code, signal] = await closed;
  if (signal !== "SIGKILL") throw new Error(`${operation} ended by itself: ${code ?? signal}`);
  // The last line may be cut: what it says was not acknowledged.
  const lines = output.split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line)).filter((done) => !done.ready);
}
