// Where the reference is not the measure. Most rules adjust one answer or one line (mended*.mjs does
// that and notes the name); where no answer can be given, one call is skipped, or the session is left
// out from there on and counted. Numbers are those of DESIGN.md, section 5 unless it says otherwise.

import { linesOf } from "./naive.mjs";
import { toBytes } from "./spec.mjs";

/** Thrown by the oracle: from this call on the session is not compared. */
export class LeaveOut extends Error {}
/** Thrown by the oracle: this call's answer is not compared; it changes nothing. */
export class Skip extends Error {}
/** Marks a listed session of which only the path is compared. */
export const LOOSE = Symbol("loose");

/** Every deviation by name: the rule that decides and what the reference does. */
export const EXCLUSIONS = {
  // one answer or one line adjusted
  "not a session": "5.1: such a file is never modified; the reference writes a fresh header over it",
  "header further down": "5.1: blank and damaged lines before the header are skipped everywhere; the reference's search looks at 512 bytes of the first line",
  "unterminated tail": "5.2: the last line is closed off before the first append; the reference glues the new line to it",
  "no records": "5.3: JSON that is no object is skipped; the reference keeps it as an entry or throws",
  "records in damaged lines": "5.3: whole records in a damaged line are read; the reference loses them",
  "kept lines": "5.3: damaged and blank lines survive a migration, and nothing is written where none is due; the reference drops them",
  "ids that are no strings": "5.3: such an entry is never the leaf, and no id finds it",
  "cwd that is no string": "a header's cwd of a wrong type counts as missing; the reference hands it out",
  "no way out": "5.4: a walk ends at the first repeat; the reference never ends",
  "first write": "5.5: at the first user or assistant message and once; the reference waits for the assistant and repeats the header",
  "failed append": "5.6: nothing is left behind; the reference keeps the entry in memory",
  "chained again": "5.9: parents and kept ids are mapped over removed labels; the reference leaves them dangling",
  "where from": "5.10: fromId is the leaf that was left; the reference records the target",
  "old source": "5.11: a fork is migrated first; the reference copies old entries under a new version",
  "label times": "5.11: a new session has none; the reference keeps them",
  "session id": "5.12: ids of callers are checked; the reference takes any",
  "no content": "5.13: null or missing content becomes empty in a context",
  "no message": "5.13: an entry without a message is left out of a context; the reference throws",
  "odd listing": "5.14: a session with an odd field is listed; the reference drops it (compared: its path) or hands out a parentSession of a wrong type",
  "other project": "5.15: sessions of another cwd with the same directory name are passed over",
  "one line": "5.17: names are one line",
  "numbers reprinted": "2: 1e999 and -0 keep their form in files; the reference prints null and 0 (compared as these)",
  // one call skipped
  "tree of repeated ids": "5.4: shown once; where among its siblings is not laid down",
  "tree without ids": "5.3: entries without a string id have no place in the tree that could be compared",
  "odd value stored": "a stored field of a wrong type makes the reference throw a TypeError",
  // left out, or from there on
  "records before the header": "5.3: a whole record in a damaged line before the header",
  "bytes that would read": "5.3: a rewrite leaves a damaged line whole whose other bytes are JSON by themselves, so that each record is read once",
  "unstorable and not yet written": "5.6: data that cannot be stored, before the first write",
  "too deep to print": "the reference prints an entry that is nested too deep for JSON.stringify; ours copies its bytes",
  "branch with repeats": "5.4 and 5.9 together: a branched session of entries that go in a circle",
};

/** What the files of a program tell before anything runs: `{ leftOut, reprints }`. */
export function examine({ files }) {
  const texts = files.map(({ lines }) => toBytes(lines.join("")).toString("utf8"));
  const all = texts.map(linesOf);
  const isEarly = (lines) => lines.find(({ kind }) => kind === "record")?.salvaged;
  const leavesJson = (lines) => lines.some(({ reads }) => reads);
  const reasons = [
    ["records before the header", isEarly],
    ["bytes that would read", leavesJson],
  ];
  const leftOut = reasons.find(([, applies]) => all.some(applies))?.[0];
  const reprints = texts.some((text) => /1e999|-0[^.\d]/.test(text));
  return { leftOut, reprints };
}
