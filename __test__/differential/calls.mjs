// Random programs: some files and a sequence of calls, as plain data (perform.mjs carries them out).
// Ids and files are named by position, so that both sides of a comparison mean the same one.
import fc from "fast-check";
import { sessionFile } from "./files.mjs";
import { argument, jsonSpec, message, mostly, pick, record, textSpec, weighted } from "./values.mjs";
import { print, special } from "./spec.mjs";

const op = (name, fields = {}, optional = []) => record({ op: fc.constant(name), ...fields }, optional);

const last = fc.nat({ max: 9 }).map((n) => ({ back: n }));
/** An id: of an entry counted from the newest, of the leaf, or of none. */
const id = fc.oneof(
  weighted(12, last),
  weighted(2, fc.constant({ leaf: true })),
  weighted(1, pick({ raw: "unknown0" }, { raw: "" }, { raw: "constructor" }, { raw: "\ud800" })),
);
/** As `id`, for calls that take no id, or none that exists, without complaint. */
const idOrNone = mostly(id, pick({ raw: special("undefined") }, { raw: null }), 8);

const cwd = pick("/w", "/w", "/q/b-c", "/q-b/c", "/");
const dir = mostly(pick({ place: 0 }, { place: 0 }, { place: 1 }, { none: true }), fc.constant({ none: true }), 3);
const at = fc.oneof(
  weighted(12, fc.nat({ max: 3 }).map((n) => ({ file: n }))),
  weighted(3, pick({ name: "new.jsonl" }, { own: true })),
);

const openings = [
  weighted(12, op("open", { at, dir, cwd }, ["dir", "cwd"])),
  weighted(3, op("create", { cwd, dir })),
  weighted(3, op("continueRecent", { cwd, dir })),
  weighted(3, op("inMemory", { cwd }, ["cwd"])),
  weighted(3, op("forkFrom", { at, cwd, dir })),
];
const opening = fc.oneof(...openings);

const none = special("undefined");
const details = mostly(argument, fc.constant(none), 3);
/** Data that cannot be stored. */
const refusedData = pick("throwing", "bigint", "cyclic").map((name) => special(name));
const orRefused = (usual) => fc.oneof(weighted(12, usual), weighted(1, refusedData));
const said = message(textSpec, argument, false);
const aName = fc.oneof(weighted(10, textSpec), weighted(1, pick(" two\r\n\nlines ", "a\rb", none, 5)));
const compaction = { summary: textSpec, id, tokens: pick(1, 50000, 1e21), details, fromHook: pick(true, false, none) };
const extension = {
  content: mostly(fc.oneof(textSpec, jsonSpec), fc.constant(null), 15),
  display: fc.boolean(),
  details,
};
const summary = {
  id: mostly(id, fc.constant({ raw: null }), 5),
  summary: textSpec,
  details: orRefused(details),
  fromHook: fc.boolean(),
};

const appends = [
  weighted(26, op("appendMessage", { message: said })),
  weighted(3, op("appendThinkingLevelChange", { level: pick("off", "high", "") })),
  weighted(3, op("appendModelChange", { provider: textSpec, modelId: textSpec })),
  weighted(6, op("appendCompaction", compaction, ["details", "fromHook"])),
  weighted(6, op("appendCustomEntry", { data: orRefused(argument) }, ["data"])),
  weighted(4, op("appendSessionInfo", { name: aName })),
  weighted(4, op("appendCustomMessageEntry", extension, ["details"])),
  weighted(7, op("appendLabelChange", { id, label: mostly(textSpec, pick("", none), 3) })),
];

const newOptions = fc.oneof(
  pick({}, { id: "my-id.1" }, { parentSession: "/p/q.jsonl" }),
  pick({ id: "" }, { id: "../x" }, { id: "a_" }, { id: none, parentSession: none }, { id: null }),
);
const moves = [
  weighted(6, op("branch", { id })),
  weighted(4, op("branchWithSummary", summary, ["details", "fromHook"])),
  weighted(2, op("resetLeaf")),
  weighted(4, op("createBranchedSession", { id })),
  weighted(2, op("newSession", { options: newOptions }, ["options"])),
  weighted(2, op("setSessionFile", { at })),
  weighted(4, op("reopen")),
  weighted(3, op("mutate", { id, header: fc.boolean() }, ["header"])),
];

