// Random session files. An arbitrary chooses; `lay` turns the choices into the lines of a file, so
// that what fast-check prints is the file itself.
import fc from "fast-check";
import {
  fileJson, fileText, HEX_IDS, idLiteral, jsonSpec, message, mostly, numberSpec, pick, record, SESSION_UUIDS, textSpec,
  weighted,
} from "./values.mjs";
import { literal, numeral, pairs, print } from "./spec.mjs";

const START = Date.parse("2024-06-01T12:00:00.000Z");
const isoAt = (second) => new Date(START + second * 1000).toISOString();

const oddTime = pick(
  "2024-06-01", "2024-06-01T14:00:05+02:00", "2024-06-01T12:00:03", "Sat, 01 Jun 2024 12:00:02 GMT",
  "2024/06/01 12:00:01", "garbage", "", 1717243200000, null,
);
/** A time of an entry: later than the one before (null), equal to it, earlier, odd, or missing. */
const time = mostly(
  fc.oneof(weighted(5, fc.constant(null)), weighted(2, fc.constant("same"))),
  fc.oneof(oddTime.map((odd) => ({ odd })), pick("missing", { back: -5 }, { back: -1 })),
  10,
);

/** Which earlier (or later) entry a field names: by distance, as an index, or not at all. */
const target = fc.oneof(
  weighted(8, fc.nat({ max: 4 }).map((back) => ({ back: back + 1 }))),
  weighted(1, pick({ ahead: 1 }, { back: 0 }, { gone: "gone" }, { gone: "" }, { gone: null }, { missing: true })),
);
const parent = fc.oneof(
  weighted(24, fc.constant({ back: 1 })),
  weighted(8, fc.nat({ max: 6 }).map((back) => ({ back: back + 1 }))),
  weighted(2, pick({ gone: null }, { gone: "gone0000" }, { ahead: 1 }, { missing: true }, { gone: "" })),
);

const oldIndex = pick(1, 2, 3, 0, 99, 4, 1.5, -1);
const aTarget = target.map((to) => ({ to }));
const aName = mostly(
  pick("name", "  spaced\t", "", "a\nb", "日本"),
  fc.oneof(textSpec, fc.constant(null), pick(5, [])),
  8,
);
const aLabel = mostly(pick("one", "two", " ", "é"), pick("", null, literal('"\\ud800"')));
const anyContent = mostly(fc.oneof(fileText, jsonSpec), fc.constant(null));
const said = message(fileText, fileJson, true);
const hook = { details: fileJson, fromHook: fc.boolean() };
const compaction = {
  summary: fileText, firstKeptEntryId: aTarget, tokensBefore: numberSpec, firstKeptEntryIndex: oldIndex, ...hook,
};
const extension = { customType: fc.constant("ext"), content: anyContent, display: fc.boolean(), details: fileJson };

const unknownType = pick("later_kind", "Message", "", "constructor");
const typed = (type, fields, optional) => record({ type: fc.constant(type), ...fields }, optional);

/** What an entry holds besides id, parent and time. `{ to: … }` becomes an id when the file is laid. */
const body = fc.oneof(
  weighted(24, typed("message", { message: said })),
  weighted(2, typed("model_change", { provider: fileText, modelId: fileText })),
  weighted(2, typed("thinking_level_change", { thinkingLevel: pick("off", "high", "") })),
  weighted(4, typed("compaction", compaction, ["firstKeptEntryIndex", "details", "fromHook"])),
  weighted(2, typed("branch_summary", { fromId: aTarget, summary: fileText, ...hook }, ["details", "fromHook"])),
  weighted(3, typed("custom", { customType: fc.constant("ext"), data: fileJson }, ["data"])),
  weighted(3, typed("custom_message", extension, ["details"])),
  weighted(4, typed("label", { targetId: aTarget, label: aLabel }, ["label"])),
  weighted(3, typed("session_info", { name: aName }, ["name"])),
  weighted(2, record({ type: unknownType, data: fileJson, message: fileJson }, ["message"])),
  weighted(1, fc.constant({ type: "message" })),
);

/** How the line is written: order of the first keys, spaces, doubled keys, escaped keys, more fields. */
const KEYS = ["id", "type", "message", "parentId", "timestamp", "targetId", "label", "name"];
const style = mostly(
  fc.constant({}),
  fc.oneof(
    pick(" ", "\t").map((gap) => ({ gap })),
    pick(...KEYS.slice(0, 5)).map((doubled) => ({ doubled })),
    pick(...KEYS).map((escaped) => ({ escaped })),
    fileJson.map((value) => ({ more: [["extra", value], ["7", 1], ["__proto__", { x: 1 }], ["constructor", null]] })),
    pick({ reversed: true }, { pad: "  " }),
  ),
  5,
);

const ids = fc.oneof(
  weighted(40, fc.constant("fresh")),
  weighted(10, idLiteral.map((at) => ({ at }))),
  weighted(1, pick({ at: numeral("5") }, "missing")),
);
const entry = record({ id: ids, parent, time, body, style });

