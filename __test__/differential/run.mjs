// Runs one program on one implementation, in a directory of its own that is gone afterwards.
import {
  mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Describer } from "./describe.mjs";
import { LeaveOut, Skip } from "./exclusions.mjs";
import { perform, PLACES } from "./perform.mjs";
import { Renamer } from "./rename.mjs";
import { toBytes } from "./spec.mjs";

const TEMP = realpathSync(tmpdir());
/** Modification times, in seconds: files of the program first, then one per call. */
const FILE_TIME = 1_000_000_000;
const CALL_TIME = FILE_TIME + 1_000_000;

/**
 * Runs `program` on the module `api`.
 *
 * @param oracle The answer of the oracle to the same program: which calls are not compared.
 * @returns `{ calls, files, skipped, loose, leftOut }`: tokens of each call, tokens of each file by
 *   name, and (from an oracle) what it could not say.
 */
export async function run(program, api, oracle) {
  const root = mkdtempSync(join(TEMP, "differential-"));
  try {
    const paths = lay(program.files, root);
    const rename = new Renamer(root);
    const describe = new Describer(rename);
    describe.reprinted = program.reprints ?? false;
    const loose = oracle?.loose ?? new Map();
    const state = { api, root, paths, program, describe, rename, manager: undefined, known: [], loose };
    const result = { calls: [], files: new Map(), skipped: new Map(), loose, leftOut: undefined };
    const limit = oracle?.leftOut ? oracle.calls.length : program.calls.length;
    for (let at = 0; at < limit; at++) {
      const before = fileOf(state);
      state.at = at;
      try {
        result.calls.push(await answer(state, program.calls[at], oracle?.skipped.has(at)));
      } catch (error) {
        if (!(error instanceof LeaveOut)) throw error;
        result.leftOut = error.message;
        return result;
      } finally {
        tick(before, at);
        tick(fileOf(state), at);
      }
      if (state.skip) result.skipped.set(at, state.skip);
      state.skip = undefined;
    }
    if (!oracle?.leftOut) readFiles(root, describe, rename, result.files);
    return result;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Writes the program's files and points the implementations at an agent directory beside them. */
function lay(files, root) {
  process.env.PI_CODING_AGENT_DIR = process.env.ELYRA_CODING_AGENT_DIR = join(root, "agent");
  for (const place of PLACES) mkdirSync(join(root, place), { recursive: true });
  return files.map(({ place, name, lines }, index) => {
    const path = join(root, PLACES[place], name);
    writeFileSync(path, toBytes(lines.join("")));
    utimesSync(path, FILE_TIME + index, FILE_TIME + index);
    return path;
  });
}

const fileOf = (state) => {
  try {
    return state.manager?.getSessionFile();
  } catch {
    return undefined;
  }
};

/** Gives a file that was just written a time of its own, so that "the newest" means the same in every run. */
function tick(path, call) {
  const stats = path && statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() && stats.mtimeMs / 1000 > CALL_TIME + 1_000_000) utimesSync(path, CALL_TIME + call, CALL_TIME + call);
}

async function answer(state, call, skipped) {
  const tokens = [];
  try {
    const value = await perform(state, call);
    if (skipped) return tokens;
    state.describe.value(value, tokens);
    spoil(value);
    if (state.manager) {
      state.describe.value([state.manager.getLeafId(), state.manager.getSessionFile()], tokens, false);
    }
  } catch (error) {
    if (error instanceof LeaveOut) throw error;
    if (error instanceof RangeError && state.api.notes) throw new LeaveOut("too deep to print");
    if (error instanceof Skip) state.skip = error.message;
    else tokens.push(...describeError(state, error));
  }
  return skipped ? [] : tokens;
}

/** An error whose message is ours to match is a plain Error; of the others only that they are thrown. */
function describeError({ rename }, error) {
  if (error?.constructor !== Error || "code" in error) return ["throws"];
  return error.message === "toJSON refuses" ? ["throws"] : [`throws ${rename.text(error.message)}`];
}

/** Changes what is the caller's to change; later answers must not show it. */
function spoil(value) {
  if (Array.isArray(value)) {
    for (const node of value) if (Array.isArray(node?.children) && "entry" in node) spoilNode(node);
    value.length = 0;
  } else if (Array.isArray(value?.messages)) value.messages.length = 0;
}

function spoilNode(root) {
  const stack = [root];
  while (stack.length > 0) {
    const node = stack.pop();
    stack.push(...node.children);
    node.children.length = 0;
    node.label = "spoiled";
  }
}

/** Every file below the directory, line by line: values of lines that are JSON, the text of others. */
function readFiles(root, describe, rename, files) {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const name = rename.text(relative(root, path));
    if (!entry.isFile()) {
      if (name.startsWith("agent/sessions/")) files.set(`${name}/`, []);
      continue;
    }
    const tokens = [];
    for (const line of readFileSync(path, "utf8").split("\n")) {
      let value;
      try {
        value = JSON.parse(line.replace(/^\ufeff/, ""));
      } catch {
        tokens.push("line", `raw ${JSON.stringify(rename.text(line.replace(/\r$/, "")))}`);
        continue;
      }
      tokens.push("line");
      describe.value(value, tokens, false);
    }
    files.set(name, tokens);
  }
}
