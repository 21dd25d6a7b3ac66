// npm test: every check there is, cheapest first, from a fresh clone on. Stops at the first that fails
// and shows what it wrote. The JavaScript tests come last and their summary ends the output.
//
//   npm test                      everything
//   npm test -- --only NAME       one step; a wrong NAME lists them

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root, run } from "./lib/run.mjs";
import { checkTools, installPackages } from "./lib/setup.mjs";

const tsc = join("node_modules", "typescript", "bin", "tsc");
const noWarnings = { RUSTDOCFLAGS: "-Dwarnings" };
const clippy = ["cargo", "clippy", "--all-targets", "--locked"];

const steps = [
  { name: "fmt", what: "Rust formatting", command: ["cargo", "fmt", "--check"] },
  { name: "fmt-fuzz", what: "Rust formatting of the fuzz targets", command: ["cargo", "fmt", "--check", "--manifest-path", "fuzz/Cargo.toml"] },
  { name: "layers", what: "who may name what, equal versions", command: ["node", "scripts/check-layers.mjs"] },
  { name: "clippy", what: "Rust lints, core alone", command: [...clippy, "--", "-D", "warnings"] },
  { name: "clippy-node", what: "Rust lints, with the binding", command: ["cargo", "clippy", "--lib", "--locked", "--features", "node", "--", "-D", "warnings"] },
  { name: "doc", what: "Rust documentation", command: ["cargo", "doc", "--no-deps", "--locked"], env: noWarnings },
  {
    name: "doc-private", what: "Rust documentation, private items and binding",
    command: ["cargo", "doc", "--no-deps", "--locked", "--document-private-items", "--features", "node"], env: noWarnings,
  },
  { name: "rust", what: "Rust tests, without Node", command: ["cargo", "test", "--locked"] },
  { name: "build", what: "the addon", command: ["node", "scripts/build.mjs"] },
  // Three projects: our declarations, the same under older resolution, and against the reference's.
  { name: "types", what: "types", command: ["node", tsc, "-p", "__test__/types"] },
  { name: "types-node16", what: "types, resolved as node16", command: ["node", tsc, "-p", "__test__/types/node16"] },
  { name: "types-reference", what: "types, against the reference", command: ["node", tsc, "-p", "__test__/types/reference"] },
  {
    name: "js", what: "JavaScript tests", show: true,
    // Node 20 does not expand patterns itself.
    command: ["node", "--test", "--test-reporter=spec", ...testFiles("__test__")],
  },
];

const chosen = chooseSteps();
await checkTools({ forTests: true });
await installPackages();
for (const { name, what, command, env, show } of chosen) {
  const started = performance.now();
  process.stdout.write(`${name}: ${what}${show ? "\n" : " … "}`);
  const { code, output } = await run(command, { env, show });
  if (!show) process.stdout.write(`${code === 0 ? "ok" : "FAILED"} (${((performance.now() - started) / 1000).toFixed(1)} s)\n`);
  if (code !== 0) {
    // The exit code is set, not forced, so that all of the output reaches a pipe.
    process.stdout.write(output);
    process.exitCode = code;
    break;
  }
}

function chooseSteps() {
  let only;
  try {
    only = parseArgs({ options: { only: { type: "string" } } }).values.only;
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
  const found = steps.filter(({ name }) => only === undefined || name === only);
  if (found.length === 0) {
    console.error(`No step is called ${only}. There are: ${steps.map(({ name }) => name).join(", ")}`);
    process.exit(2);
  }
  return found;
}

/** The test files under a directory, in a fixed order, as paths from the root. */
function testFiles(directory) {
  const path = join(root, directory);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = `${directory}/${entry.name}`;
      if (entry.isDirectory()) return testFiles(name);
      return entry.name.endsWith(".test.mjs") ? [name] : [];
    });
}
