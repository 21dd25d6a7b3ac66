// One session of the differential test: a program on the oracle and on ours, and the count of what
// could not be compared.
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { firstDifference } from "./compare.mjs";
import { examine } from "./exclusions.mjs";
import { mendedReference } from "./mended.mjs";
import { run } from "./run.mjs";

const MODULE = "../../node_modules/@mariozechner/pi-coding-agent/dist/core/session-manager.js";
export const REFERENCE = new URL(MODULE, import.meta.url).href;

/** The module under test: DIFFERENTIAL_IMPL, or this package. */
export async function implementation(path = process.env.DIFFERENTIAL_IMPL) {
  const module = await import(path ? pathToFileURL(resolve(path)).href : "../../index.js");
  return module.SessionManager ? module : module.default;
}

/** Compares programs on `ours` with the mended reference, and the mended reference with the plain one. */
export async function comparison(ours) {
  const mended = await mendedReference(REFERENCE);
  const plain = await import(REFERENCE);
  const counts = { sessions: 0, plain: 0, leftOut: new Map(), adjusted: new Map() };
  const count = (map, name) => map.set(name, (map.get(name) ?? 0) + 1);

  /** The first difference of a program, or undefined. */
  async function compare(program) {
    const { leftOut, reprints } = examine(program);
    counts.sessions++;
    if (leftOut) return void count(counts.leftOut, leftOut);
    const asked = { ...program, reprints };
    mended.notes.clear();
    const expected = await run(asked, mended);
    const names = [...mended.notes, ...new Set(expected.skipped.values())];
    if (reprints) names.push("numbers reprinted");
    if (expected.leftOut) count(counts.leftOut, expected.leftOut);
    for (const name of names) count(counts.adjusted, name);
    if (names.length === 0 && !expected.leftOut) {
      counts.plain++;
      // Every eighth time: what the mended reference says without a mend is what the reference says.
      if (counts.plain % 8 === 0) {
        const found = firstDifference(program, await run(asked, plain), expected);
        if (found) return `the oracle itself differs from the reference at ${found}`;
      }
    }
    return firstDifference(program, expected, await run(asked, ours, expected));
  }
  return { compare, counts };
}

/** The counts in a few lines, and whether too many sessions were left out. */
export function summary({ sessions, plain, leftOut, adjusted }) {
  const byTimes = (map) => [...map].sort(([, a], [, b]) => b - a);
  const list = (map) => byTimes(map).map(([name, times]) => `${name} ${times}`).join(", ") || "none";
  const total = [...leftOut.values()].reduce((all, times) => all + times, 0);
  const share = ((100 * total) / sessions).toFixed(1);
  return {
    tooMany: total > sessions * 0.05,
    text: [
      `${sessions} sessions, ${plain} of them without any adjustment`,
      `left out ${total} (${share} %): ${list(leftOut)}`,
      `adjusted: ${list(adjusted)}`,
    ].join("\n"),
  };
}
