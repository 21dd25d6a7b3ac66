// What kind of class it is, and where it answers undefined and where null. Each claim holds for the
// reference and for ours.
import assert from "node:assert/strict";
import { join } from "node:path";
import { inBoth } from "./support/both.mjs";
import { A, H, L, U, assistant, user } from "./support/entries.mjs";
import { session, writeSession } from "./support/files.mjs";
import { agentDir, tempDir } from "./support/temp.mjs";

const statics = ["create", "open", "continueRecent", "inMemory", "forkFrom", "list", "listAll"];
const methods = [
  "newSession", "setSessionFile", "createBranchedSession", "appendMessage", "appendThinkingLevelChange", "appendModelChange",
  "appendCompaction", "appendCustomEntry", "appendSessionInfo", "appendCustomMessageEntry", "appendLabelChange", "getLeafId",
  "getLeafEntry", "getEntry", "getBranch", "getTree", "getChildren", "getLabel", "branch", "resetLeaf", "branchWithSummary",
  "buildSessionContext", "getEntries", "getHeader", "getSessionName", "getCwd", "getSessionDir", "getSessionId",
  "getSessionFile", "isPersisted",
];
const opened = ({ SessionManager }, t) => SessionManager.open(session(t, H(), U("u1"), A("a1", "u1")));

inBoth("every published method is an ordinary method of that name, not enumerable", ({ SessionManager }) => {
  for (const [owner, names] of [[SessionManager, statics], [SessionManager.prototype, methods]]) {
    for (const name of names) {
      const { value, enumerable, writable, configurable } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
      assert.equal(typeof value, "function", name);
      assert.equal(value.name, name);
      assert.deepEqual([enumerable, writable, configurable], [false, true, true], name);
    }
  }
  assert.deepEqual(Object.keys(SessionManager), []);
  assert.deepEqual(Object.keys(SessionManager.prototype), []);
});

inBoth("for…in over a manager meets no published method", ({ SessionManager }) => {
  const met = [];
  for (const key in SessionManager.inMemory("/w")) met.push(key);
  assert.deepEqual(met.filter((key) => methods.includes(key)), []);
});

inBoth("the class is called SessionManager and needs new", ({ SessionManager }) => {
  assert.equal(SessionManager.name, "SessionManager");
  assert.throws(() => SessionManager("/w", "", undefined, false), TypeError);
});

inBoth("statics work unbound", async ({ SessionManager }, t) => {
  agentDir(t);
  const { create, open, continueRecent, inMemory, forkFrom, list, listAll } = SessionManager;
  const dir = tempDir(t);
  const path = writeSession(join(dir, "s.jsonl"), H(), U("u1"), A("a1", "u1"));
  assert.ok(create("/w", tempDir(t)) instanceof SessionManager);
  assert.equal(open(path).getSessionId(), "h1");
  assert.equal(continueRecent("/w", dir).getSessionId(), "h1");
  assert.ok(inMemory() instanceof SessionManager);
  assert.equal(forkFrom(path, "/x", tempDir(t)).getEntries().length, 2);
  assert.equal((await list("/w", dir)).length, 1);
  assert.deepEqual(await listAll(), []);
});

inBoth("only list and listAll answer with promises", (module, t) => {
  agentDir(t);
  const manager = opened(module, t);
  const { SessionManager } = module;
  const isPromise = (value) => value instanceof Promise;
  assert.ok(isPromise(SessionManager.list("/w", tempDir(t))));
  assert.ok(isPromise(SessionManager.listAll()));
  const args = {
    appendSessionInfo: ["n"], appendLabelChange: ["u1", "l"], branch: ["u1"], branchWithSummary: ["u1", "s"],
    createBranchedSession: ["u1"], setSessionFile: [session(t, H(), U("u1"))], appendMessage: [user()],
  };
  for (const name of methods) assert.ok(!isPromise(manager[name](...(args[name] ?? []))), name);
});

inBoth("a subclass calls the constructor with cwd, directory, file and persistence", ({ SessionManager }, t) => {
  class Mine extends SessionManager {
    constructor(cwd, sessionDir, sessionFile, persist) {
      super(cwd, sessionDir, sessionFile, persist);
      this.mine = true;
    }
  }
  const dir = join(tempDir(t), "made");
  const fresh = new Mine("/w", dir, undefined, true);
  assert.ok(fresh instanceof Mine && fresh instanceof SessionManager);
  assert.deepEqual([fresh.getCwd(), fresh.getSessionDir(), fresh.isPersisted()], ["/w", dir, true]);
  assert.ok(fresh.getSessionFile().startsWith(dir));
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  const read = new Mine("/other", dir, path, true);
  assert.deepEqual([read.getSessionId(), read.getCwd(), read.getSessionFile(), read.mine], ["h1", "/other", path, true]);
  const memory = new Mine("/w", "", undefined, false);
  memory.appendMessage(user());
  assert.deepEqual([memory.isPersisted(), memory.getSessionFile(), memory.getEntries().length], [false, undefined, 1]);
});

inBoth("statics of a subclass make plain managers", ({ SessionManager }) => {
  class Mine extends SessionManager {}
  const manager = Mine.inMemory("/w");
  assert.equal(Object.getPrototypeOf(manager), SessionManager.prototype);
});

