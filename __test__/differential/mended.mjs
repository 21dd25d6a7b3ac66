// The oracle: a private copy of the reference in which the few methods that DESIGN.md section 5
// decides otherwise are mended, each around the original. Every mend that comes into play is noted
// by its name in exclusions.mjs; a run without notes is the reference's own answer.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { onCleanCopy, override } from "./around.mjs";
import { LeaveOut, Skip } from "./exclusions.mjs";
import { mendContext, walk } from "./mended-context.mjs";
import { mendFinding } from "./mended-finding.mjs";
import { hasCycle, isOld, isRewritten, readLines, recordsOf } from "./naive.mjs";

const isTalk = ({ type, message }) => type === "message" && (message?.role === "user" || message?.role === "assistant");
const isMute = ({ type, message }) => type === "message" && (message === null || message === undefined);
const isAnswer = ({ type, message }) => type === "message" && message?.role === "assistant";

let copies = 0;

/** A mended copy of the module at `url`, with `notes`, the names of the mends that were used. */
export async function mendedReference(url) {
  const plain = await import(`${url}?mended=${copies++}`); // a module of its own, not the one others import
  const notes = new Set();
  const note = (name) => notes.add(name);
  const api = { ...plain, SessionManager: plain.SessionManager, notes };
  const context = mendContext(plain, note);
  api.buildSessionContext = context.buildSessionContext;
  mendOpening(plain, note);
  mendWriting(plain, note);
  mendBranching(plain, note);
  mendAnswers(plain, note, context);
  mendFinding(plain, api, note);
  return api;
}

function mendOpening(plain, note) {
  override(plain.SessionManager.prototype, (before) => ({
    setSessionFile(file) {
      const path = resolve(file);
      const lines = readLines(path);
      if (lines.length === 0) return before.setSessionFile.call(this, file);
      const records = recordsOf(lines);
      if (records.length === 0) {
        note("not a session");
        throw new Error(`Session file is not a valid elyra session: ${path}`);
      }
      const odd = lines.some(({ kind }) => kind === "other");
      const salvaged = lines.some((line) => line.salvaged);
      const kept = isRewritten(records) && (!isOld(records) || lines.some(({ kind }) => kind !== "record"));
      if (!odd && !salvaged && !kept) return before.setSessionFile.call(this, file);
      note(salvaged ? "records in damaged lines" : odd ? "no records" : "kept lines");
      const { after } = onCleanCopy(path, lines, (copy) => before.setSessionFile.call(this, copy));
      this.sessionFile = path;
      if (!isOld(records) || !this.persist) return;
      writeFileSync(path, lines.map(({ kind, raw }) => `${kind === "record" ? after.shift() : raw}\n`).join(""));
    },
    newSession(options) {
      const id = options?.id;
      if (id !== undefined && id !== null && !/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(id)) {
        note("session id");
        throw new TypeError("wrong id"); // the wording is ours: only that it throws is compared
      }
      if (this.labelTimestampsById.size > 0) note("label times");
      this.labelTimestampsById.clear();
      return before.newSession.call(this, options);
    },
    _buildIndex() {
      before._buildIndex.call(this);
      if (this.leafId === null || typeof this.leafId === "string") return;
      note("ids that are no strings");
      this.leafId = this.fileEntries.findLast(({ type, id }) => type !== "session" && typeof id === "string")?.id ?? null;
    },
  }));
}