const version = fc.oneof(
  weighted(20, pick(3, 2, "missing", 1)),
  weighted(1, pick(4, 0, 1.5, 2.5, null, "2", "3", "x", true)),
);
const header = record({
  version,
  id: mostly(pick("h1", ...SESSION_UUIDS), pick("", "é", literal('"\\ud800"'), "a/b"), 15),
  timestamp: mostly(fc.constant(isoAt(-60)), fc.oneof(oddTime, fc.constant("missing"))),
  cwd: mostly(pick("/w", "/q/b-c", "/q-b/c"), pick("", "missing", null, 5, "/long/".repeat(150)), 8),
  more: mostly(
    fc.constant([]),
    fc.oneof(
      fc.constant([["parentSession", "/p/é.jsonl"]]),
      fileJson.map((value) => [["extra", value], ["parentSession", value]]),
    ),
    4,
  ),
  style: mostly(fc.constant({}), pick({ gap: " " }, { reversed: true }, { escaped: "id" }, { doubled: "id" }), 10),
});

/** A line that a crash cut off. */
const TORN = '{"type":"message","id":"torn0000","parentId":null,"timest';

/** Lines that are no records: blank, damaged, and JSON that is no object. */
const noise = fc.oneof(
  weighted(5, pick("", "   ", "\t", "\r")),
  weighted(6, pick("garbage", "{bad", '{"type":"message"', TORN, "\u0000\u0000", '{"a":1}}', "{'type':1}")),
  weighted(2, pick("5", '"text"', "true", "[1]", "[]", "null")),
);

const few = fc.array(entry, { maxLength: 8 });
const many = fc.array(entry, { minLength: 6, maxLength: 20 });
const shape = record({
  header,
  entries: fc.oneof(weighted(4, few), weighted(1, many)),
  extra: mostly(
    fc.constant([]),
    fc.array(record({ at: fc.nat({ max: 12 }), line: noise }), { minLength: 1, maxLength: 3 }),
    4,
  ),
  end: mostly(fc.constant("\n"), pick("\r\n"), 10),
  tail: mostly(fc.constant("\n"), pick("", `\n${TORN}`, "\n\n", "\n{", "\n5"), 6),
  more: mostly(
    fc.constant(""),
    fc.oneof(weighted(3, pick("bom", "second header")), weighted(2, pick("salvage", "two on a line", "cut after"))),
    10,
  ),
});

/** Things that are no session at all. */
const other = pick(
  "", "\n\n", "garbage\n", '{"type":"event"}\n', '{"type":"session"}\n', '{"type":"session","version":3,"id":5}\n',
  '{"type":"session","ver', "\u0089PNG\r\n\u001a\n", "null\n", "[]\n",
).map((text) => [text]);

/** The lines of a file, each with its end. */
export const sessionFile = mostly(shape.map(lay), other, 20);

/** Ids of entries without one of their own: `e0000000` and so on. */
const plainId = (index) => `e${index.toString(16).padStart(7, "0")}`;
const SECOND_HEADER = '{"type":"session","version":1,"id":"h2","timestamp":"2024-06-01T00:00:00.000Z","cwd":"/other"}';

function lay({ header: head, entries, extra, end, tail, more }) {
  const names = entries.map(({ id }, index) => (id === "fresh" ? plainId(index) : id === "missing" ? id : id.at));
  const lines = [line(headerPairs(head), head.style)];
  let second = 0;
  entries.forEach((each, index) => {
    if (each.time === null) second++;
    lines.push(line(entryPairs(each, index, names, second, head.version), each.style));
  });
  if (more === "second header") lines.splice(2, 0, SECOND_HEADER);
  if (more === "salvage" && lines.length > 2) lines.push(TORN + lines.pop());
  if (more === "two on a line" && lines.length > 3) {
    lines.push(["", TORN, "\u0000\u0000"][lines.length % 3] + lines.pop() + lines.pop());
  }
  if (more === "cut after" && lines.length > 2) lines[1] += TORN;
  for (const { at, line: added } of extra) lines.splice(at % (lines.length + 1), 0, added);
  if (more === "bom") lines[0] = `\ufeff${lines[0]}`;
  return lines.map((text, index) => text + (index === lines.length - 1 ? tail : end));
}

function headerPairs({ version: v, id, timestamp, cwd, more }) {
  const list = [["type", "session"], ["version", v], ["id", id], ["timestamp", timestamp], ["cwd", cwd], ...more];
  return list.filter(([, value]) => value !== "missing");
}

function entryPairs({ parent: p, time: t, body: { type, ...rest } }, index, names, second, v) {
  const list = [["type", type]];
  const aged = v === "missing" || v === 1;
  if (!aged || names[index]?.$) list.push(["id", names[index]], ["parentId", resolve(p, index, names)]);
  if (t?.odd !== undefined) list.push(["timestamp", t.odd]);
  else if (t !== "missing") list.push(["timestamp", isoAt(second + (t?.back ?? 0))]);
  for (const [key, value] of Object.entries(rest)) {
    if (aged && key === "firstKeptEntryId" && "firstKeptEntryIndex" in rest) continue;
    list.push([key, value?.to ? resolve(value.to, index, names) : value]);
  }
  return list.filter(([, value]) => value !== "missing");
}

function resolve(to, index, names) {
  if (to.missing) return "missing";
  if ("gone" in to) return to.gone;
  const at = index + ("ahead" in to ? to.ahead : -to.back);
  return names[at] === undefined || names[at] === "missing" ? (at < 0 ? null : HEX_IDS[0]) : names[at];
}

function line(list, { gap, doubled, escaped, more = [], reversed, pad = "" }) {
  let all = [...list, ...more];
  if (reversed) all = all.toReversed();
  const twice = all.find(([key]) => key === doubled);
  if (twice) all = [[doubled, "first"], ...all];
  const escape = (key) => `\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}`;
  all = all.map(([key, value]) => [key === escaped ? escape(key) : key, value]);
  return `${pad}${print(pairs(all), gap)}${pad}`;
}
