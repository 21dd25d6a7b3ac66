// V8 knows of the memory that the addon holds for a manager, so that it collects managers in time. What it
// knows shows in no figure of Node's (`external` counts buffers alone), only in what it does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inChild } from "./support/durable/child.mjs";

const MB = 1 << 20;

test("managers that nobody holds any more are collected before they fill the memory", (t) => {
  const { held, grown } = inChild(t, "dropped-managers.mjs", { timeout: 120_000 });
  t.diagnostic(`grew by ${(grown / MB).toFixed(0)} MB where ${(held / MB).toFixed(0)} MB of entries were opened`);
  assert.ok(held > 200 * MB);
  assert.ok(grown < held / 2, `${grown} bytes`);
});
