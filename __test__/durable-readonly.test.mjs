// Issue 3, fault test: every way of writing in a directory that cannot be written, by a user other
// than root. Each fails with an error that names the place, leaves the directory as it was and the
// manager usable; appending to a file needs no right to its directory.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { another, needsAnother, runAsAnother } from "./support/another-user.mjs";
import { A, H, U } from "./support/entries.mjs";
import { lines, session } from "./support/files.mjs";

/** A session whose file may be written and whose directory may not, with the bytes in it. */
function readOnlyPlace(t, ...more) {
  const path = session(t, H(), U("u1"), A("a1", "u1"), ...more);
  const dir = dirname(path);
  if (another.uid !== undefined) execFileSync("chown", ["-R", "65534:65534", dir]);
  chmodSync(dir, 0o555);
  return { path, dir, p: JSON.stringify(path), d: JSON.stringify(dir) };
}

/** All that is in a directory. */
const snapshot = (dir) => readdirSync(dir).sort().map((name) => [name, readFileSync(`${dir}/${name}`, "utf8")]);
const message = '{ role: "user", content: "x" }';
/** Evaluates `body`, which makes `manager` and calls `attempt(fn)`. */
const attempt = (body) => `(async () => {
  const attempt = async (fn) => { try { await fn(); return "no error"; } catch (e) { return [e.message, e.constructor.name, "code" in e]; } };
  ${body}
})()`;

const ways = {
  "a new session's first message": ({ d }) => `const manager = SessionManager.create("/w", ${d});
    const failed = await attempt(() => manager.appendMessage(${message}));
    return [failed, manager.getEntries().length];`,
  "a branched session": ({ p }) => `const manager = SessionManager.open(${p});
    const failed = await attempt(() => manager.createBranchedSession("a1"));
    return [failed, manager.getSessionFile() === ${p} && manager.getEntries().length === 2 ? 0 : 1];`,
  "a fork": ({ p, d }) => `return [await attempt(() => SessionManager.forkFrom(${p}, "/w", ${d})), 0];`,
  "a repair": ({ p }) => `return [await attempt(() => SessionManager.repair(${p})), 0];`,
};

for (const [name, body] of Object.entries(ways)) {
  test(`${name} fails and leaves nothing behind`, needsAnother, (t) => {
    const place = readOnlyPlace(t, ...(name === "a repair" ? ['{"torn'] : []));
    const before = snapshot(place.dir);
    const [[message, kind, hasCode], left] = runAsAnother(attempt(body(place)));
    assert.ok(message.includes(place.dir), message);
    assert.deepEqual([kind, hasCode, left], ["Error", false, 0]);
    assert.deepEqual(snapshot(place.dir), before);
  });
}

test("an append to a file that may be written works", needsAnother, (t) => {
  const { path, p } = readOnlyPlace(t);
  const id = runAsAnother(`SessionManager.open(${p}).appendMessage(${message})`);
  assert.equal(JSON.parse(lines(path).at(-1)).id, id);
});

test("an append to a file that may not be written fails, and works once it may", needsAnother, (t) => {
  const { path, p } = readOnlyPlace(t);
  chmodSync(path, 0o444);
  const [failed, entries, id] = runAsAnother(attempt(`const manager = SessionManager.open(${p});
    const failed = await attempt(() => manager.appendMessage(${message}));
    const entries = manager.getEntries().length;
    chmodSync(${p}, 0o644);
    return [failed, entries, manager.appendMessage(${message})];`));
  assert.ok(failed[0].includes(path), failed[0]);
  assert.deepEqual([failed[1], failed[2], entries], ["Error", false, 2]);
  assert.equal(lines(path).length, 4);
  assert.equal(JSON.parse(lines(path).at(-1)).id, id);
});

test("a new session's first message works once the directory may be written", needsAnother, (t) => {
  const { dir, d } = readOnlyPlace(t);
  const [failed, file] = runAsAnother(attempt(`const manager = SessionManager.create("/w", ${d});
    const failed = await attempt(() => manager.appendMessage(${message}));
    chmodSync(${d}, 0o755);
    manager.appendMessage(${message});
    return [failed, manager.getSessionFile()];`));
  assert.ok(failed[0].includes(dir), failed[0]);
  assert.equal(lines(file).length, 2);
});
