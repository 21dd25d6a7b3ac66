// Issue 3, rule 8: no panic, abort or hang reaches the host, whatever the arguments, the callbacks or
// the bytes. Each part runs in a process of its own, so that an abort is a failed test.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inChild } from "./support/durable/child.mjs";

test("arguments of every wrong kind, to every method and function", (t) => {
  const { calls, failures, missing } = inChild(t, "wrong-arguments.mjs");
  t.diagnostic(`${calls} calls`);
  assert.deepEqual(missing, [], "every method and function is called");
  assert.deepEqual(failures, []);
});

test("closures that call back into the manager: it works on, memory and files are the same", (t) => {
  const { claims, failures } = inChild(t, "callbacks.mjs");
  t.diagnostic(`${claims} claims`);
  assert.deepEqual(failures, []);
});

const noPipes = process.platform === "win32" ? "there are no such files on Windows" : false;
test("6: pipes, devices, directories, links, and files of hostile bytes: a clear answer, at once", { skip: noPipes }, (t) => {
  const { calls, failures } = inChild(t, "hostile-files.mjs");
  t.diagnostic(`${calls} calls`);
  assert.deepEqual(failures, []);
});

test("what is called like a leftover and is no file does not block", { skip: noPipes }, (t) => {
  const took = inChild(t, "hostile-leftovers.mjs", { timeout: 5000 });
  assert.deepEqual(Object.entries(took).filter(([, milliseconds]) => milliseconds > 2000), []);
});
