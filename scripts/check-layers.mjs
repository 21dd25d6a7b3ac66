// Fails where a layer knows what is another's business (docs/architecture.md), or where the two
// manifests name different versions.
//
//   node scripts/check-layers.mjs [DIRECTORY]     the repository unless given

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { BAD_CORE, BAD_FACE, GOOD_CORE, GOOD_FACE } from "./lib/layer-samples.mjs";
import { EXCEPTION, coreProblems, exceptions, faceProblems } from "./lib/layers.mjs";
import { root } from "./lib/run.mjs";

const top = process.argv[2] ?? root;
const found = [...samples(), ...core(), ...face(), ...versions()];
for (const line of found) console.error(line);
if (found.length > 0) process.exitCode = 1;
else console.log("layers: the core does not name napi, the face does not decide by type, versions are equal");

function* samples() {
  for (const [check, bad, good] of [[coreProblems, BAD_CORE, GOOD_CORE], [faceProblems, BAD_FACE, GOOD_FACE]]) {
    for (const text of bad) if (check(text).length === 0) yield `this check no longer finds: ${text}`;
    for (const text of good) {
      for (const { problem } of check(text)) yield `this check wrongly finds (${problem}): ${text}`;
    }
  }
}

function* core() {
  const files = filesUnder("src", /\.rs$/).filter((file) => file !== "src/lib.rs" && !file.startsWith("src/binding/"));
  if (files.length === 0) yield "src/: no core files found to check";
  for (const file of files) {
    for (const { line, problem } of coreProblems(read(file))) yield `${file}:${line}: ${problem}`;
  }
}

function* face() {
  const files = ["index.js", ...filesUnder("lib", /\.[cm]?js$/)].filter((file) => existsSync(join(top, file)));
  if (files.length === 0) yield "index.js, lib/: no files found to check";
  const marked = files.flatMap((file) => exceptions(read(file)).map((line) => `${file}:${line}`));
  // The mark is for one line of getLatestCompactionEntry, which every frame of the terminal calls.
  for (const place of marked.slice(1)) yield `${place}: a second "${EXCEPTION}"`;
  for (const file of files) {
    for (const { line, problem } of faceProblems(read(file))) yield `${file}:${line}: ${problem}`;
  }
}

function* versions() {
  const npm = JSON.parse(read("package.json")).version;
  const crate = /^\[package\][^[]*?^version\s*=\s*"([^"]*)"/ms.exec(read("Cargo.toml"))?.[1];
  if (npm !== crate) yield `package.json is version ${npm}, Cargo.toml is ${crate}`;
}

function filesUnder(directory, pattern) {
  if (!existsSync(join(top, directory))) return [];
  return readdirSync(join(top, directory), { withFileTypes: true }).flatMap((entry) => {
    const name = `${directory}/${entry.name}`;
    if (entry.isDirectory()) return filesUnder(name, pattern);
    return pattern.test(entry.name) ? [name] : [];
  });
}

function read(file) {
  return readFileSync(join(top, file), "utf8");
}
