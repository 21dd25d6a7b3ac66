// Random values: strings, numbers, any JSON, content and messages, as specs (see spec.mjs).
import fc from "fast-check";
import { byte, deep, literal, long, numeral, pairs, special } from "./spec.mjs";

/** Ids that stand in files. Nothing made afresh looks like one of them. */
export const HEX_IDS = [
  "a0000001", "a0000002", "a0000003", "b0000001", "b0000002", "c0000001", "00000000", "ffffffff",
];
export const SESSION_UUIDS = ["018f0000-0000-7000-8000-000000000001", "018f0000-0000-7000-8000-000000000002"];
/** An entry id of another tool. */
export const ENTRY_UUID = "018f0000-0000-7000-8000-00000000000a";
const ODD_IDS = [
  "x", "1", "constructor", "__proto__", "toString", "é-ü", "日本", "a b", "a\u0000b", "A0000001", "root",
  "r".repeat(300),
];

/** One of `list` as a constant that shrinks towards the first. */
export const pick = (...list) => fc.constantFrom(...list);

/** A choice of `fc.oneof` that is made `weight` times as often as one of weight 1. */
export const weighted = (weight, arbitrary) => ({ weight, arbitrary });

/** A record of these fields; those named in `optional` may be missing. */
export const record = (fields, optional = []) =>
  fc.record(fields, {
    noNullPrototype: true,
    requiredKeys: Object.keys(fields).filter((key) => !optional.includes(key)),
  });

/** `usual` most of the time, else one of `odd`: one time in `every`. */
export const mostly = (usual, odd, every = 12) =>
  fc.oneof({ arbitrary: usual, weight: every - 1 }, { arbitrary: odd, weight: 1 });

/** An id literal of an entry of a file: plain, odd, or odd in how it is written. */
export const idLiteral = mostly(
  pick(...HEX_IDS).map((id) => literal(JSON.stringify(id))),
  fc.oneof(
    pick(...ODD_IDS).map((id) => literal(JSON.stringify(id))),
    pick('""', '"\\ud800"', '"\\u0061\\u0030000001"', '"\\ud83d\\ude00"', `"${ENTRY_UUID}"`).map(literal),
  ),
  6,
);

const WORDS = [
  "", "hello", "a  b", " x ", "line\nline", "café", "日本語", "😀", "\u2028\u2029", "\u0000", "tab\t\"q\"\\", "</>",
  "\u007f\u0080", "__proto__",
];

/** Text as a spec: words, lone surrogates, bytes that are no UTF-8. */
export const textSpec = mostly(
  pick(...WORDS),
  fc.oneof(
    pick('"\\ud800"', '"\\udc00x"', '"\\ud83d\\ude00"', '"\\u0000\\u001f"', '"\\/\\b\\f"', '"a\\u2028b"').map(literal),
    fc.string({ unit: "binary", maxLength: 6 }).filter((text) => !/[\ue080-\ue0ff]/.test(text)),
  ),
  6,
);

/** Text for files only: raw bytes that are no UTF-8. */
const rawText = pick([0xff, 0xfe], [0xc3], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98], [0xe2, 0x28, 0xa1])
  .map((bytes) => literal(`"x${bytes.map(byte).join("")}y"`));
export const fileText = mostly(textSpec, rawText, 15);

export const numberSpec = mostly(
  pick(0, 1, 42, 0.5, 1717243200000),
  pick(
    "1e308", "5e-324", "1e21", "0.00015999999999999999", "1E5", "-1.50", "123456789012345678901234567890", "1e-7",
    "9007199254740993",
  ).map(numeral),
  3,
);
/** Numbers that change when they are printed again. */
const unstable = pick("-0", "1e999", "-1e999").map(numeral);

const PLAIN_KEYS = ["a", "b", "text", "type", "id"];
const ODD_KEYS = [
  "1", "0", "__proto__", "constructor", "toJSON", "\\u0061", "", "\\ud800", "é", "10", "4294967295", "-1", "length",
];

