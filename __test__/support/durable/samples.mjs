// Small session files that between them have what a cut can fall into.
import { A, H, H1, L, Model, T, U, old } from "../entries.mjs";
import { line } from "../files.mjs";

const OLD_TYPES = ["message", "model_change", "thinking_level_change", "compaction", "custom", "label", "session_info"];
const multibyte = "naïve 会话 🙂\u2028 \ud83d end";

const joined = (records, end = "\n") => Buffer.from(records.map((each) => line(each) + end).join(""));
const mess = (entry) => `{"type":"mess${line(entry)}`;

/** By name: the whole file. */
export const samples = {
  "version 3": joined([H(), U("u1"), A("a1", "u1"), L("l1", "a1", "u1", "mark"), U("u2", "l1")]),
  "version 2": joined([
    H({ version: 2 }),
    U("u1"),
    { type: "message", id: "k1", parentId: "u1", timestamp: T, message: { role: "hookMessage", customType: "x", content: "c", display: true, timestamp: 1 } },
    Model("m1", "k1", "p", "m"),
    A("a1", "m1"),
  ]),
  "version 1": joined([
    H1(),
    old(U("u1")),
    old(A("a1")),
    { type: "compaction", timestamp: T, summary: "s", firstKeptEntryIndex: 1, tokensBefore: 1 },
    old(U("u2")),
  ]),
  "CRLF line ends": joined([H(), U("u1"), A("a1", "u1"), U("u2", "a1")], "\r\n"),
  "text of more than one byte a character": joined([H({ cwd: "/w/会话" }), U("u1", null, multibyte), A("a1", "u1", multibyte)]),
  "damaged lines in the middle": joined([H(), U("u1"), "{bad", A("a1", "u1"), "17", "", mess(U("u2", "a1")), "\0\0\0", A("a2", "u2")]),
  "damaged lines before the header": joined(["{bad", "", "17", H(), U("u1"), A("a1", "u1")]),
  "version 2 with damaged lines": joined([H({ version: 2 }), U("u1"), "{bad", A("a1", "u1"), mess(U("u2", "a1")), A("a2", "u2")]),
  "version 1 with damaged lines": joined([H1(), old(U("u1")), "{bad", old(A("a1")), "null", mess(old(U("u2"))), old(A("a2"))]),
};

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether an object found in a damaged line is a record. */
const isRecord = (object, withIds) =>
  withIds ? typeof object.id === "string" && typeof object.timestamp === "string" : OLD_TYPES.includes(object.type) && "timestamp" in object;

/** What of a line is an object: the line, or a record at its end. */
function objectIn(text, withIds) {
  const whole = parsed(text);
  if (whole !== undefined) return { object: typeof whole === "object" && whole !== null ? whole : undefined, damaged: false };
  for (let at = text.indexOf('{"type"'); at >= 0; at = text.indexOf('{"type"', at + 1)) {
    const object = parsed(text.slice(at));
    if (object && withIds !== undefined && isRecord(object, withIds)) return { object, damaged: true, before: text.slice(0, at) };
  }
  return { object: undefined, damaged: text.trim() !== "", before: text };
}

/**
 * What must be read of these bytes, by the simplest means: `header` (undefined if there is none),
 * `entries`, and `damaged`, the text on each damaged line that is no record.
 */
export function expected(bytes) {
  let header;
  let withIds;
  const entries = [];
  const damaged = [];
  for (const text of bytes.toString("utf8").split("\n")) {
    const found = objectIn(text, withIds);
    if (found.damaged) damaged.push(found.before);
    if (found.object === undefined) continue;
    if (header) {
      entries.push(found.object);
    } else {
      header = found.object;
      withIds = header.version !== undefined;
    }
  }
  return { header, entries, damaged };
}
