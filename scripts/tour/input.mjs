// The session the tour is given: always in a new directory of its own, so that nothing of the
// user's is written to.

import { chmodSync, copyFileSync, createReadStream, existsSync, mkdirSync, mkdtempSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { root } from "../lib/run.mjs";

const SAMPLE = join(root, "..", "shared", "sessions", "large-session.jsonl");

/** A fresh directory, as it would look with an agent's sessions in it. */
export function makePlace() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "elyra-session-tour-")));
  const sessions = join(top, "sessions");
  mkdirSync(sessions, { mode: 0o700 });
  return { top, sessions };
}

/** The file named on the command line or, without one, a real session where there is one. */
export function findSource(argument) {
  if (argument === undefined) return existsSync(SAMPLE) ? resolve(SAMPLE) : undefined;
  // npm goes to the package before it runs a script; names are meant from where the user is.
  const from = process.env.npm_lifecycle_event === "start" ? process.env.INIT_CWD : undefined;
  const path = resolve(from ?? process.cwd(), argument);
  if (!existsSync(path)) throw new Error(`There is no file ${path}`);
  if (!statSync(path).isFile()) throw new Error(`This is not a file: ${path}`);
  return path;
}

/** A copy that can be written to, whatever the original allows. */
export function copySession(source, directory) {
  const name = basename(source);
  const copy = join(directory, name.endsWith(".jsonl") ? name : `${name}.jsonl`);
  copyFileSync(source, copy);
  chmodSync(copy, 0o600);
  return copy;
}

/** @returns {Promise<{ lines: number, version: unknown }>} Lines that are not blank, and the header's version. */
export async function lookAt(path) {
  let lines = 0;
  let blank = true;
  let start = "";
  for await (const chunk of createReadStream(path)) {
    if (start.length < 1e5) start += chunk.toString();
    for (let at = 0; at < chunk.length;) {
      const end = chunk.indexOf(10, at);
      // A lone carriage return before the line's end is part of the line's end.
      const last = end < 0 ? chunk.length : end;
      if (last > at && !(last === at + 1 && chunk[at] === 13)) blank = false;
      if (end < 0) break;
      if (!blank) lines++;
      blank = true;
      at = end + 1;
    }
  }
  return { lines: lines + (blank ? 0 : 1), version: versionIn(start) };
}

function versionIn(start) {
  for (const text of start.replace(/^\ufeff/, "").split("\n")) {
    try {
      const header = JSON.parse(text);
      if (header?.type === "session") return header.version ?? 1;
    } catch {
      // A damaged line before the header.
    }
  }
  return "unknown";
}

/** A small session with branches, labels and a compaction, made through the addon. */
export function makeSession(SessionManager, directory) {
  const manager = SessionManager.create(root, directory);
  const say = (text) => manager.appendMessage({ role: "user", content: [{ type: "text", text }], timestamp: Date.now() });
  const answer = (text) => manager.appendMessage(assistantMessage(text));
  manager.appendModelChange("anthropic", "claude-sonnet-4-5");
  manager.appendThinkingLevelChange("medium");
  const start = say("Why does the parser drop the last line?");
  answer("It splits at line ends and throws away what follows the last one.");
  manager.appendSessionInfo("Parser drops the last line");
  say("Mend it.");
  const mended = answer("Done: the rest after the last line end is parsed as well.");
  manager.appendLabelChange(mended, "mended");
  say("Now a test for it.");
  answer("Added: a file without a line end at its end.");
  manager.appendCompaction("The parser dropped an unterminated last line; it was mended.", mended, 48_000);
  manager.branchWithSummary(start, "Mending the splitting works; reading in chunks was left for later.");
  say("Read in chunks instead.");
  answer("Chunks of 64 KiB, with what is left carried over to the next.");
  return manager.getSessionFile();
}

/** An answer as a model would have given it. */
export function assistantMessage(text, [provider, model] = ["anthropic", "claude-sonnet-4-5"]) {
  return {
    role: "assistant",
    content: [{ type: "text", text }],
    api: "anthropic-messages",
    provider,
    model,
    usage: {
      input: 12, output: 34, cacheRead: 0, cacheWrite: 0, totalTokens: 46,
      cost: { input: 0.000036, output: 0.00051, cacheRead: 0, cacheWrite: 0, total: 0.000546 },
    },
    stopReason: "stop",
    timestamp: Date.now(),
  };
}