/** Any JSON value, with the oddities JSON allows. */
export const jsonSpec = fc.letrec((tie) => ({
  any: fc.oneof(
    weighted(6, fc.oneof(textSpec, numberSpec, fc.boolean(), fc.constant(null))),
    weighted(2, fc.array(tie("any"), { maxLength: 3 })),
    weighted(2, fc.dictionary(pick(...PLAIN_KEYS), tie("any"), { maxKeys: 3, noNullPrototype: true })),
    weighted(1, fc.array(fc.tuple(pick(...ODD_KEYS), tie("any")), { maxLength: 4 }).map(pairs)),
  ),
})).any;

/** As `jsonSpec`, for files: numbers that do not survive printing, and deep nesting now and then. */
export const fileJson = fc.oneof(
  weighted(300, jsonSpec),
  weighted(3, unstable),
  weighted(6, pick(deep(200), deep(200, true))),
  weighted(1, pick(deep(5000), long(1_000_000, "é"))),
);

/** As `jsonSpec`, for arguments: also what JSON.stringify drops or changes. */
export const argument = fc.oneof(
  weighted(8, jsonSpec),
  weighted(3, fc.oneof(
    pick("undefined", "nan", "infinity", "holes").map((name) => special(name)),
    fc.constant(numeral("-0")),
    fc.constant(special("date", 1717243200000)),
    jsonSpec.map((value) => special("toJSON", value)),
    jsonSpec.map((a) => ({ a, b: special("undefined"), c: [special("undefined"), special("nan")] })),
    fc.constant(literal('"\\udfff lone"')),
  )),
);

// --- content and messages; `text` and `data` say where the message will stand --------------------

/** A record whose `type` (or `role`) is fixed. */
const typed = (type, fields, optional) => record({ type: fc.constant(type), ...fields }, optional);

function blocks(text, data) {
  const call = { id: fc.constant("call_1"), name: fc.constant("bash"), arguments: data };
  return fc.oneof(
    weighted(6, typed("text", { text })),
    weighted(1, typed("image", { data: fc.constant("aGk="), mimeType: fc.constant("image/png") })),
    weighted(1, typed("thinking", { thinking: text })),
    weighted(2, typed("toolCall", call)),
    weighted(1, typed("later", { data })),
  );
}

const COST = { input: 0.00015999999999999999, output: 0, cacheRead: 0, cacheWrite: 0, total: 1e-7 };
const USAGE = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 3, cost: COST };
const stamp = mostly(
  pick(1717243200000, 1717243201000, 1717243300000),
  pick(0, -1, 1.5, 1e308, "2024-06-01T12:00:00Z", null),
  10,
);

/** Messages of every role. `odd` also gives content that is null, missing or of no known shape. */
export function message(text, data, odd) {
  const list = fc.array(blocks(text, data), { maxLength: 3 });
  const strange = fc.oneof(
    fc.constant(null),
    list.map((all) => [null, ...all]),
    pick(5, {}, [{ type: "text" }]),
  );
  const content = odd ? mostly(fc.oneof(text, list), strange, 15) : fc.oneof(text, list);
  const of = (role, fields, optional = []) =>
    record({ role: fc.constant(role), ...fields, timestamp: stamp }, odd ? ["timestamp", ...optional] : []);
  const answer = {
    content: odd ? content : list,
    api: fc.constant("messages"),
    provider: pick("anthropic", "openai", "é"),
    model: pick("m1", "m2", ""),
    usage: fc.constant(USAGE),
    stopReason: pick("stop", "toolUse", "error"),
  };
  const result = {
    toolCallId: fc.constant("call_1"),
    toolName: fc.constant("bash"),
    content: list,
    details: data,
    isError: fc.boolean(),
  };
  const bash = { command: text, output: text, exitCode: pick(0, 1), cancelled: fc.boolean(), truncated: fc.boolean() };
  const extension = { customType: fc.constant("ext"), content, display: fc.boolean(), details: data };
  return fc.oneof(
    weighted(6, of("user", { content }, ["content"])),
    weighted(7, of("assistant", answer, ["api", "provider", "model", "usage", "stopReason"])),
    weighted(2, of("toolResult", result, ["details", "isError"])),
    weighted(1, of("bashExecution", bash)),
    weighted(1, of("custom", extension, ["content", "display", "details"])),
    weighted(odd ? 2 : 0, of("hookMessage", extension, ["details"])),
    weighted(1, of("system", { content })),
    weighted(odd ? 1 : 0, record({ what: data })),
  );
}
