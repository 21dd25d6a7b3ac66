// Deliberate faults, each put into a private copy of the oracle. The differential test must notice
// every one: see detects.test.mjs.
import { readFileSync, writeFileSync } from "node:fs";
import { override } from "./around.mjs";

// --- ways to put a fault -------------------------------------------------------------------------

/** Replaces methods of the class; `make` gets the old ones. */
const method = (make) => (api) => override(api.SessionManager.prototype, make);

/** Changes what a method answers. */
const answer = (name, change) =>
  method((before) => ({
    [name](...args) {
      return change(before[name].apply(this, args), this);
    },
  }));

/** Changes a new entry before it is kept and written. */
const appended = (change) =>
  method((before) => ({
    _appendEntry(entry) {
      change(entry);
      return before._appendEntry.call(this, entry);
    },
  }));

/** Changes the JSON text of entries that are read from a file. */
const read = (change) =>
  method((before) => ({
    setSessionFile(file) {
      before.setSessionFile.call(this, file);
      this.fileEntries = this.fileEntries.map((entry) => {
        const text = JSON.stringify(entry);
        const changed = change(text);
        return changed === text || entry.type === "session" ? entry : JSON.parse(changed);
      });
      this._buildIndex();
    },
  }));

/** Changes the text of the session file after an append. */
const written = (change) =>
  method((before) => ({
    _persist(entry) {
      before._persist.call(this, entry);
      if (!this.flushed) return;
      const text = readFileSync(this.sessionFile, "utf8");
      const changed = change(text);
      if (changed !== text) writeFileSync(this.sessionFile, changed);
    },
  }));

/** Changes the error of `branch`. */
const branchError = (change) =>
  method((before) => ({
    branch(id) {
      try {
        before.branch.call(this, id);
      } catch (error) {
        throw change(error, id);
      }
    },
  }));

/** Does something before a branched session is made. */
const beforeBranching = (act) =>
  method((before) => ({
    createBranchedSession(id) {
      act(this);
      return before.createBranchedSession.call(this, id);
    },
  }));

/** Changes built contexts, those of the function and those of the method. */
const context = (change) => (api) => {
  const before = api.buildSessionContext;
  const build = (...args) => {
    const built = before(...args);
    change(built);
    return built;
  };
  api.buildSessionContext = build;
  method(() => ({
    buildSessionContext() {
      return build(this.getEntries(), this.leafId, this.byId);
    },
  }))(api);
};

/** Replaces functions of the module; `make` gets the module. */
const functions = (make) => (api) => Object.assign(api, make({ ...api }));

/** Replaces `list`. */
const listing = (make) => (api) => override(api.SessionManager, make);

const eachNode = (change) => (roots, manager) => {
  const stack = [...roots];
  while (stack.length > 0) {
    const node = stack.pop();
    change(node, manager);
    stack.push(...node.children);
  }
  return roots;
};

// --- the faults ------------------------------------------------------------------------------------

export const FAULTS = {
  "a lost label time": answer("getTree", eachNode((node) => { node.labelTimestamp = undefined; })),
  "the time of another label": answer("getTree", eachNode((node, { labelTimestampsById }) => {
    if (node.label) node.labelTimestamp = labelTimestampsById.values().next().value;
  })),
  "children not sorted": answer("getTree", eachNode((node) => node.children.reverse())),
  "children in another order": answer("getChildren", (children) => children.reverse()),
  "null for undefined": answer("getLeafEntry", (entry) => entry ?? null),
  "a copy instead of the same object": answer("getEntry", (entry) => entry && { ...entry }),
  "an array that is not fresh": answer("getEntries", (entries, manager) => {
    if (manager.kept?.length !== entries.length) manager.kept = entries;
    return manager.kept;
  }),
  "a name not trimmed": answer("getSessionName", (name, manager) =>
    name && manager.getEntries().findLast(({ type }) => type === "session_info").name),

  "a stale leaf after a label": method((before) => ({
    appendLabelChange(...args) {
      const leaf = this.leafId;
      const id = before.appendLabelChange.apply(this, args);
      this.leafId = leaf;
      return id;
    },
  })),
  "a moved leaf after a failed append": method((before) => ({
    branchWithSummary(id, ...rest) {
      try {
        return before.branchWithSummary.call(this, id, ...rest);
      } catch (error) {
        if (this.byId.has(id)) this.leafId = id;
        throw error;
      }
    },
  })),

  "a dropped undefined key": appended((entry) => {
    for (const key of ["details", "fromHook", "label"]) if (entry[key] === undefined) delete entry[key];
  }),
  "a copied message": appended((entry) => {
    if (entry.message) entry.message = { ...entry.message };
  }),
  "swapped keys": appended((entry) => {
    const { type, id } = entry;
    if (type === "custom") delete entry.id, (entry.id = id);
  }),

  "a lost surrogate": read((text) => text.replace(/\\ud[89a-f][0-9a-f]{2}/gi, "\ufffd")),
  "a rounded number": read((text) => text.replaceAll("0.00015999999999999999", "0.00016")),
  "a lost __proto__": read((text) => text.replaceAll('"__proto__":', '"_proto_":')),
  "a lost surrogate in the file": written((text) => text.replaceAll("\\ud800", "\\ufffd")),
  "a glued line": written((text) => text.replace(/\n(?=\{"type":"label".*\n$)/, "")),
  "a dropped damaged line": written((text) => text.replace(/^\{bad\r?\n/m, "")),
  "a doubled header": written((text) =>
    text.split("\n").length === 4 ? text.slice(0, text.indexOf("\n") + 1) + text : text),

  "labels in another order": beforeBranching((manager) => {
    manager.labelsById = new Map([...manager.labelsById].reverse());
  }),
  "a change that is not written": beforeBranching(({ fileEntries }) => {
    for (const { data } of fileEntries) if (data?.changed !== undefined) delete data.changed;
  }),

  "a wrong kept range": context(({ messages }) => {
    if (messages[0]?.role === "compactionSummary" && messages.length > 3) messages.splice(1, 1);
  }),
  "a provider of the model misread": context(({ model }) => {
    if (model?.provider === "é") model.provider = "e";
  }),

  "an error with a code": branchError((error) => Object.assign(error, { code: "GenericFailure" })),
  "another wording": branchError((error, id) => new Error(`entry ${id} not found`)),

  "an index off by one": functions(({ migrateSessionEntries }) => ({
    migrateSessionEntries(entries) {
      for (const entry of entries) if (entry.firstKeptEntryIndex > 0) entry.firstKeptEntryIndex++;
      return migrateSessionEntries(entries);
    },
  })),
  "not the newest session": functions(({ findMostRecentSession }) => ({
    findMostRecentSession: (dir) => findMostRecentSession(dir)?.replace("f1", "f0") ?? null,
  })),
  "a count too low": listing((before) => ({
    async list(...args) {
      const infos = await before.list(...args);
      for (const info of infos) if (info.messageCount > 4) info.messageCount--;
      return infos;
    },
  })),
  "one progress call too few": listing((before) => ({
    list: (cwd, dir, progress) =>
      before.list(cwd, dir, progress && ((loaded, total) => loaded < total && progress(loaded, total))),
  })),
};
