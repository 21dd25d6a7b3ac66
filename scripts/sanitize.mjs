// node scripts/sanitize.mjs [test files]: runs tests on an addon that AddressSanitizer watches, which
// sees what the compiler cannot vouch for: the few `unsafe` lines of the binding and the crates below.
//
// By hand, on Linux: needs a nightly toolchain and clang's runtime (Debian: libclang-rt-14-dev), and
// says so where they are missing. Node itself is not watched, and its leaks are not looked for.

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./lib/run.mjs";

const TARGET = "x86_64-unknown-linux-gnu";
const TESTS = /^(contract|cases|section[45])-.*|^(identity|class-shape|numbers-and-text|module|reentrancy|following|durable-(hostile|cut|refresh|verify))\.test\.mjs$/;

function fail(why) {
  console.error(`sanitize: ${why}`);
  process.exit(1);
}

const found = spawnSync("sh", ["-c", "ls /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.asan-x86_64.so"], { encoding: "utf8" });
const runtime = found.stdout.trim().split("\n").at(-1);
if (!runtime) fail("clang's AddressSanitizer runtime is missing (Debian: libclang-rt-14-dev)");

const build = spawnSync(
  "cargo",
  ["+nightly", "build", "--release", "--lib", "--locked", "--features", "node", "--target", TARGET, "--target-dir", "target/sanitize"],
  { cwd: root, stdio: "inherit", env: { ...process.env, RUSTFLAGS: "-Zsanitizer=address -Cforce-frame-pointers=yes" } },
);
if (build.status !== 0) fail("the addon could not be built; a nightly toolchain is needed");

const place = mkdtempSync(join(tmpdir(), "elyra-sanitize-"));
const addon = join(place, "session-manager.node");
copyFileSync(join(root, "target/sanitize", TARGET, "release/libelyra_session_manager.so"), addon);
const given = process.argv.slice(2);
const tests = given.length > 0 ? given : readdirSync(join(root, "__test__")).filter((name) => TESTS.test(name)).map((name) => join("__test__", name));
const run = spawnSync(process.execPath, ["--test", ...tests], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    LD_PRELOAD: runtime,
    ASAN_OPTIONS: "detect_leaks=0:verify_asan_link_order=0",
    TEST_SLOWNESS: "10",
    NAPI_RS_NATIVE_LIBRARY_PATH: addon,
  },
});
rmSync(place, { recursive: true });
process.exit(run.status ?? 1);
