// Finding, listing, loading and forking of the oracle.
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LOOSE } from "./exclusions.mjs";
import { onCleanCopy, override } from "./around.mjs";
import { isOld, readLines, recordsOf } from "./naive.mjs";

const headerOf = (path) => recordsOf(readLines(path))[0];
const encoded = (cwd) => cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-");
/** Whether the reference cannot read these lines as they are. */
const isOdd = (lines) => lines.some(({ kind, salvaged }) => kind === "other" || salvaged);
/** Whether a session belongs to another project whose directory has the same name (DESIGN 5.15). */
const isForeign = ({ cwd }, ours) =>
  typeof cwd === "string" && cwd !== "" && cwd !== ours && encoded(cwd) === encoded(ours);
const filesIn = (dir) =>
  existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith(".jsonl")).map((name) => join(dir, name)) : [];

export function mendFinding(plain, api, note) {
  const { SessionManager } = plain;

  function newest(dir, ours) {
    const found = filesIn(dir).filter((path) => {
      const header = headerOf(path);
      if (header && ours !== undefined && isForeign(header, ours)) return note("other project"), false;
      return header !== undefined;
    });
    const time = (path) => statSync(path).mtimeMs;
    return found.reduce((best, path) => (best === null || time(path) > time(best) ? path : best), null);
  }

  function findMostRecentSession(dir, ours) {
    const theirs = plain.findMostRecentSession(dir);
    const found = newest(dir, ours);
    if (found !== theirs) note("header further down");
    return found;
  }

  function loadEntriesFromFile(path) {
    const lines = readLines(path);
    if (!isOdd(lines)) return plain.loadEntriesFromFile(path);
    note("no records");
    return recordsOf(lines);
  }

  /** Adds what the reference drops, takes away what is no session or not of this project. */
  function mendList(infos, paths, ours) {
    const kept = infos.filter(({ path }) => {
      const header = headerOf(path);
      if (header === undefined) note("not a session");
      else if (ours !== undefined && isForeign(header, ours)) note("other project");
      else return !readLines(path).some(({ salvaged }) => salvaged);
      return false;
    });
    const listed = new Set(kept.map(({ path }) => path));
    for (const info of kept) {
      const { parentSessionPath: parent } = info;
      if (parent !== undefined && typeof parent !== "string") note("odd listing"), (info.parentSessionPath = undefined);
    }
    const dropped = paths.filter((path) => !listed.has(path) && headerOf(path) !== undefined);
    const added = dropped.filter((path) => ours === undefined || !isForeign(headerOf(path), ours));
    if (dropped.length > 0) note("odd listing");
    return [...kept, ...added.map((path) => ({ path, [LOOSE]: true }))];
  }

  Object.assign(api, { findMostRecentSession: (dir) => findMostRecentSession(dir), loadEntriesFromFile });
  override(SessionManager, (before) => ({
    open(path, dir, cwd) {
      const lines = readLines(path);
      const theirs = recordsOf(lines)[0]?.cwd ?? undefined;
      const odd = theirs !== undefined && typeof theirs !== "string";
      if (odd) note("cwd that is no string");
      if (!odd && !isOdd(lines)) return before.open.call(SessionManager, path, dir, cwd);
      return new SessionManager(cwd ?? (odd ? undefined : theirs) ?? process.cwd(), dir ?? dirname(path), path, true);
    },
    continueRecent(cwd, dir) {
      const place = dir ?? plain.getDefaultSessionDir(cwd);
      const found = findMostRecentSession(place, dir === undefined ? cwd : undefined);
      return found ? new SessionManager(cwd, place, found, true) : SessionManager.create(cwd, dir);
    },
    forkFrom(source, cwd, dir) {
      const lines = readLines(source);
      const records = recordsOf(lines);
      const old = records.length > 0 && isOld(records);
      if (!old && !isOdd(lines)) return before.forkFrom.call(SessionManager, source, cwd, dir);
      note(old ? "old source" : "no records");
      return onCleanCopy(source, lines, (copy) => {
        if (old) {
          plain.migrateSessionEntries(records);
          writeFileSync(copy, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
        }
        return before.forkFrom.call(SessionManager, copy, cwd, dir);
      }).answer;
    },
    async list(cwd, dir, onProgress) {
      const infos = await before.list.call(SessionManager, cwd, dir, onProgress);
      return mendList(infos, filesIn(dir ?? plain.getDefaultSessionDir(cwd)), dir === undefined ? cwd : undefined);
    },
    async listAll(onProgress) {
      const infos = await before.listAll.call(SessionManager, onProgress);
      const root = dirname(plain.getDefaultSessionDir("/w"));
      return mendList(infos, readdirSync(root).flatMap((name) => filesIn(join(root, name))), undefined);
    },
  }));
}
