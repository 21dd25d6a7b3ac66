// Runs the differential test by hand, or one failing session of it again:
//   node __test__/differential/run-one.mjs [--seed N] [--path P] [--sessions N]
import { parseArgs } from "node:util";
import { check, JOURNAL } from "./check.mjs";
import { implementation } from "./session.mjs";

const { values } = parseArgs({
  options: { seed: { type: "string" }, path: { type: "string" }, sessions: { type: "string", default: "2000" } },
});
const seed = values.seed === undefined ? Date.now() | 0 : Number(values.seed);
console.log(`seed ${seed}${values.path ? `, path ${values.path}` : `; should the process die, the path is in ${JOURNAL}`}`);
const result = await check(await implementation(), { sessions: Number(values.sessions), seed, path: values.path });
console.log(result.text);
process.exitCode = result.failed || result.tooMany ? 1 : 0;
