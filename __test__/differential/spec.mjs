// A program is plain data, so that fast-check can shrink and print it. A *spec* is the part of it
// that stands for a JavaScript value: JSON as it is, and `{ $: … }` for what JSON cannot say.
// The same spec can be made into a value (an argument) or into JSON text (a line of a file).

/** A number by its literal, such as `1e999` or `-0`. */
export const numeral = (text) => ({ $: "numeral", text });
/** A string by its literal, quotes included. */
export const literal = (text) => ({ $: "literal", text });
/** An object by its key literals (without quotes), which may repeat. */
export const pairs = (list) => ({ $: "pairs", list });
/** Arrays (or objects) in each other. */
export const deep = (levels, object = false) => ({ $: "deep", levels, object });
/** A long string. */
export const long = (length, of = "x") => ({ $: "long", length, of });
/** Only as arguments: undefined, nan, date, toJSON, holes, throwing, bigint, cyclic. */
export const special = (name, value) => ({ $: name, value });

const isSpecial = (spec) => typeof spec.$ === "string";

const MADE = {
  numeral: ({ text }) => Number(text),
  literal: ({ text }) => JSON.parse(fixBytes(text)),
  pairs: (spec) => JSON.parse(fixBytes(print(spec))),
  deep: (spec) => JSON.parse(print(spec)),
  long: ({ length, of }) => of.repeat(length),
  undefined: () => undefined,
  nan: () => NaN,
  infinity: () => Infinity,
  date: ({ value }) => new Date(value),
  toJSON: ({ value }) => ({ hidden: 1, toJSON: () => realize(value) }),
  holes: () => [1, , 2, undefined],
  throwing: () => ({ toJSON() { throw new Error("toJSON refuses"); } }),
  bigint: () => 10n,
  cyclic: () => {
    const ring = {};
    return Object.assign(ring, { ring });
  },
};

/** Names of the specs that JSON.stringify refuses. */
const REFUSED = new Set(["throwing", "bigint", "cyclic"]);

/** A fresh value for a spec. */
export function realize(spec) {
  if (spec === null || typeof spec !== "object") return spec;
  if (Array.isArray(spec)) return spec.map(realize);
  if (isSpecial(spec)) return MADE[spec.$](spec);
  const made = {};
  for (const key of Object.keys(spec)) made[key] = realize(spec[key]);
  return made;
}

/** Whether a spec holds something JSON.stringify throws on. */
export function refused(spec) {
  if (spec === null || typeof spec !== "object") return false;
  if (isSpecial(spec)) return REFUSED.has(spec.$);
  return Object.values(spec).some(refused);
}

/** JSON text of a spec, with `gap` between tokens. */
export function print(spec, gap = "") {
  if (spec === null || typeof spec !== "object") return JSON.stringify(spec);
  if (Array.isArray(spec)) return `[${spec.map((each) => gap + print(each, gap)).join(`${gap},`)}]`;
  switch (spec.$) {
    case "numeral":
    case "literal":
      return spec.text;
    case "long":
      return `"${spec.of.repeat(spec.length)}"`;
    case "deep":
      return spec.object
        ? `${'{"a":'.repeat(spec.levels)}1${"}".repeat(spec.levels)}`
        : `${"[".repeat(spec.levels)}${"]".repeat(spec.levels)}`;
    case "pairs":
      return printPairs(spec.list, gap);
  }
  return printPairs(Object.keys(spec).map((key) => [JSON.stringify(key).slice(1, -1), spec[key]]), gap);
}

function printPairs(list, gap) {
  return `{${list.map(([key, value]) => `${gap}"${key}"${gap}:${gap}${print(value, gap)}`).join(`${gap},`)}${gap}}`;
}

// In file texts the characters U+E080 to U+E0FF stand for the single bytes 80 to FF, so that a
// file that is not UTF-8 is still a string one can read in a report.
const BYTE = /[\ue080-\ue0ff]/g;

/** The byte (80 to FF) as a character of a file text. */
export const byte = (value) => String.fromCharCode(0xe000 + value);

/** The bytes of a file text. */
export function toBytes(text) {
  if (text.search(BYTE) < 0) return Buffer.from(text, "utf8");
  const parts = [];
  let from = 0;
  for (const { index, 0: found } of text.matchAll(BYTE)) {
    parts.push(Buffer.from(text.slice(from, index), "utf8"), Buffer.from([found.charCodeAt(0) - 0xe000]));
    from = index + 1;
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(from), "utf8")]);
}

/** The text as a reader of UTF-8 sees it. */
const fixBytes = (text) => (text.search(BYTE) < 0 ? text : toBytes(text).toString("utf8"));
