// npm run bench: time and memory to open a large session, beside the two published modules that do
// the same job. Each figure comes from processes of their own, taken in turn, so that whatever else
// the machine does meets all of them alike.
//
//   npm run bench [-- --size MEGABYTES] [--runs N]

import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeSession } from "../bench/corpus.mjs";
import { root, run } from "./lib/run.mjs";
import { setup } from "./lib/setup.mjs";

const implementations = [
  { name: "pi 0.73.1", module: "node_modules/@mariozechner/pi-coding-agent/dist/core/session-manager.js" },
  { name: "pi 1.6.0", module: "node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js" },
  { name: "this one", module: "index.js" },
];
const { size, runs } = readOptions();

await setup();
const file = corpus(size);
console.log(`open a session of ${(statSync(file).size / 1e6).toFixed(0)} MB, ${runs} runs each, in turn`);
console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus()[0]?.model.trim() ?? "?"}, ${availableParallelism()} threads\n`);

await readOnce(file);
await checkAnswers();
const results = implementations.map(() => ({ whole: [], open: [], memory: [], peak: [] }));
for (let i = 0; i < runs; i++) {
  for (const [which, implementation] of implementations.entries()) {
    const started = performance.now();
    const { seconds, memory, peak } = await open(implementation, "time");
    results[which].whole.push((performance.now() - started) / 1000);
    results[which].open.push(seconds);
    results[which].memory.push(memory / 2 ** 20);
    results[which].peak.push(peak / 2 ** 20);
  }
}
print();

/** What each finds in the file must be the same, or comparing how long it takes means nothing. */
async function checkAnswers() {
  const answers = [];
  for (const implementation of implementations) answers.push(JSON.stringify(await open(implementation, "answer")));
  if (new Set(answers).size > 1) {
    console.error("The answers differ:");
    for (const [i, { name }] of implementations.entries()) console.error(`  ${name}: ${answers[i]}`);
    process.exit(1);
  }
  const { entries, leaf } = JSON.parse(answers[0]);
  console.log(`all three find ${entries.toLocaleString("en")} entries and the leaf ${leaf}\n`);
}

async function open({ name, module }, mode) {
  const { code, output } = await run(["node", "bench/open.mjs", join(root, module), file, mode]);
  if (code === 0) return JSON.parse(output);
  process.stderr.write(output);
  console.error(`${name} could not open the session`);
  process.exit(1);
}

function print() {
  const row = (cells) => console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(10) : cell.padStart(24))).join(""));
  row(["", "whole process, s", "open alone, s", "memory, MiB", "peak, MiB"]);
  for (const [i, { name }] of implementations.entries()) {
    const { whole, open, memory, peak } = results[i];
    row([name, spread(whole, 3), spread(open, 3), spread(memory, 1), spread(peak, 0)]);
  }
  console.log("\nMedian (least to most). Memory is the peak while opening above the same process after it had loaded");
  console.log("the module; peak is all of it. The whole process includes starting Node and loading the module.\n");
  const ours = results.at(-1);
  const times = (theirs, measure) => (median(theirs[measure]) / median(ours[measure])).toFixed(1);
  for (const [i, { name }] of implementations.slice(0, -1).entries()) {
    const [whole, open, memory] = ["whole", "open", "memory"].map((measure) => times(results[i], measure));
    console.log(`${name} takes ${whole} times as long as this one (${open} times for open alone) and ${memory} times the memory`);
  }
}

function spread(values, digits) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${least.toFixed(digits)}-${most.toFixed(digits)})`;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The file to open: kept between runs, and made again when the generator changes. */
function corpus(megabytes) {
  const generator = createHash("sha256").update(readFileSync(join(root, "bench", "corpus.mjs"))).digest("hex").slice(0, 8);
  const directory = join(tmpdir(), "elyra-session-manager-bench");
  const path = join(directory, `${megabytes}mb-${generator}.jsonl`);
  if (!existsSync(path)) {
    console.error(`Making a session of ${megabytes} MB: ${path}`);
    mkdirSync(directory, { recursive: true });
    writeSession(path, megabytes * 1e6);
  }
  return path;
}

/** Brings the file into the system's cache, so that the first run does not pay for the disk. */
async function readOnce(path) {
  for await (const _ of createReadStream(path));
}

function readOptions() {
  try {
    const { values } = parseArgs({ options: { size: { type: "string", default: "200" }, runs: { type: "string", default: "5" } } });
    const [megabytes, times] = [Number(values.size), Number(values.runs)];
    if (megabytes > 0 && Number.isInteger(times) && times > 0) return { size: megabytes, runs: times };
    console.error("--size and --runs are numbers above zero");
  } catch (error) {
    console.error(error.message);
  }
  process.exit(2);
}
