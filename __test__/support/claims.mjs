import assert from "node:assert/strict";

/** Own keys in order and values, to any depth: what `exactly` compares. */
function shape(value) {
  if (Array.isArray(value)) return value.map(shape);
  if (value === null || typeof value !== "object" || value instanceof Date) return value;
  return Object.keys(value).map((key) => [key, shape(value[key])]);
}

/** Equal values, with the same own keys in the same order; a key that holds undefined counts. */
export function exactly(actual, expected) {
  assert.deepEqual(actual, expected);
  assert.deepEqual(shape(actual), shape(expected));
}

/** Throws an ordinary Error, without a `code`, with this message (or one that matches). */
export function throwsPlain(act, message) {
  let thrown;
  try {
    act();
  } catch (error) {
    thrown = error;
  }
  assert.ok(thrown !== undefined, "throws");
  assert.equal(Object.getPrototypeOf(thrown), Error.prototype, `a plain Error, not ${thrown}`);
  assert.ok(!("code" in thrown), "without a code");
  if (typeof message === "string") assert.equal(thrown.message, message);
  else assert.match(thrown.message, message);
  return thrown;
}

/** Claims that `text` is a time written as new entries write it, of this minute. */
export function isNow(text) {
  assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Math.abs(Date.now() - Date.parse(text)) < 60_000, `${text} is now`);
}

export const ids = (entries) => entries.map((entry) => entry.id);

/** What a caller can see of a manager, to compare before and after a call that failed. */
export function seen(manager) {
  return {
    file: manager.getSessionFile(),
    id: manager.getSessionId(),
    leaf: manager.getLeafId(),
    header: manager.getHeader(),
    entries: manager.getEntries(),
    name: manager.getSessionName(),
    tree: manager.getTree(),
  };
}

/** A pattern that finds `text` as it stands. */
export const naming = (text) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
