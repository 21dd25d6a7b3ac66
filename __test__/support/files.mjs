import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempDir } from "./temp.mjs";

/** A record as a line; a string is taken as the line itself. */
export const line = (record) => (typeof record === "string" ? record : JSON.stringify(record));

/** Writes one line for each record, each ended by LF, making the directory if need be. */
export function writeSession(path, ...records) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, records.map((record) => `${line(record)}\n`).join(""));
  return path;
}

/** A session file with these records in a directory of its own. */
export function session(t, ...records) {
  return writeSession(join(tempDir(t), "s.jsonl"), ...records);
}

/** A file with exactly this text or these bytes, in a directory of its own. */
export function file(t, content) {
  const path = join(tempDir(t), "s.jsonl");
  writeFileSync(path, content);
  return path;
}

export const text = (path) => readFileSync(path, "utf8");

/** The lines of a file that ends in LF. */
export function lines(path) {
  const all = text(path).split("\n");
  assert.equal(all.pop(), "", `${path} ends in a line feed`);
  return all;
}

export const records = (path) => lines(path).map((each) => JSON.parse(each));

export const jsonlIn = (dir) => readdirSync(dir).filter((name) => name.endsWith(".jsonl"));

/** Sets the modification time, in seconds since 1970. */
export const touch = (path, seconds) => utimesSync(path, seconds, seconds);

/** Runs `act` and claims that the file holds the same bytes afterwards. */
export function untouched(path, act) {
  const before = readFileSync(path);
  const answer = act();
  assert.deepEqual(readFileSync(path), before, `${path} is untouched`);
  return answer;
}
