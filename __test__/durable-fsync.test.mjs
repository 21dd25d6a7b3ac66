// Issue 3, rule 1: the durability choice. That `fsync` really waits for the device is seen in the
// calls to the operating system. And 31, smaller: a list that is bigger than the heap.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { SessionManager, configure } from "../index.js";
import { inChild } from "./support/durable/child.mjs";
import { A, H, H1, U, old } from "./support/entries.mjs";
import { line, session } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

const index = fileURLToPath(new URL("../index.js", import.meta.url));

/** How often the main thread of a process that runs `body` asks for a sync, or why that cannot be seen. */
function syncs(t, body, file) {
  const dir = tempDir(t);
  const trace = join(dir, "trace");
  const source = `
    const { SessionManager, configure } = require(${JSON.stringify(index)});
    const user = { role: "user", content: "x", timestamp: 1 };
    const [dir, file] = ${JSON.stringify([dir, file ?? null])};
    ${body}`;
  const args = ["-f", "-y", "-e", "trace=fsync,fdatasync", "-o", trace, process.execPath, "-e", source];
  const { status, stderr, error } = spawnSync("strace", args, { encoding: "utf8" });
  if (error || /ptrace|not permitted/i.test(stderr)) return { refusal: `strace: ${error?.code ?? stderr.trim()}` };
  assert.equal(status, 0, stderr);
  const calls = readFileSync(trace, "utf8").split("\n").filter((each) => /f(data)?sync\(/.test(each));
  return { count: calls.length, directories: calls.filter((each) => !/\.(jsonl|tmp)/.test(each)).length };
}

const claims = {
  "durability none: no append waits": ["const m = SessionManager.create('/w', dir); for (let n = 0; n < 10; n++) m.appendMessage(user);", (count) => count === 0],
  "configure durability fsync: the first write waits for file and directory, each append for the file": [
    "configure({ durability: 'fsync' }); const m = SessionManager.create('/w', dir); for (let n = 0; n < 10; n++) m.appendMessage(user);",
    (count, directories) => count === 9 + 2 && directories === 1,
  ],
  "setDurability holds from then on, for this manager": [
    "const m = SessionManager.open(file), o = SessionManager.open(file); m.appendMessage(user); m.setDurability('fsync'); for (let n = 0; n < 5; n++) { m.appendCustomEntry('e', n); o.appendMessage(user); } m.setDurability('none'); m.appendMessage(user);",
    (count) => count === 5,
  ],
  "fsync: a fork, a branch and their directories": [
    "configure({ durability: 'fsync' }); SessionManager.forkFrom(file, '/w', dir); const m = SessionManager.open(file, dir); m.createBranchedSession('a1');",
    (count, directories) => count === 4 && directories === 2,
  ],
  "fsync outlives the session a manager turns from": [
    "const m = SessionManager.open(file, dir); m.setDurability('fsync'); m.newSession(); m.appendMessage(user); m.setSessionFile(file); m.appendMessage(user);",
    (count) => count === 3,
  ],
};

for (const [name, [body, right]] of Object.entries(claims)) {
  test(name, (t) => {
    const { count, directories, refusal } = syncs(t, body, session(t, H(), U("u1"), A("a1", "u1")));
    if (refusal) return t.skip(refusal);
    assert.ok(right(count, directories), `${count} calls, ${directories} of them for directories`);
  });
}

test("a migration and a repair wait for file and directory, whatever the choice", (t) => {
  const migrated = syncs(t, "SessionManager.open(file);", session(t, H1(), old(U("u1"))));
  if (migrated.refusal) return t.skip(migrated.refusal);
  assert.deepEqual(migrated, { count: 2, directories: 1 });
  const repaired = syncs(t, "SessionManager.repair(file);", session(t, H(), U("u1"), "{bad"));
  assert.deepEqual(repaired, { count: 2, directories: 1 });
});

test("any other durability throws and changes nothing", () => {
  const manager = SessionManager.inMemory("/w");
  for (const value of [undefined, null, "", "always", "FSYNC", 1, {}, ["fsync"]]) {
    assert.throws(() => manager.setDurability(value), TypeError);
    if (value !== undefined) assert.throws(() => configure({ durability: value }), TypeError);
  }
  configure();
});

test("31, smaller: 8 files of 20 MB are listed with a heap of 64 MB, in bounded memory", (t) => {
  const dir = join(tempDir(t), "sessions");
  mkdirSync(dir);
  const output = { ...U("t"), message: { role: "toolResult", toolCallId: "c", toolName: "n", content: [{ type: "text", text: "out ".repeat(5_000) }], isError: false, timestamp: 1 } };
  const block = Buffer.from(`${line(output)}\n`.repeat(50));
  for (let n = 0; n < 8; n++) {
    const file = openSync(join(dir, `${n}.jsonl`), "w");
    writeSync(file, `${line(H({ id: `h${n}` }))}\n${line(U("u1"))}\n`);
    for (let size = 0; size < 20_000_000; size += block.length) writeSync(file, block);
    closeSync(file);
  }
  const { listed, messages, grown } = inChild(t, "listing.mjs", { args: [dir], flags: ["--max-old-space-size=64"] });
  assert.equal(listed, 8);
  assert.ok(messages.every((count) => count > 900));
  t.diagnostic(`grown by ${(grown / (1 << 20)).toFixed(1)} MB`);
  assert.ok(grown < 100 << 20, "memory is bounded");
});
