// The first difference between two traces, in words.
import { pathTo } from "./describe.mjs";

const short = (text) => (text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text);

function inTokens(expected, actual) {
  const length = Math.max(expected.length, actual.length);
  for (let at = 0; at < length; at++) if (expected[at] !== actual[at]) return at;
  return -1;
}

/** "throws" without a message: any error will do. */
const bothThrow = (expected, actual) => expected[0] === "throws" && actual[0]?.startsWith("throws");

function report(where, expected, actual) {
  if (bothThrow(expected, actual)) return undefined;
  const at = inTokens(expected, actual);
  if (at < 0) return undefined;
  const context = (tokens) => short(tokens.slice(at, at + 6).join(" "));
  return `${where}${pathTo(expected, at)}\n  expected ${context(expected)}\n  got      ${context(actual)}`;
}

/** Describes where `actual` leaves `expected`, or undefined when they agree. */
export function firstDifference(program, expected, actual) {
  for (let at = 0; at < expected.calls.length; at++) {
    if (expected.skipped.has(at)) continue;
    const found = report(`call ${at}, ${program.calls[at].op}: `, expected.calls[at], actual.calls[at] ?? []);
    if (found) return found;
  }
  if (expected.leftOut) return undefined;
  const names = [...expected.files.keys()].sort();
  const theirs = [...actual.files.keys()].sort();
  const odd = names.find((name) => !actual.files.has(name)) ?? theirs.find((name) => !expected.files.has(name));
  if (odd !== undefined) return `${expected.files.has(odd) ? "missing" : "unexpected"} file ${odd}`;
  for (const name of names) {
    const found = report(`file ${name}: `, expected.files.get(name), actual.files.get(name));
    if (found) return found;
  }
  return undefined;
}
