// Carries out one call of a program. `state` holds the module, its manager and what the program
// knows so far; see run.mjs.
import { join } from "node:path";
import { LOOSE } from "./exclusions.mjs";
import { idsIn, linesOf, recordsOf } from "./naive.mjs";
import { realize, toBytes } from "./spec.mjs";

/** Where a file of a program lies, relative to the run's directory. */
export const PLACES = ["s0", "s1", "agent/sessions/--w--", "agent/sessions/--q-b-c--"];

const UNKNOWN = "unknown0";

/** The value a call gives back, or its error. */
export function perform(state, call) {
  if (OPEN[call.op]) return OPEN[call.op](state, call);
  if (MODULE[call.op]) return MODULE[call.op](state, call);
  if (!state.manager) return "no manager";
  return INSTANCE[call.op](state, call, state.manager);
}

// --- what a program names by position -------------------------------------------------------------

function path(state, { file, name, own }) {
  if (own) return state.manager?.getSessionFile() ?? join(state.root, "s0", "none.jsonl");
  return name ? join(state.root, "s0", name) : state.paths[file % state.paths.length];
}

const dir = (state, choice) => (choice === undefined || choice.none ? undefined : join(state.root, PLACES[choice.place]));

/** Ids of the current session, oldest first, without asking the manager where the files tell. */
function known(state) {
  state.known ??= state.manager.getEntries().map((entry) => entry.id).filter((each) => typeof each === "string");
  return state.known;
}

function id(state, choice) {
  if (choice === undefined) return undefined;
  if (choice.leaf) return state.manager.getLeafId() ?? UNKNOWN;
  if ("raw" in choice) return realize(choice.raw);
  const list = known(state);
  return list.length === 0 ? UNKNOWN : list[list.length - 1 - (choice.back % list.length)];
}

/** A value of the call that the manager may keep: numbered before it is handed over. */
function argument(state, spec) {
  const value = realize(spec);
  state.describe.meet(value);
  return value;
}

// --- opening ----------------------------------------------------------------------------------------

function opened(state, manager, ids) {
  state.manager = manager;
  state.known = ids;
  return [manager instanceof state.api.SessionManager, ...INSTANCE.place(state, {}, manager)];
}

const OPEN = {
  open(state, { at, dir: choice, cwd }) {
    const file = path(state, at);
    const ids = idsIn(file);
    return opened(state, state.api.SessionManager.open(file, dir(state, choice), cwd), ids);
  },
  reopen: (state, call) => OPEN.open(state, { ...call, at: { own: true } }),
  create: (state, { cwd, dir: choice }) => opened(state, state.api.SessionManager.create(cwd, dir(state, choice)), []),
  inMemory: (state, { cwd }) => opened(state, state.api.SessionManager.inMemory(cwd), []),
  continueRecent: (state, { cwd, dir: choice }) =>
    opened(state, state.api.SessionManager.continueRecent(cwd, dir(state, choice))),
  forkFrom(state, { at, cwd, dir: choice }) {
    const file = path(state, at);
    const ids = idsIn(file);
    return opened(state, state.api.SessionManager.forkFrom(file, cwd, dir(state, choice)), ids);
  },
};

// --- methods ----------------------------------------------------------------------------------------

const calls = (name) => (state, call, manager) => manager[name]();
/** Calls the method the call is named after, and notes the id of the new entry. */
const appends = (args) => (state, call, manager) => {
  const made = manager[call.op](...args(state, call));
  state.known?.push(made);
  return made;
};
const asks = (name) => (state, call, manager) => manager[name](id(state, call.id));

const INSTANCE = {
  place: (state, call, manager) => [
    manager.getHeader(), manager.getCwd(), manager.getSessionDir(), manager.getSessionId(),
    manager.getSessionFile(), manager.isPersisted(), manager.getLeafId(),
  ],
  appendMessage: appends((state, { message }) => [argument(state, message)]),
  appendThinkingLevelChange: appends((state, { level }) => [level]),
  appendModelChange: appends((state, { provider, modelId }) => [realize(provider), realize(modelId)]),
  appendCompaction: appends((state, { summary, id: kept, tokens, details, fromHook }) => [
    realize(summary), id(state, kept), tokens, argument(state, details), realize(fromHook),
  ]),
  appendCustomEntry: appends((state, { data }) => ["ext", argument(state, data)]),
  appendSessionInfo: appends((state, { name }) => [realize(name)]),
  appendCustomMessageEntry: appends((state, { content, display, details }) => [
    "ext", argument(state, content), display, argument(state, details),
  ]),
  appendLabelChange: appends((state, { id: target, label }) => [id(state, target), realize(label)]),
  branch: asks("branch"),
  branchWithSummary: appends((state, { id: target, summary, details, fromHook }) => [
    id(state, target), realize(summary), argument(state, details), fromHook,
  ]),
  resetLeaf: calls("resetLeaf"),
  createBranchedSession: asks("createBranchedSession"),
  newSession(state, call, manager) {
    // An id of its own for each call: two sessions made in one millisecond would share a file.
    const options = call.options?.id === "my-id.1" ? { ...call.options, id: `my-id.${state.at}` } : call.options;
    const file = manager.newSession(argument(state, options));
    state.known = [];
    return [file, manager.getHeader()];
  },
  setSessionFile(state, call, manager) {
    const file = path(state, call.at);
    const ids = idsIn(file);
    const answer = manager.setSessionFile(file);
    state.known = ids;
    return [answer, ...INSTANCE.place(state, {}, manager)];
  },
  mutate(state, call, manager) {
    if (call.header) manager.getHeader().extra = state.at;
    else change(manager.getEntry(id(state, call.id)), state.at);
  },
  getBranch: asks("getBranch"),
  getEntry: asks("getEntry"),
  getChildren: asks("getChildren"),
  getLabel: asks("getLabel"),
  survey: (state, call, manager) => ({
    entries: known(state)
      .slice(-12)
      .map((each) => [manager.getEntry(each), manager.getChildren(each), manager.getLabel(each)]),
    roots: manager.getChildren(null),
    branch: manager.getBranch(),
    leaf: manager.getLeafEntry(),
  }),
  getEntries: calls("getEntries"),
  getTree: calls("getTree"),
  buildSessionContext: calls("buildSessionContext"),
  getLeafEntry: calls("getLeafEntry"),
  getHeader: calls("getHeader"),
  getSessionName: calls("getSessionName"),
};

