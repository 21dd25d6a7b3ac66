// Calls every method and function with arguments of every wrong kind. After each call the manager
// must still work. Prints what did not, and how many calls there were.
import { join } from "node:path";
import * as all from "../../../index.js";
import { A, H, U, user } from "../entries.mjs";
import { writeSession } from "../files.mjs";
import { PATIENCE } from "../patience.mjs";
import { consistent } from "./consistent.mjs";

const { SessionManager } = all;
const thrown = new Error("thrown by the argument");
const throwing = () => {
  throw thrown;
};
const every = Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((trap) => [trap, throwing]));
const huge = "x".repeat(1 << 17);

/** Made anew for each call, since some of them change what they get. */
const wrong = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  NaN: () => NaN,
  Infinity: () => Infinity,
  "1e308": () => 1e308,
  "-1": () => -1,
  "2 ** 32": () => 2 ** 32,
  "0xffffffff": () => 0xffffffff,
  '""': () => "",
  "a huge string": () => huge,
  "a NUL": () => "a\0b",
  "a lone surrogate": () => "\ud800",
  "a path upwards": () => "../../x",
  Symbol: () => Symbol("s"),
  BigInt: () => 10n ** 30n,
  "{}": () => ({}),
  "[]": () => [],
  "an array of holes": () => new Array(5),
  "a function": () => () => "x",
  "a class": () => class {},
  Date: () => new Date(NaN),
  Map: () => new Map([[1, 2]]),
  Buffer: () => Buffer.alloc(10),
  "no prototype": () => Object.create(null),
  "a cycle": () => {
    const cycle = {};
    return (cycle.cycle = cycle);
  },
  "toString that throws": () => ({ toString: throwing, valueOf: throwing, toJSON: throwing, [Symbol.toPrimitive]: throwing }),
  "a getter that throws": () => Object.defineProperty({}, "role", { get: throwing, enumerable: true }),
  "every name a getter that throws": () => new Proxy({}, { get: throwing }),
  "a Proxy that throws": () => new Proxy(function () {}, every),
  "a revoked Proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
};

/** Good arguments of each, one of which is then a wrong one. */
const methods = {
  setSessionFile: [join(process.cwd(), "other.jsonl")], newSession: [{}], appendMessage: [user()],
  appendThinkingLevelChange: ["high"], appendModelChange: ["p", "m"], appendCompaction: ["s", "u1", 1, {}, true],
  appendCustomEntry: ["e", {}], appendSessionInfo: ["name"], appendCustomMessageEntry: ["e", "c", true, {}],
  appendLabelChange: ["u1", "x"], getEntry: ["u1"], getChildren: ["u1"], getLabel: ["u1"], getBranch: ["a1"], branch: ["u1"],
  branchWithSummary: ["u1", "s", {}, true], createBranchedSession: ["a1"], setDurability: ["none"], refresh: [undefined],
  getDiagnostics: [undefined], getEntries: [undefined], getTree: [undefined], resetLeaf: [undefined], getLeafEntry: [undefined],
  getLeafId: [undefined], buildSessionContext: [undefined], getHeader: [undefined], getSessionName: [undefined],
  getCwd: [undefined], getSessionDir: [undefined], getSessionId: [undefined], getSessionFile: [undefined], isPersisted: [undefined],
};
const statics = {
  create: ["/w", "dir"], open: ["other.jsonl", "dir", "/w"], continueRecent: ["/w", "dir"], inMemory: ["/w"],
  forkFrom: ["s.jsonl", "/w", "dir"], list: ["/w", "dir", () => {}], listAll: [() => {}], verify: ["s.jsonl"], repair: ["s.jsonl"],
};
const functions = {
  configure: [{}], migrateSessionEntries: [[H(), U("u1")]], parseSessionEntries: ["{}"], getLatestCompactionEntry: [[U("u1")]],
  buildSessionContext: [[U("u1")], "u1", new Map()], getDefaultSessionDir: ["/w", "agent"], loadEntriesFromFile: ["s.jsonl"],
  findMostRecentSession: ["dir"],
};
const members = {
  configure: ["appName", "configDir", "agentDir", "durability"], newSession: ["id", "parentSession"],
  migrateSessionEntries: [0], buildSessionContext: [0], getLatestCompactionEntry: [0],
};

const failures = [];
let calls = 0;
let manager;
const fresh = () => SessionManager.open(writeSession(join(process.cwd(), "s.jsonl"), H(), U("u1"), A("a1", "u1")));

async function tried(what, act) {
  calls++;
  const started = performance.now();
  try {
    await act();
  } catch {
    // What it throws is its own affair. That it throws, and does not abort, is the claim.
  }
  if (performance.now() - started > PATIENCE) failures.push(`${what}: took ${performance.now() - started} ms`);
  all.configure();
  try {
    // A path of its own is what the caller asked for, even one where nothing can be.
    if (!what.startsWith("setSessionFile")) consistent(manager);
    if (manager.getEntries().length > 20 || what.includes("huge")) manager = fresh();
  } catch (error) {
    failures.push(`${what}: ${error.message.slice(0, 300)}`);
    manager = fresh();
  }
}

/** `call` with each of `good` exchanged for each wrong value, and with all of them exchanged. */
async function matrix(name, call, good) {
  manager = fresh();
  for (const [kind, make] of Object.entries(wrong)) {
    for (let at = 0; at < good.length; at++) {
      await tried(`${name}, argument ${at}: ${kind}`, () => call(good.map((value, n) => (n === at ? make() : value))));
    }
    await tried(`${name}, all arguments: ${kind}`, () => call(good.map(make)));
    for (const member of Object.hasOwn(members, name) ? members[name] : []) {
      const holder = typeof member === "string" ? {} : [];
      await tried(`${name}, ${member}: ${kind}`, () => call([Object.assign(holder, { [member]: make() }), ...good.slice(1)]));
    }
    if (name.startsWith("setSessionFile")) manager = fresh();
  }
}

for (const [name, good] of Object.entries(methods)) await matrix(name, (args) => manager[name](...args), good);
for (const [name, good] of Object.entries(statics)) await matrix(name, (args) => SessionManager[name](...args), good);
for (const [name, good] of Object.entries(functions)) await matrix(name, (args) => all[name](...args), good);
await matrix("constructor", (args) => new SessionManager(...args), ["/w", "dir", undefined, true]);

// Without a manager as `this`.
manager = fresh();
for (const name of [...Object.keys(methods), "constructor"]) {
  for (const [kind, make] of Object.entries(wrong)) await tried(`${name} on ${kind}`, () => SessionManager.prototype[name].call(make(), ...(Object.hasOwn(methods, name) ? methods[name] : [])));
}

const missing = Object.getOwnPropertyNames(SessionManager.prototype).filter((name) => name !== "constructor" && !(name in methods));
process.stdout.write(JSON.stringify({ calls, failures, missing: [...missing, ...Object.keys(all).filter((name) => typeof all[name] === "function" && !(name in functions) && !["SessionManager", "default"].includes(name))] }));
