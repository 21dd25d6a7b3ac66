// What is new in every run (ids, uuids, times, temporary paths) gets a name in order of first
// appearance; the same thing has the same name in values, errors and files. What came from the
// program keeps its own.
import { ENTRY_UUID, HEX_IDS, SESSION_UUIDS } from "./values.mjs";

const KNOWN = new Set([...HEX_IDS, ...SESSION_UUIDS, ENTRY_UUID, "torn0000", "gone0000"]);
const FROM_FILES = /^e00000[0-9a-f]{2}$/;
/** Written by the mended reference where it works on a copy of a file. */
const CLEAN = "~clean";

const NEW = new RegExp(
  "(\\d{4}-\\d\\d-\\d\\dT\\d\\d[-:]\\d\\d[-:]\\d\\d[-.]\\d{3}Z)" + // in a value or in a file name
    "|([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})" +
    "|\\b([0-9a-f]{8})\\b",
  "g",
);

export class Renamer {
  #root;
  #started = Date.now() - 2;
  #names = new Map();

  constructor(root) {
    this.#root = root;
  }

  #name(kind, key) {
    if (!this.#names.has(key)) this.#names.set(key, `<${kind} ${this.#names.size}>`);
    return this.#names.get(key);
  }

  #isNow(ms) {
    return ms >= this.#started && ms <= Date.now() + 2;
  }

  text(text) {
    if (text.length > 5000) return text;
    const placed = text.includes(this.#root) ? text.replaceAll(this.#root, "<root>").replaceAll(CLEAN, "") : text;
    if (placed.length < 8) return placed;
    return placed.replace(NEW, (found, time, uuid) => {
      if (time) {
        const iso = `${time.slice(0, 10)}T${time.slice(11, -1).replaceAll("-", ":").replace(/:(\d{3})$/, ".$1")}Z`;
        return this.#isNow(Date.parse(iso)) ? "<now>" : found;
      }
      if (KNOWN.has(found) || FROM_FILES.test(found)) return found;
      return this.#name(uuid ? "uuid" : "id", found);
    });
  }

  number(value) {
    return this.#isNow(value) ? "<now>" : undefined;
  }
}
