// Random files and random calls, on the reference and on ours. DIFFERENTIAL_SESSIONS says how many,
// DIFFERENTIAL_SEED repeats a run, DIFFERENTIAL_IMPL tests another module. How it works: README.md.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, JOURNAL } from "./check.mjs";
import { implementation } from "./session.mjs";

const sessions = Number(process.env.DIFFERENTIAL_SESSIONS ?? 2000);
const seed = Number(process.env.DIFFERENTIAL_SEED ?? Date.now() | 0);

test(`${sessions} random sessions give what the reference gives`, async () => {
  console.log(`seed ${seed} (should the process die: run-one.mjs --seed ${seed} --path $(cat ${JOURNAL}))`);
  const result = await check(await implementation(), { sessions, seed });
  assert.ok(!result.failed, `\n${result.text}`);
  console.log(result.text);
  assert.ok(!result.tooMany, "more than 5 % of the sessions were left out");
});
