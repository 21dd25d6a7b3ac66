import { test } from "node:test";
import * as reference from "../../node_modules/@mariozechner/pi-coding-agent/dist/core/session-manager.js";
import * as ours from "../../index.js";

/**
 * Runs one claim against the reference and against ours: a claim that is wrong about the reference
 * fails too. `claim` gets the module and the test's context.
 */
export function inBoth(title, claim) {
  test(`${title} (reference)`, (t) => claim(reference, t));
  test(`${title} (ours)`, (t) => claim(ours, t));
}
