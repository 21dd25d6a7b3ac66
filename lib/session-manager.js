"use strict";

const path = require("node:path");
const native = require("./native.js");
const host = require("./host.js");
const health = require("./health.js");
const listing = require("./list.js");
const { applyPlan } = require("./context.js");
const { getDefaultSessionDir, sessionPlace } = require("./places.js");
const { Session } = require("./session.js");
const { buildTree } = require("./tree.js");

// A symbol instead of a private field, so that proxies and derived objects work as they do with
// any ordinary class.
const SESSION = Symbol("session");

const now = () => new Date().toISOString();
const given = (value) => (value === undefined || value === null ? undefined : value);

class SessionManager {
  constructor(cwd, sessionDir, sessionFile, persist) {
    const home = {
      app: host.appName(),
      cwd: given(cwd) === undefined ? undefined : host.resolvePath(cwd),
      dir: host.resolvePath(sessionDir ?? ""),
      persist: Boolean(persist),
      durability: host.durability(),
    };
    const file = sessionFile ? host.resolvePath(sessionFile) : undefined;
    Object.defineProperty(this, SESSION, { value: new Session(home, file) });
  }

  static create(cwd, sessionDir) {
    return new SessionManager(cwd, given(sessionDir) ?? getDefaultSessionDir(cwd), undefined, true);
  }

  static open(sessionFile, sessionDir, cwdOverride) {
    const file = host.resolvePath(sessionFile);
    const dir = given(sessionDir) ?? path.dirname(file);
    // Without a working directory the constructor takes the one in the header.
    return new SessionManager(given(cwdOverride), dir, file, true);
  }

  static continueRecent(cwd, sessionDir) {
    const { dir, project } = sessionPlace(cwd, sessionDir);
    return new SessionManager(cwd, dir, native.findMostRecentSession(dir, project), true);
  }

  static inMemory(cwd = process.cwd()) {
    return new SessionManager(cwd, "", undefined, false);
  }

  static forkFrom(sourcePath, targetCwd, sessionDir) {
    const source = host.resolvePath(sourcePath);
    const cwd = host.resolvePath(targetCwd);
    const dir = given(sessionDir) === undefined ? native.projectDir(host.agentDir(), cwd) : host.resolvePath(sessionDir);
    const target = native.forkSession(source, cwd, dir, host.appName(), host.durability());
    return new SessionManager(cwd, dir, target, true);
  }

  static async list(cwd, sessionDir, onProgress) {
    return listing.list(cwd, sessionDir, onProgress);
  }

  static async listAll(onProgress) {
    return listing.listAll(onProgress);
  }

  static async verify(sessionFile) {
    return health.verify(sessionFile);
  }

  static async repair(sessionFile) {
    return health.repair(sessionFile);
  }

  refresh() {
    this[SESSION].refresh();
  }

  setDurability(durability) {
    host.checkDurability(durability);
    this[SESSION].core.setDurability(durability);
  }

  getDiagnostics() {
    return this[SESSION].core.getDiagnostics();
  }

  setSessionFile(sessionFile) {
    // An empty path is the working directory, which is no session file.
    this[SESSION].setSessionFile(host.resolvePath(sessionFile || "."));
  }

  newSession(options) {
    const session = this[SESSION];
    session.newSession(given(options?.id), options?.parentSession);
    return session.file;
  }

  isPersisted() {
    return this[SESSION].persist;
  }

  getCwd() {
    return this[SESSION].cwd;
  }

  getSessionDir() {
    return this[SESSION].dir;
  }

  getSessionId() {
    return this[SESSION].id;
  }

  getSessionFile() {
    return this[SESSION].file;
  }

  appendMessage(message) {
    if (message === undefined || message === null) throw new TypeError("appendMessage: a message is needed");
    const session = this[SESSION];
    return session.append({
      type: "message",
      id: session.core.freshId(),
      parentId: session.getLeafId(),
      timestamp: now(),
      message,
    });
  }

  appendThinkingLevelChange(thinkingLevel) {
    const session = this[SESSION];
    return session.append({
      type: "thinking_level_change",
      id: session.core.freshId(),
      parentId: session.getLeafId(),
      timestamp: now(),
      thinkingLevel,
    });
  }

