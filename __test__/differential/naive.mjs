// The plainest possible reading of a session file, for what the harness itself must know about it.
import { existsSync, readFileSync } from "node:fs";

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** `{ raw, kind, value }` for each line; kind is record, other (JSON, but no object), damaged or blank. */
export function readLines(path) {
  if (!existsSync(path)) return [];
  return linesOf(readFileSync(path, "utf8"));
}

/** As `readLines`. A damaged line with records in it gives its other bytes and each of these records. */
export function linesOf(text) {
  const raws = text.split("\n");
  if (raws.at(-1) === "") raws.pop();
  const lines = raws.map((raw, index) => {
    const read = index === 0 ? raw.replace(/^\ufeff/, "") : raw;
    if (read.trim() === "") return { raw, kind: "blank" };
    try {
      const value = JSON.parse(read);
      return { raw, value, kind: isObject(value) ? "record" : "other" };
    } catch {
      return { raw, kind: "damaged" };
    }
  });
  const first = lines.find(({ kind }) => kind === "record")?.value;
  const isRecord = (first?.version ?? 1) < 2 ? (record) => isOldRecord(record) || isTreeRecord(record) : isTreeRecord;
  return lines.flatMap((line) => (line.kind === "damaged" ? withSalvage(line, isRecord) : [line]));
}

/** Header and entries, or nothing when the first record is no header. */
export function recordsOf(lines) {
  const records = lines.filter(({ kind }) => kind === "record").map(({ value }) => value);
  return isHeader(records[0]) ? records : [];
}

export const isHeader = (record) => record?.type === "session" && typeof record.id === "string";

/** Whether opening the file migrates it. */
export const isOld = (records) => (records[0]?.version ?? 1) < 3;
/** Whether the reference writes it again on opening: also where the version is no number at all. */
export const isRewritten = (records) => !((records[0]?.version ?? 1) >= 3);

/** The ids of a file's entries, undefined where opening it makes new ones. */
export function idsIn(path) {
  const records = recordsOf(readLines(path));
  if (records.length > 0 && isOld(records)) return undefined;
  return records.filter(({ type, id }) => type !== "session" && typeof id === "string").map(({ id }) => id);
}

const KNOWN_TYPES = new Set([
  "message", "model_change", "thinking_level_change", "compaction", "branch_summary", "custom", "custom_message",
  "label", "session_info",
]);

const isOldRecord = ({ type, timestamp }) => KNOWN_TYPES.has(type) && typeof timestamp === "string";
const isTreeRecord = ({ id, parentId, timestamp }) =>
  typeof id === "string" && (parentId === null || typeof parentId === "string") && typeof timestamp === "string";

/** Where the object that begins at `from` ends, and its value; found by trying every brace. */
function objectAt(line, from) {
  for (let to = line.indexOf("}", from); to >= 0; to = line.indexOf("}", to + 1)) {
    try {
      return { end: to + 1, value: JSON.parse(line.slice(from, to + 1)) };
    } catch {
      // not yet
    }
  }
  return undefined;
}

/** The records at the end of a damaged line (DESIGN 5.3), after all its other bytes. */
function withSalvage({ raw }, isRecord) {
  let found = [];
  for (let at = raw.indexOf("{"); at >= 0; at = raw.indexOf("{", at)) {
    const object = /^\{\s*"type"/.test(raw.slice(at, at + 50)) ? objectAt(raw, at) : undefined;
    if (object === undefined || !isRecord(object.value)) {
      at++;
      continue;
    }
    if (/[^\s\0]/.test(raw.slice(found.at(-1)?.end ?? at, at))) found = [];
    const { value, end } = object;
    found.push({ raw: raw.slice(at, end), value, kind: "record", salvaged: true, at, end });
    at = end;
  }
  if (found.length === 0 || /[^\s\0]/.test(raw.slice(found.at(-1).end))) return [{ raw, kind: "damaged" }];
  const between = found.map(({ at }, index) => raw.slice(found[index - 1]?.end ?? 0, at));
  const others = between.join("") + raw.slice(found.at(-1).end);
  return [...(others === "" ? [] : [{ raw: others, kind: "damaged", reads: reads(others) }]), ...found];
}

/** Whether bytes that are left are JSON by themselves. */
function reads(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether following parents from any entry comes back to it. */
export function hasCycle(byId) {
  const ends = new Set();
  for (const start of byId.values()) {
    const here = new Set();
    for (let entry = start; entry && !ends.has(entry); entry = entry.parentId ? byId.get(entry.parentId) : undefined) {
      if (here.has(entry)) return true;
      here.add(entry);
    }
    for (const entry of here) ends.add(entry);
  }
  return false;
}