const reads = [
  ...["getEntries", "getTree", "buildSessionContext"].map((name) => weighted(7, op(name))),
  ...["getLeafEntry", "getHeader", "place", "survey"].map((name) => weighted(2, op(name))),
  weighted(8, op("getSessionName")),
  weighted(7, op("getBranch", { id: idOrNone }, ["id"])),
  ...["getEntry", "getChildren", "getLabel"].map((name) => weighted(5, op(name, { id: idOrNone }))),
  weighted(3, op("list", { cwd, dir, progress: fc.boolean() })),
  weighted(2, op("listAll", { progress: fc.boolean() })),
];

const jsonLines = mostly(
  fc.array(jsonSpec.map((spec) => print(spec)), { maxLength: 4 }).map((lines) => lines.join("\n")),
  pick(" \n\n{bad\n5\r\nnull\n[1]", "\ufeff5", ""),
  4,
);
const ofFile = fc.nat({ max: 3 }).map((file) => ({ file }));
const ofAny = fc.oneof(ofFile, fc.constant({ own: true }));
const context = {
  from: ofAny,
  header: fc.boolean(),
  leaf: pick({ at: 0 }, { at: 1 }, { at: 3 }, { raw: null }, { raw: "" }, { raw: "unknown0" }),
  byId: pick("own", "part", "other"),
};
const functions = [
  weighted(2, op("parseSessionEntries", { file: fc.nat({ max: 3 }), text: jsonLines }, ["text"])),
  weighted(2, op("migrateSessionEntries", { from: ofFile, header: fc.boolean() })),
  weighted(2, op("getLatestCompactionEntry", { from: ofAny })),
  weighted(5, op("contextOf", context, ["leaf", "byId"])),
  weighted(1, op("getDefaultSessionDir", { cwd: pick("/w", "/a:b\\c", "/C:\\x", "/é", "/n/e/w") })),
  weighted(2, op("loadEntriesFromFile", { at })),
  weighted(2, op("findMostRecentSession", { place: fc.nat({ max: 4 }) })),
];

/** The same choices with weights that sum up to about `total`. */
function weigh(choices, total) {
  const sum = choices.reduce((all, { weight }) => all + weight, 0);
  return choices.map(({ arbitrary, weight }) => weighted(Math.max(1, Math.round((weight * total * 10) / sum)), arbitrary));
}

const call = fc.oneof(
  ...weigh(appends, 60), ...weigh(moves, 24), ...weigh(reads, 50), ...weigh(functions, 14), ...weigh(openings, 6),
);

/** Calls that belong together and rarely meet by chance: what a branched session takes along. */
const branchOff = { op: "createBranchedSession", id: { leaf: true } };
const aLabel = op("appendLabelChange", { id, label: pick("one", "two", "three") });
const aMessage = op("appendMessage", { message: said });
const labelled = fc
  .tuple(fc.array(aLabel, { minLength: 2, maxLength: 3 }), fc.array(aMessage, { maxLength: 1 }))
  .map(([labels, more]) => [...labels, ...more, branchOff, { op: "getTree" }]);
const changed = argument.map((data) => [
  { op: "appendCustomEntry", data }, { op: "mutate", id: { back: 0 } }, branchOff, { op: "reopen" }, { op: "getEntries" },
]);
const left = fc
  .tuple(op("mutate", { id }), opening)
  .map(([mutate, open]) => [mutate, branchOff, { op: "buildSessionContext" }, open]);
const step = fc.oneof(weighted(20, call.map((one) => [one])), weighted(1, fc.oneof(labelled, changed, left)));

const file = record({
  place: mostly(pick(0), pick(1, 2, 3), 3),
  lines: sessionFile,
  suffix: mostly(fc.constant(".jsonl"), fc.constant(".json"), 20),
});
const named = ({ place, lines, suffix }, index) => ({ place, name: `f${index}${suffix}`, lines });
const steps = fc.array(step, { minLength: 1, maxLength: 24, size: "max" });

/** `{ files, calls }`: see `run`. */
export const program = record({
  files: fc.array(file, { minLength: 1, maxLength: 3 }),
  calls: fc.tuple(opening, steps).map(([first, rest]) => [first, ...rest.flat(), { op: "survey" }]),
}).map(({ files, calls }) => ({ files: files.map(named), calls }));