/** Changes what an extension may change in an entry it got: data, content, details, more fields. */
function change(entry, mark) {
  if (entry === undefined) return;
  const part = entry.message ?? entry.data ?? entry.details;
  if (Array.isArray(part?.content)) part.content.push({ type: "text", text: `changed ${mark}` });
  else if (part !== null && typeof part === "object" && !Array.isArray(part)) part.changed = mark;
  else entry.changed = mark;
}

// --- functions of the module, and listing -----------------------------------------------------------

/** The caller's own array of a file's records; the same objects at every call of a program. */
function ownArray(state, { from, header = false }) {
  if (from.own) return state.manager?.getEntries() ?? [];
  state.arrays ??= new Map();
  const key = from.file % state.paths.length;
  if (!state.arrays.has(key)) state.arrays.set(key, fileRecords(state, key));
  const all = state.arrays.get(key);
  return header ? all : all.filter(({ type }) => type !== "session");
}

const fileText = (state, index) => toBytes(state.program.files[index % state.paths.length].lines.join("")).toString("utf8");
const fileRecords = (state, index) => recordsOf(linesOf(fileText(state, index)));

function contextOf(state, call) {
  const entries = ownArray(state, call);
  state.describe.meet(entries);
  const { leaf } = call;
  const fromEnd = leaf?.at === undefined ? undefined : entries.at(-1 - (leaf.at % (entries.length || 1)));
  const leafId = fromEnd ? fromEnd.id : leaf?.raw;
  if (call.byId === undefined) return state.api.buildSessionContext(entries, leafId);
  const indexed = call.byId === "other" && call.from.file !== undefined ? fileRecords(state, call.from.file) : entries;
  const kept = call.byId === "part" ? indexed.filter((_, index) => index % 3 !== 1) : indexed;
  return state.api.buildSessionContext(entries, leafId, new Map(kept.map((entry) => [entry.id, entry])));
}

/** Sessions and progress of a listing. */
async function listed(state, call, ask) {
  const progress = [];
  const sessions = await ask(call.progress ? (loaded, total) => progress.push([loaded, total]) : undefined);
  // A message time such as 1e308 makes `modified` an invalid date, which has no place in an order.
  const times = sessions.filter((info) => !info[LOOSE]).map(({ modified }) => modified?.getTime());
  const sorted = times.some(Number.isNaN) || times.every((time, index) => index === 0 || times[index - 1] >= time);
  const name = ({ path: file }) => state.rename.text(file);
  const loose = state.loose.get(state.at) ?? new Set(sessions.filter((info) => info[LOOSE]).map(name));
  state.loose.set(state.at, loose);
  const infos = sessions.map((info) => (loose.has(name(info)) ? { path: info.path } : info));
  return { sorted, progress, sessions: infos.sort((a, b) => (name(a) < name(b) ? -1 : 1)) };
}

const MODULE = {
  list: (state, call) =>
    listed(state, call, (progress) => state.api.SessionManager.list(call.cwd, dir(state, call.dir), progress)),
  listAll: (state, call) => listed(state, call, (progress) => state.api.SessionManager.listAll(progress)),
  parseSessionEntries: (state, { text, file }) => state.api.parseSessionEntries(text ?? fileText(state, file)),
  migrateSessionEntries(state, call) {
    const entries = ownArray(state, call);
    state.describe.meet(entries);
    return { answer: state.api.migrateSessionEntries(entries), entries: [...entries] };
  },
  getLatestCompactionEntry(state, call) {
    const entries = ownArray(state, call);
    state.describe.meet(entries);
    return state.api.getLatestCompactionEntry(entries);
  },
  contextOf,
  getDefaultSessionDir: (state, { cwd }) => state.api.getDefaultSessionDir(cwd),
  loadEntriesFromFile: (state, call) => state.api.loadEntriesFromFile(path(state, call.at)),
  findMostRecentSession: (state, { place }) =>
    state.api.findMostRecentSession(join(state.root, PLACES[place] ?? "nowhere")),
};