function mendWriting(plain, note) {
  override(plain.SessionManager.prototype, (before) => ({
    _persist(entry) {
      if (!this.persist || !this.sessionFile) return;
      if (!this.fileEntries.some(isAnswer)) note("first write");
      if (this.fileEntries.some(isMute)) note("no message");
      if (!this.flushed && !this.fileEntries.some(isTalk)) return;
      const added = this.flushed ? [entry] : this.fileEntries;
      const text = existsSync(this.sessionFile) ? readFileSync(this.sessionFile, "latin1") : "";
      const torn = text !== "" && !text.endsWith("\n");
      if (torn) note("unterminated tail");
      appendFileSync(this.sessionFile, (torn ? "\n" : "") + added.map((each) => `${JSON.stringify(each)}\n`).join(""));
      this.flushed = true;
    },
    _appendEntry(entry) {
      const leaf = this.leafId;
      if (this.left !== undefined) {
        if (entry.fromId !== (this.left ?? "root")) note("where from");
        entry.fromId = this.left ?? "root";
      }
      try {
        if (this.persist) JSON.stringify(entry);
      } catch (error) {
        if (!this.flushed) throw new LeaveOut("unstorable and not yet written");
        note("failed append");
        this.leafId = leaf;
        throw error;
      }
      before._appendEntry.call(this, entry);
    },
    branchWithSummary(id, ...rest) {
      const leaf = this.leafId;
      this.left = leaf;
      try {
        return before.branchWithSummary.call(this, id, ...rest);
      } catch (error) {
        this.leafId = leaf;
        throw error;
      } finally {
        this.left = undefined;
      }
    },
    appendSessionInfo(name) {
      if (typeof name !== "string" || !/[\r\n]/.test(name.trim())) return before.appendSessionInfo.call(this, name);
      note("one line");
      return before.appendSessionInfo.call(this, name.replace(/[\r\n]+/g, " "));
    },
  }));
}

function mendBranching(plain, note) {
  override(plain.SessionManager.prototype, (before) => ({
    createBranchedSession(id) {
      const path = this.getBranch(id);
      const circle = path.length > 0 && this.byId.has(path[0].parentId);
      if (circle && path.some(({ type }) => type === "label")) throw new LeaveOut("branch with repeats");
      const chained = chainAgain(path);
      if (chained.some((entry, index) => entry !== path[index])) note("chained again");
      this.getBranch = () => chained;
      try {
        return before.createBranchedSession.call(this, id);
      } catch (error) {
        if (!path.some(isMute)) throw error;
        note("no message"); // the reference fails when everything but the writing is done
        this.flushed = false;
        return this.sessionFile;
      } finally {
        delete this.getBranch;
        if (this.persist && !this.flushed && this.fileEntries.some(isTalk)) {
          note("first write");
          this._rewriteFile();
          this.flushed = true;
        }
      }
    },
  }));
}

/** The path with parents and kept ids that skip its labels; the labels themselves stay in it. */
function chainAgain(path) {
  const parents = new Map();
  const followers = new Map();
  const seen = new Set();
  let labels = [];
  return path.map((entry) => {
    const { type, id, parentId, firstKeptEntryId } = entry;
    seen.add(id);
    if (type === "label") {
      parents.set(id, parents.has(parentId) ? parents.get(parentId) : seen.has(parentId) ? parentId : null);
      labels.push(id);
      return entry;
    }
    for (const label of labels) followers.set(label, id);
    labels = [];
    const changed = {};
    if (parents.has(parentId)) changed.parentId = parents.get(parentId);
    const follower = type === "compaction" ? followers.get(firstKeptEntryId) : undefined;
    if (follower !== undefined) changed.firstKeptEntryId = follower;
    return Object.keys(changed).length > 0 ? { ...entry, ...changed } : entry;
  });
}

function mendAnswers(plain, note, context) {
  override(plain.SessionManager.prototype, (before) => ({
    getBranch(id) {
      if (!hasCycle(this.byId)) return before.getBranch.call(this, id);
      note("no way out");
      const start = id ?? this.leafId;
      return walk(start ? this.byId.get(start) : undefined, this.byId);
    },
    buildSessionContext() {
      return context.ofManager(this.getEntries(), this.leafId, this.byId);
    },
    getEntry(id) {
      if (id === undefined && this.byId.has(id)) return note("ids that are no strings"), undefined;
      return before.getEntry.call(this, id);
    },
    getLabel(id) {
      if (typeof id !== "string" && this.labelsById.has(id)) return note("ids that are no strings"), undefined;
      return before.getLabel.call(this, id);
    },
    getSessionName() {
      try {
        return before.getSessionName.call(this);
      } catch {
        throw new Skip("odd value stored");
      }
    },
    getTree() {
      const ids = this.getEntries().map(({ id }) => id);
      if (ids.some((id) => typeof id !== "string")) throw new Skip("tree without ids");
      if (new Set(ids).size < ids.length || hasCycle(this.byId)) throw new Skip("tree of repeated ids");
      return before.getTree.call(this);
    },
  }));
}
