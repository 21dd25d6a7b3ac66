// node scripts/fuzz.mjs: fuzzes every target of fuzz/ for a while, with its committed corpus.
//
//   --seconds N   how long each (20)
//   --only NAME   one target
//   --seed N      where to begin (1, so that a run can be repeated; another one by hand finds more)
//
// Needs cargo-fuzz and a nightly toolchain, and says so and ends well where they are missing: npm
// test never depends on it. RUSTC_BOOTSTRAP=1 in the environment lets a stable toolchain do it.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./lib/run.mjs";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "20" }, only: { type: "string" }, seed: { type: "string", default: "1" } } });
const works = (...command) => spawnSync(command[0], command.slice(1), { stdio: "ignore" }).status === 0;
const nightly = works("cargo", "+nightly", "--version");

if (!works("cargo", "fuzz", "--version") || !(nightly || process.env.RUSTC_BOOTSTRAP)) {
  console.log("fuzz: left out, since cargo-fuzz or a nightly toolchain is missing");
  process.exit();
}

const toolchain = nightly ? ["+nightly"] : [];
const targets = readdirSync(join(root, "fuzz/fuzz_targets")).map((name) => name.replace(/\.rs$/, ""));
for (const target of targets.filter((name) => values.only === undefined || name === values.only)) {
  // What is found on the way goes elsewhere: the committed corpus grows by hand.
  const found = mkdtempSync(join(tmpdir(), "elyra-fuzz-"));
  const run = spawnSync(
    "cargo",
    [...toolchain, "fuzz", "run", "-s", "none", target, found, `corpus/${target}`, "--", `-max_total_time=${values.seconds}`, `-seed=${values.seed}`, "-max_len=4096"],
    { cwd: join(root, "fuzz"), encoding: "utf8", maxBuffer: 1 << 28 },
  );
  rmSync(found, { recursive: true });
  const runs = /^#(\d+)\s+DONE/m.exec(run.stderr)?.[1];
  console.log(`fuzz ${target}: ${run.status === 0 ? `${runs} runs, nothing found` : "FAILED"}`);
  if (run.status !== 0) {
    console.log(run.stderr.slice(-4000));
    process.exit(1);
  }
}
