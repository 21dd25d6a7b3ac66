// Runs many sessions with fast-check and prints little: used by the test and by run-one.mjs.
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { program } from "./calls.mjs";
import { comparison, summary } from "./session.mjs";
import { smaller } from "./smaller.mjs";

/** How long a failure is made smaller, by fast-check and then by ourselves, in milliseconds. */
const SHRINK_TIME = 10_000;

/** Holds the number of the session that is running: its `--path`, should the process die or hang. */
export const JOURNAL = join(tmpdir(), `differential-${process.pid}.path`);

/**
 * @param ours The module under test.
 * @param options `sessions`, `seed`, for a replay `path`; `shrink` false stops at the first failure.
 * @returns `{ failed, text, counts }`; the text holds the smallest program found.
 */
export async function check(ours, { sessions, seed, path, shrink = true }) {
  const { compare, counts } = await comparison(ours);
  const journal = openSync(JOURNAL, "w");
  let failedAt;
  let found;
  const property = fc.asyncProperty(program, async (each) => {
    if (failedAt !== undefined && Date.now() - failedAt > SHRINK_TIME) return;
    if (failedAt === undefined && path !== undefined && counts.sessions > 0) return; // a replay is one session
    if (failedAt === undefined && path === undefined) writeSync(journal, String(counts.sessions), 0);
    const difference = await compare(each);
    if (difference === undefined) return;
    failedAt ??= Date.now();
    found = difference;
    throw new Error(difference);
  });
  const result = await fc.check(property, { numRuns: sessions, seed, path, endOnFailure: !shrink });
  closeSync(journal);
  rmSync(JOURNAL);
  if (!result.failed) return { failed: false, ...summary(counts), counts };
  const again = `node __test__/differential/run-one.mjs --seed ${result.seed} --path ${result.counterexamplePath}`;
  const [example] = result.counterexample;
  const least = shrink ? await smaller(example, compare, SHRINK_TIME) : { program: example };
  return { failed: true, text: [least.text ?? found, show(least.program), `replay: ${again}`].join("\n"), counts };
}

/** A program to read: its files line by line, its calls one a line. */
export function show({ files, calls }) {
  const cut = (text) => (text.length > 400 ? `${text.slice(0, 400)}… (${text.length})` : text);
  return [
    ...files.flatMap(({ place, name, lines }, index) => [
      `file ${index}: ${name} in place ${place}`,
      ...lines.map((line) => `  ${cut(JSON.stringify(line))}`),
    ]),
    ...calls.map((call, index) => `call ${index}: ${cut(JSON.stringify(call))}`),
  ].join("\n");
}
