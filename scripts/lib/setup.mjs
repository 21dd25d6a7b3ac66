// Gets a fresh clone to where its scripts can run: checks the tools, installs, builds the addon.
// Uses nothing that has to be installed first.

import { existsSync, lstatSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./run.mjs";

const MIN_NODE = 20;

/** Ends the process with one line on standard error for each thing that is missing. */
export async function checkTools({ forTests = false } = {}) {
  const missing = [];
  if (Number(process.versions.node.split(".")[0]) < MIN_NODE) {
    missing.push(`Node.js ${MIN_NODE} or newer is needed; this is ${process.versions.node}. Install it from https://nodejs.org`);
  }
  missing.push(...(await missingRust()));
  if (forTests && missing.length === 0) {
    for (const [tool, component] of [["fmt", "rustfmt"], ["clippy", "clippy"]]) {
      if ((await run(["cargo", tool, "--version"])).code !== 0) {
        missing.push(`cargo ${tool} is needed for the tests. Install it with: rustup component add ${component}`);
      }
    }
  }
  if (missing.length > 0) {
    for (const line of missing) console.error(line);
    process.exit(1);
  }
}

async function missingRust() {
  const needed = /^rust-version\s*=\s*"([\d.]+)"/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))?.[1];
  const cargo = await run(["cargo", "--version"]);
  if (cargo.code !== 0) {
    return [`Rust ${needed ?? ""} or newer is needed, and cargo was not found. Install it from https://rustup.rs`];
  }
  const rustc = await run(["rustc", "--version"]);
  const found = /^rustc ([\d.]+)/m.exec(rustc.output)?.[1];
  if (!found) return ["rustc does not run. Install Rust from https://rustup.rs"];
  if (needed && isOlder(found, needed)) {
    return [`Rust ${needed} or newer is needed; this is ${found}. Update it with: rustup update`];
  }
  return [];
}

function isOlder(found, needed) {
  const have = found.split(".").map(Number);
  for (const [i, part] of needed.split(".").map(Number).entries()) {
    if ((have[i] ?? 0) !== part) return (have[i] ?? 0) < part;
  }
  return false;
}

/** Installs the packages of package-lock.json, unless they are there and as new as it is. */
export async function installPackages() {
  // npm writes this file last, so it tells of an installation that got to its end.
  const installed = modifiedAt(join(root, "node_modules", ".package-lock.json"));
  if (installed >= modifiedAt(join(root, "package-lock.json"))) return;
  if (lstatSync(join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) {
    // npm ci would empty the directory behind the link, which is somebody else's.
    console.error("node_modules is a link to packages older than package-lock.json. Run npm ci there, or remove the link.");
    process.exit(1);
  }
  console.error("Installing packages (npm ci) …");
  await orEnd(["npm", "ci"]);
}

/** Builds the addon, unless there is one newer than everything it is made of. */
export async function buildIfStale() {
  const built = Math.min(addonBuiltAt(), modifiedAt(join(root, "binding.js")));
  const sources = ["Cargo.toml", "Cargo.lock", "build.rs", "src"].map((name) => modifiedAt(join(root, name)));
  if (built > Math.max(...sources)) return;
  console.error("Building the addon (cargo, release) …");
  await orEnd(["node", "scripts/build.mjs"]);
}

/** Everything a script needs that uses the addon. */
export async function setup() {
  await checkTools();
  await installPackages();
  await buildIfStale();
}

function addonBuiltAt() {
  // The name ends in this platform's triple, of which the first two parts are known here.
  const start = `session-manager.${process.platform}-${process.arch}`;
  const times = readdirSync(root)
    .filter((name) => name.startsWith(start) && name.endsWith(".node"))
    .map((name) => modifiedAt(join(root, name)));
  return Math.max(0, ...times);
}

/** When a file, or anything in a directory, was changed last; 0 where there is none. */
function modifiedAt(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  // The directory's own time counts too: it tells of files taken away.
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => modifiedAt(join(path, name))));
}

async function orEnd(command) {
  const { code, output } = await run(command);
  if (code === 0) return;
  process.stderr.write(output);
  console.error(`${command.join(" ")} failed`);
  process.exit(1);
}