inBoth("a method overridden in a subclass is seen by callers, and super reaches ours", ({ SessionManager }) => {
  class Loud extends SessionManager {
    appendMessage(message) {
      return super.appendMessage({ ...message, loud: true });
    }
    getSessionName() {
      return "loud";
    }
  }
  const manager = new Loud("/w", "", undefined, false);
  assert.equal(manager.getEntry(manager.appendMessage(user())).message.loud, true);
  assert.equal(manager.getSessionName(), "loud");
});

inBoth("a method replaced on an instance is seen by callers until it is deleted", (module, t) => {
  const manager = opened(module, t);
  const other = opened(module, t);
  const original = manager.getEntries;
  manager.getEntries = function () {
    return original.call(this).slice(1);
  };
  assert.equal(manager.getEntries().length, 1);
  assert.equal(other.getEntries().length, 2);
  delete manager.getEntries;
  assert.equal(manager.getEntries().length, 2);
});

inBoth("a manager takes properties of its user", (module, t) => {
  const manager = opened(module, t);
  manager.tag = { a: 1 };
  assert.deepEqual(manager.tag, { a: 1 });
  assert.ok(Object.isExtensible(manager));
});

inBoth("a manager behind a proxy works", (module, t) => {
  const manager = opened(module, t);
  const proxy = new Proxy(manager, {});
  assert.ok(proxy instanceof module.SessionManager);
  assert.equal(proxy.getEntries().length, 2);
  const id = proxy.appendMessage(user());
  assert.equal(proxy.getLeafId(), id);
  assert.equal(manager.getLeafId(), id);
  proxy.branch("u1");
  assert.equal(manager.getLeafId(), "u1");
  assert.equal(proxy.buildSessionContext().messages.length, 1);
});

inBoth("an object made from a manager reads and appends", (module, t) => {
  const manager = opened(module, t);
  const derived = Object.create(manager);
  assert.deepEqual(derived.getEntries(), manager.getEntries());
  assert.equal(derived.getCwd(), "/w");
  assert.equal(derived.buildSessionContext().messages.length, 2);
  const id = derived.appendMessage(user());
  assert.equal(derived.getLeafId(), id);
  assert.equal(manager.getEntry(id), derived.getEntry(id));
});

inBoth("methods need a manager as this", ({ SessionManager }) => {
  const { getEntries, appendMessage } = SessionManager.prototype;
  assert.throws(() => getEntries.call({}));
  assert.throws(() => getEntries());
  assert.throws(() => appendMessage.call(undefined, user()));
});

inBoth("absent things are undefined here", ({ SessionManager }) => {
  const manager = SessionManager.inMemory("/w");
  const answers = {
    file: manager.getSessionFile(),
    name: manager.getSessionName(),
    leafEntry: manager.getLeafEntry(),
    entry: manager.getEntry("nope"),
    label: manager.getLabel("nope"),
    newSession: manager.newSession(),
    resetLeaf: manager.resetLeaf(),
    branch: manager.branch(manager.appendMessage(user())),
    branched: manager.createBranchedSession(manager.getLeafId()),
  };
  for (const [name, answer] of Object.entries(answers)) assert.equal(answer, undefined, name);
});

inBoth("absent things are null there", ({ SessionManager, findMostRecentSession, getLatestCompactionEntry }, t) => {
  const manager = SessionManager.inMemory("/w");
  assert.equal(manager.getLeafId(), null);
  assert.equal(manager.buildSessionContext().model, null);
  assert.equal(findMostRecentSession(tempDir(t)), null);
  assert.equal(getLatestCompactionEntry([]), null);
  assert.equal(manager.getEntry(manager.appendMessage(user())).parentId, null);
});

inBoth("own keys that hold undefined are there", ({ SessionManager }) => {
  const manager = SessionManager.inMemory("/w");
  const first = manager.appendMessage(assistant());
  const keys = (id) => Object.entries(manager.getEntry(id)).filter(([, value]) => value === undefined).map(([key]) => key);
  assert.ok(Object.hasOwn(manager.getHeader(), "parentSession"));
  assert.deepEqual(keys(manager.appendCompaction("s", "k", 1)), ["details", "fromHook"]);
  assert.deepEqual(keys(manager.appendCustomMessageEntry("e", "c", true)), ["details"]);
  assert.deepEqual(keys(manager.appendCustomEntry("e")), ["data"]);
  assert.deepEqual(keys(manager.branchWithSummary(first, "s")), ["details", "fromHook"]);
  assert.deepEqual(keys(manager.appendLabelChange(first, undefined)), ["label"]);
  assert.deepEqual(Object.keys(manager.getTree()[0]), ["entry", "children", "label", "labelTimestamp"]);
});

inBoth("keys that are absent from a file are absent from what is read", ({ SessionManager }, t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), L("l1", "u1", "u1")));
  assert.ok(!Object.hasOwn(manager.getHeader(), "parentSession"));
  assert.ok(!Object.hasOwn(manager.getEntry("l1"), "label"));
});

inBoth("a session info has each of its keys, in order", async ({ SessionManager }, t) => {
  const dir = tempDir(t);
  writeSession(join(dir, "s.jsonl"), H(), U("u1"));
  const [info] = await SessionManager.list("/w", dir);
  assert.deepEqual(Object.keys(info), [
    "path", "id", "cwd", "name", "parentSessionPath", "created", "modified", "messageCount", "firstMessage", "allMessagesText",
  ]);
  assert.ok(info.created instanceof Date && info.modified instanceof Date);
});