  appendModelChange(provider, modelId) {
    const session = this[SESSION];
    return session.append({
      type: "model_change",
      id: session.core.freshId(),
      parentId: session.getLeafId(),
      timestamp: now(),
      provider,
      modelId,
    });
  }

  appendCompaction(summary, firstKeptEntryId, tokensBefore, details, fromHook) {
    const session = this[SESSION];
    return session.append({
      type: "compaction",
      id: session.core.freshId(),
      parentId: session.getLeafId(),
      timestamp: now(),
      summary,
      firstKeptEntryId,
      tokensBefore,
      details,
      fromHook,
    });
  }

  appendCustomEntry(customType, data) {
    const session = this[SESSION];
    return session.append({
      type: "custom",
      customType,
      data,
      id: session.core.freshId(),
      parentId: session.getLeafId(),
      timestamp: now(),
    });
  }

  appendSessionInfo(name) {
    const oneLine = name.replace(/[\r\n]+/g, " ").trim();
    const session = this[SESSION];
    return session.append({
      type: "session_info",
      id: session.core.freshId(),
      parentId: session.getLeafId(),
      timestamp: now(),
      name: oneLine,
    });
  }

  appendCustomMessageEntry(customType, content, display, details) {
    const session = this[SESSION];
    return session.append({
      type: "custom_message",
      customType,
      content,
      display,
      details,
      id: session.core.freshId(),
      parentId: session.getLeafId(),
      timestamp: now(),
    });
  }

  appendLabelChange(targetId, label) {
    const session = this[SESSION];
    session.core.requireEntry(String(targetId));
    return session.append({
      type: "label",
      id: session.core.freshId(),
      parentId: session.getLeafId(),
      timestamp: now(),
      targetId,
      label,
    });
  }

  getSessionName() {
    return this[SESSION].getSessionName();
  }

  getLeafId() {
    return this[SESSION].getLeafId();
  }

  getLeafEntry() {
    const leaf = this[SESSION].getLeafId();
    return leaf ? this.getEntry(leaf) : undefined;
  }

  getEntry(id) {
    if (typeof id !== "string") return undefined;
    const { core, objects } = this[SESSION];
    const number = core.getEntry(id);
    return number === 0xffffffff ? undefined : objects.get(number);
  }

  getChildren(parentId) {
    const { core, objects } = this[SESSION];
    return objects.pick(core.getChildren(parentId ?? null, parentId === undefined));
  }

  getLabel(id) {
    const label = typeof id === "string" ? this[SESSION].core.getLabel(id) : null;
    return label === null ? undefined : JSON.parse(label);
  }

  getBranch(fromId) {
    const session = this[SESSION];
    if (given(fromId) === undefined) return session.getBranch();
    return typeof fromId === "string" ? session.objects.pick(session.core.getBranch(fromId)) : [];
  }

  buildSessionContext() {
    const session = this[SESSION];
    return applyPlan(session.contextPlan(), session.objects.list);
  }

  getHeader() {
    return this[SESSION].getHeader();
  }

  getEntries() {
    return this[SESSION].objects.all();
  }

  getTree() {
    const { core, objects } = this[SESSION];
    return buildTree(core, objects);
  }

  branch(branchFromId) {
    this[SESSION].setLeaf(String(branchFromId));
  }

  resetLeaf() {
    this[SESSION].setLeaf(null);
  }

  branchWithSummary(branchFromId, summary, details, fromHook) {
    const parentId = branchFromId === null ? null : String(branchFromId);
    const session = this[SESSION];
    const left = session.getLeafId();
    session.setLeaf(parentId);
    try {
      return session.append({
        type: "branch_summary",
        id: session.core.freshId(),
        parentId,
        timestamp: now(),
        fromId: left ?? "root",
        summary,
        details,
        fromHook,
      });
    } catch (error) {
      session.setLeaf(left);
      throw error;
    }
  }

  createBranchedSession(leafId) {
    const session = this[SESSION];
    session.createBranchedSession(leafId);
    return session.persist ? session.file : undefined;
  }
}

module.exports = { SessionManager };
