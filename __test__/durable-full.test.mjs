// 18, 19: no room left. Once with a limit of the size of files (RLIMIT_FSIZE), which hits in the middle
// of a line, and once on a file system that is really full.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { SessionManager } from "../index.js";
import { ids, naming, seen, throwsPlain } from "./support/claims.mjs";
import { scenarios } from "./support/durable/full.mjs";
import { A, H, U, user } from "./support/entries.mjs";
import { records, writeSession } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

const limited = fileURLToPath(new URL("support/durable/limited.mjs", import.meta.url));
const noLimit = spawnSync("prlimit", ["--version"]).status === 0 ? false : "the command prlimit is not here";

test("a limit of file sizes", { skip: noLimit }, async (t) => {
  const output = execFileSync(process.execPath, [limited, tempDir(t)], { encoding: "utf8", timeout: 60_000 });
  const failures = JSON.parse(output);
  assert.deepEqual(Object.keys(failures), Object.keys(scenarios));
  for (const [name, failure] of Object.entries(failures)) await t.test(name, () => assert.equal(failure, null));
});

/** Mounts a file system of 1 MB in memory at `dir`; returns why it could not. */
function mount(dir) {
  if (process.platform !== "linux") return "only Linux has tmpfs";
  if (process.getuid() !== 0) return "only root may mount";
  const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", dir], { encoding: "utf8" });
  return status === 0 ? undefined : `mount: ${stderr?.trim() || "not here"}`;
}

/** Takes all room of a file system away, with a file outside of the scenario's directory. */
function filler(path) {
  return {
    gone() {
      const file = openSync(path, "w");
      try {
        for (const size of [65_536, 4_096, 512, 1]) {
          try {
            for (;;) writeSync(file, Buffer.alloc(size));
          } catch (error) {
            assert.equal(error.code, "ENOSPC");
          }
        }
      } finally {
        closeSync(file);
      }
    },
    back: () => rmSync(path, { force: true }),
  };
}

test("a full file system", async (t) => {
  const top = tempDir(t);
  const refusal = mount(top);
  if (refusal) return t.skip(refusal);
  try {
    for (const [n, [name, scenario]] of Object.entries(scenarios).entries()) {
      await t.test(name, async () => {
        const dir = join(top, String(n));
        mkdirSync(dir);
        await scenario(dir, filler(join(top, "filler")));
        rmSync(dir, { recursive: true });
      });
    }
  } finally {
    // Lazily: managers that were not collected yet hold files in it.
    execFileSync("umount", ["-l", top]);
  }
});

test("18: the directory is gone: the append throws and rolls back; it works when the directory is back", (t) => {
  const dir = join(tempDir(t), "sessions");
  const path = writeSession(join(dir, "s.jsonl"), H(), U("u1"), A("a1", "u1"));
  const manager = SessionManager.open(path);
  const before = seen(manager);
  renameSync(dir, `${dir}.away`);
  throwsPlain(() => manager.appendMessage(user()), naming(path));
  throwsPlain(() => manager.branchWithSummary("u1", "s"), naming(path));
  assert.deepEqual(seen(manager), before);
  renameSync(`${dir}.away`, dir);
  const id = manager.appendMessage(user());
  assert.deepEqual(ids(records(path)), ["h1", "u1", "a1", id]);
});
