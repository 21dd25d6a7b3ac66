// Section 4 and 5.6: an old version in a place that cannot be written. Root may write everywhere, so
// under root a process of another user does the work.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { another, needsAnother as options, runAsAnother as run } from "./support/another-user.mjs";
import { A, H1, U, old } from "./support/entries.mjs";
import { lines, session, untouched } from "./support/files.mjs";

/** A version 1 session that can be read and not written, in a directory of that kind. */
function readOnly(t) {
  const path = session(t, H1(), old(U("u")), old(A("a")));
  chmodSync(path, 0o444);
  chmodSync(dirname(path), 0o555);
  return path;
}

test("it opens, migrated in memory", options, (t) => {
  const path = readOnly(t);
  const body = `(() => {
    const manager = SessionManager.open(${JSON.stringify(path)});
    return [manager.getHeader().version, manager.getBranch().length, manager.buildSessionContext().messages.length];
  })()`;
  assert.deepEqual(untouched(path, () => run(body)), [3, 2, 2]);
});

test("an append throws, names the file and leaves memory as it was", options, (t) => {
  const path = readOnly(t);
  const body = `(() => {
    const manager = SessionManager.open(${JSON.stringify(path)});
    const leaf = manager.getLeafId();
    try {
      manager.appendMessage({ role: "user", content: "x" });
    } catch (error) {
      return [error.message, error.constructor.name, "code" in error, manager.getLeafId() === leaf, manager.getEntries().length];
    }
  })()`;
  const [message, kind, hasCode, sameLeaf, entries] = untouched(path, () => run(body));
  assert.ok(message.includes(path));
  assert.deepEqual([kind, hasCode, sameLeaf, entries], ["Error", false, true, 2]);
  assert.equal(lines(path).length, 3);
});

test("the first append migrates it once the place can be written", options, (t) => {
  const path = readOnly(t);
  const dir = dirname(path);
  if (another.uid !== undefined) execFileSync("chown", ["-R", "65534:65534", dir]);
  const body = `(() => {
    const manager = SessionManager.open(${JSON.stringify(path)});
    chmodSync(${JSON.stringify(dir)}, 0o755);
    chmodSync(${JSON.stringify(path)}, 0o644);
    manager.appendMessage({ role: "user", content: "x" });
    return manager.getEntries().map((entry) => entry.id);
  })()`;
  const answer = run(body);
  const [header, ...entries] = lines(path).map((each) => JSON.parse(each));
  assert.equal(header.version, 3);
  assert.deepEqual(entries.map((entry) => entry.id), answer);
});
