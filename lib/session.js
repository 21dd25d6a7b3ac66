"use strict";

const native = require("./native.js");
const { EntryObjects } = require("./entry-objects.js");
const { describe } = require("./entries.js");

const NEEDS_WHOLE = 0xffffffff;
const HAS_NEWS = 0xfffffffe;

/** What a manager holds: the core's side of the session, its objects, and answers worth keeping. */
class Session {
  constructor(home, path, id, parentSession) {
    this.persist = home.persist;
    this.dir = home.dir;
    this.core = new native.SessionManager(home, path, id);
    this.cwd = this.core.getCwd();
    this.turnedTo(parentSession);
  }

  /** Forgets what was known of the session before. */
  turnedTo(parentSession, objects) {
    const { core } = this;
    this.turns = (this.turns ?? 0) + 1;
    this.id = core.getSessionId();
    this.file = core.getSessionFile() ?? undefined;
    this.written = core.isWritten();
    this.objects = new EntryObjects(core);
    const fresh = core.getNewHeader();
    this.header = fresh === null ? undefined : this.newHeader(fresh, parentSession);
    const undefinedMembers = core.takeUndefinedMembers();
    if (undefinedMembers !== null) {
      for (const [number, entry] of JSON.parse(undefinedMembers)) {
        entry.firstKeptEntryId = undefined;
        this.objects.keep(number, entry);
      }
    }
    objects?.forEach((object, number) => object !== undefined && this.objects.keep(number, object));
    this.changed();
  }

  /** Answers that are only good until entries or the leaf change. */
  changed() {
    this.leaf = undefined;
    this.branch = undefined;
    this.plan = undefined;
    this.name = undefined;
  }

  newHeader(members, parentSession) {
    return { ...JSON.parse(members), cwd: this.cwd, parentSession };
  }

  getHeader() {
    return (this.header ??= JSON.parse(this.core.getHeader()));
  }

  setSessionFile(path) {
    this.core.setSessionFile(path);
    this.turnedTo();
  }

  newSession(id, parentSession) {
    // What the header could not be written with must not be accepted now.
    if (this.persist) JSON.stringify(parentSession);
    this.core.newSession(id);
    this.turnedTo(parentSession);
  }

  getLeafId() {
    return this.leaf === undefined ? (this.leaf = this.core.getLeafId()) : this.leaf;
  }

  setLeaf(id) {
    if (id === null) this.core.resetLeaf();
    else this.core.branch(id);
    this.changed();
  }

  getSessionName() {
    return (this.name ??= { value: this.core.getSessionName() ?? undefined }).value;
  }

  /** The branch to the leaf, in an array of the caller's own. */
  getBranch() {
    return (this.branch ??= this.objects.pick(this.core.getBranch(null))).slice();
  }

  contextPlan() {
    if (this.plan === undefined) {
      const plan = this.core.buildSessionContext();
      this.objects.ensure(plan.messages.map((step) => step >>> 3));
      this.plan = plan;
    }
    return this.plan;
  }

  /**
   * Appends an entry, which becomes the leaf. It is written as it is now, and kept as the object
   * it is. If that fails, nothing was changed.
   */
  append(entry) {
    try {
      const { turns, written: whole } = this;
      // What could not be written later must not be accepted now, so all of it is put in words.
      const line = this.persist ? JSON.stringify(entry) : undefined;
      const text = whole ? line : describe(entry);
      if (turns !== this.turns) throw new Error("Session changed during the call: append");
      let number = this.core.append(text, whole);
      if (number === NEEDS_WHOLE) {
        this.objects.makeRoom();
        number = this.core.writeWhole(JSON.stringify(this.getHeader()), this.objects.lines(), line);
        this.written = true;
      }
      if (number === HAS_NEWS) this.takeNews(entry);
      else this.objects.append(entry);
    } catch (error) {
      this.objects.makeRoom();
      this.changed();
      throw error;
    }
    const branch = this.branch;
    this.changed();
    if (branch !== undefined && (branch.at(-1)?.id ?? null) === entry.parentId) (this.branch = branch).push(entry);
    this.leaf = entry.id;
    return entry.id;
  }

  /** Takes in what others did to the file. */
  refresh() {
    try {
      if (this.core.refresh()) this.takeNews();
    } finally {
      this.objects.makeRoom();
      this.changed();
    }
  }

  /** Others wrote to the file, too. `entry` is what we appended behind it, if anything. */
  takeNews(entry) {
    const { moved, newId, newHeader, entry: number } = this.core.takeNews();
    if (newId) entry.id = newId;
    if (moved) this.objects.move(moved);
    this.objects.makeRoom();
    if (entry) this.objects.keep(number, entry);
    if (newHeader) {
      this.header = undefined;
      this.id = this.core.getSessionId();
    }
    this.branch = undefined;
  }

  /** Turns to the branch that ends in `leafId` (or in the leaf) as a session of its own. */
  createBranchedSession(leafId) {
    const plan = this.core.planBranchedSession(leafId ?? null, String(leafId));
    const changes = new Map(JSON.parse(plan.changes));
    const objects = Array.from(plan.entries, (number, place) => {
      const object = this.objects.list[number];
      // What changes is a copy: others may hold the entry as it is in the session left behind.
      return object && changes.has(place) ? { ...object, ...changes.get(place) } : object;
    });
    const lines = objects.map((object) => (plan.writes && object ? JSON.stringify(object) : null));
    const parentSession = this.persist ? this.file : undefined;
    const header = JSON.stringify(this.newHeader(plan.header, parentSession));
    this.core.createBranchedSession(header, lines);
    for (const { type, id, parentId, timestamp, targetId, label } of JSON.parse(plan.labels)) {
      objects.push({ type, id, parentId, timestamp, targetId, label });
    }
    this.turnedTo(parentSession, objects);
  }
}

module.exports = { Session };
