// node scripts/faults.mjs: the differential test must notice deliberate faults in our own code.
//
//   --only NAME     the faults whose file name contains NAME
//   --sessions N    how many random sessions each fault has to hide in (2000)
//   --seed N        which ones (20240601)
//
// Each file of __test__/differential/patches is one fault. For each, what the module is made of is
// copied to a temporary directory, the patch is applied there, and the differential test of this
// repository runs on the copy and must fail. Before that it must pass on a copy without a fault.
// Nothing is written to the repository; of it, beside the sources, binding.js (npm run build) and
// node_modules are used. The addons are debug builds. About 10 minutes for all of them.

import { execFile } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./lib/run.mjs";

const PATCHES = join(root, "__test__", "differential", "patches");
/** What the module is made of, beside the addon. */
const PARTS = ["index.js", "package.json", "lib", "binding.js", "Cargo.toml", "Cargo.lock", "build.rs", "src"];
/** A run or a build that takes longer hangs, in milliseconds. */
const LONGEST = 600_000;
const LIBRARY = { win32: "elyra_session_manager.dll", darwin: "libelyra_session_manager.dylib" };

/** Runs the differential test without making failures smaller; its last line says how it went. */
const TEST = `
  const { check } = await import("./__test__/differential/check.mjs");
  const { implementation } = await import("./__test__/differential/session.mjs");
  const ours = await implementation();
  console.log("loaded");
  const [sessions, seed] = process.argv.slice(-2).map(Number);
  const { failed, tooMany, text, counts } = await check(ours, { sessions, seed, shrink: false });
  console.log(JSON.stringify({ failed, tooMany, text, after: counts.sessions }));
`;

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    sessions: { type: "string", default: "2000" },
    seed: { type: "string", default: "20240601" },
  },
});
const names = readdirSync(PATCHES).filter((name) => name.endsWith(".patch")).map((name) => basename(name, ".patch")).sort();
const chosen = names.filter((name) => name.includes(values.only));
const addon = readdirSync(root).find((name) => /^session-manager\..*\.node$/.test(name));
if (chosen.length === 0) end(`No fault is called ${values.only}. There are:\n  ${names.join("\n  ")}`);
if (!addon || !existsSync(join(root, "binding.js"))) end("There is no addon yet: npm run build");

const base = realpathSync(mkdtempSync(join(tmpdir(), "elyra-faults-")));
process.on("exit", () => rmSync(base, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

const copy = join(base, "copy");
const sound = join(base, addon);

freshCopy();
const built = await build();
if (built) end(`The addon could not be built:\n${built}`);
copyFileSync(join(copy, addon), sound);
const without = await differential();
if (without.problem || without.noticed) {
  end(`Without any fault the differential test fails, so it can tell nothing: ${without.problem ?? without.noticed}`);
}
console.log(`without a fault: passes, ${values.sessions} sessions with seed ${values.seed}`);

let missed = 0;
for (const name of chosen) {
  const { problem, noticed } = await tryFault(join(PATCHES, `${name}.patch`));
  if (!noticed) missed++;
  console.log(`${name}: ${problem ?? noticed ?? "NOT NOTICED"}`);
}
console.log(`${chosen.length - missed} of ${chosen.length} faults are noticed`);
process.exitCode = missed > 0 ? 1 : 0;

/** @returns `noticed`, how; or `problem`, why the fault could not be tried. */
async function tryFault(patch) {
  freshCopy();
  const applied = await run("git", ["-C", copy, "apply", patch], { GIT_CEILING_DIRECTORIES: base });
  if (applied.code !== 0) return { problem: `DOES NOT APPLY: ${firstLine(applied.output)}` };
  if (/^\+\+\+ b\/src\//m.test(readFileSync(patch, "utf8"))) {
    const failure = await build();
    if (failure) return { problem: `DOES NOT BUILD: ${/^error.*/m.exec(failure)?.[0] ?? firstLine(failure)}` };
  } else {
    copyFileSync(sound, join(copy, addon));
  }
  return differential();
}

/** Copies the sources anew. All times are new as well, so that cargo sees what a patch undid. */
function freshCopy() {
  rmSync(copy, { recursive: true, force: true });
  for (const part of PARTS) cpSync(join(root, part), join(copy, part), { recursive: true });
}

/** Builds the copy's addon. Answers with what the compiler wrote if it failed. */
async function build() {
  const target = join(base, "target");
  const manifest = join(copy, "Cargo.toml");
  const options = ["--lib", "--features", "node", "--locked", "--manifest-path", manifest];
  const env = { CARGO_TARGET_DIR: target, CARGO_PROFILE_DEV_DEBUG: "0", CARGO_PROFILE_DEV_OPT_LEVEL: "1" };
  const { code, output } = await run("cargo", ["build", "--quiet", ...options], env);
  if (code !== 0) return output || `cargo ended with ${code}`;
  copyFileSync(join(target, "debug", LIBRARY[process.platform] ?? "libelyra_session_manager.so"), join(copy, addon));
  return undefined;
}

async function differential() {
  const env = { DIFFERENTIAL_IMPL: join(copy, "index.js") };
  const { code, output } = await run(
    process.execPath, ["--input-type=module", "-e", TEST, "--", values.sessions, values.seed], env);
  if (!/^loaded$/m.test(output)) return { problem: `DOES NOT LOAD: ${/^\w*Error.*/m.exec(output)?.[0] ?? firstLine(output)}` };
  if (code !== 0) return { noticed: `caught: the process ended with ${code}` };
  const { failed, tooMany, text, after } = JSON.parse(output.slice(output.lastIndexOf("\n{") + 1));
  if (failed) return { noticed: `caught after ${after} sessions: ${firstLine(text)}` };
  return { noticed: tooMany ? `caught: ${text}` : undefined };
}

/** Runs a program in the repository: its exit code or what ended it, and all that it wrote. */
function run(program, args, env) {
  const options = { cwd: root, env: { ...process.env, ...env }, timeout: LONGEST, killSignal: "SIGKILL", maxBuffer: 1 << 28 };
  return new Promise((done) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      done({ code: error ? (error.code ?? error.signal) : 0, output: `${stderr}${stdout}` || (error?.message ?? "") }));
  });
}

function firstLine(text) {
  const line = text.trim().split("\n")[0];
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

function end(problem) {
  console.error(problem);
  process.exit(1);
}
