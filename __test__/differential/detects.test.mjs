// The differential test notices deliberate faults, and finds none where there is none.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "./check.mjs";
import { FAULTS } from "./faults.mjs";
import { mendedReference } from "./mended.mjs";
import { REFERENCE } from "./session.mjs";

const SEED = 20240601;

test("the oracle equals itself", async () => {
  const result = await check(await mendedReference(REFERENCE), { sessions: 100, seed: SEED });
  assert.ok(!result.failed, result.text);
});

for (const [name, put] of Object.entries(FAULTS)) {
  test(`notices ${name}`, async () => {
    const broken = await mendedReference(REFERENCE);
    put(broken);
    const result = await check(broken, { sessions: 2000, seed: SEED, shrink: false });
    assert.ok(result.failed, "not noticed");
    if (process.env.DIFFERENTIAL_VERBOSE) console.log(`${name}: after ${result.counts.sessions} sessions`);
  });
}
