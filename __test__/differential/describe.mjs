// Describes any value as a flat list of tokens that two implementations must agree on: own keys in
// order, undefined and absent, -0 and NaN, holes, dates, prototypes, and which object it is. Objects
// are numbered in order of first appearance, so "the same object again" is part of the list. Works
// with an explicit stack: values may be nested thousands of levels deep.

const COPY = Symbol("copy");

/** Marks an object whose identity is not compared: a copy that the design asks for. */
export const asCopy = (object) => Object.defineProperty(object, COPY, { value: true });

export class Describer {
  #rename;
  #numbers = new Map();
  /** Describes Infinity as null and -0 as 0: see `numbers reprinted` in exclusions.mjs. */
  reprinted = false;

  constructor(rename) {
    this.#rename = rename;
  }

  /** Numbers the objects of an argument, as if they had been seen. */
  meet(value) {
    this.value(value, []);
  }

  /** Appends the tokens of `root` to `tokens`. `identity` false leaves the numbers out. */
  value(root, tokens, identity = true) {
    const here = new Set();
    const stack = [{ value: root }];
    while (stack.length > 0) {
      const next = stack.pop();
      if (next.token !== undefined) {
        tokens.push(next.token);
        if (!("value" in next)) continue;
      }
      const { value } = next;
      if (value === null || typeof value !== "object") tokens.push(this.#scalar(value));
      else this.#object(value, tokens, stack, here, identity);
    }
    return tokens;
  }

  #scalar(value) {
    switch (typeof value) {
      case "string":
        return JSON.stringify(this.#rename.text(value));
      case "number":
        if (Object.is(value, -0)) return this.reprinted ? "0" : "-0";
        if (this.reprinted && Math.abs(value) === Infinity) return "null";
        return this.#rename.number(value) ?? String(value);
      case "function":
        return "function";
      case "bigint":
        return `${value}n`;
      default:
        return String(value);
    }
  }

  #object(value, tokens, stack, here, identity) {
    let number = "";
    if (identity) {
      const seen = this.#numbers.get(value);
      number = `#${seen ?? this.#numbers.size}`;
      if (here.has(value)) return void tokens.push(`again ${number}`);
      here.add(value);
      if (seen === undefined) {
        this.#numbers.set(value, this.#numbers.size);
        tokens.push(...oddities(value));
      }
    }
    if (value instanceof Date) return void tokens.push(`date ${number}`, this.#scalar(value.getTime()));
    const list = Array.isArray(value);
    tokens.push(`${list ? "[" : "{"}${number}`);
    stack.push({ token: list ? `]${value.length}` : "}" });
    const keys = Object.keys(value);
    for (let at = keys.length - 1; at >= 0; at--) {
      stack.push({ token: `.${JSON.stringify(keys[at])}`, value: value[keys[at]] });
    }
  }
}

/** What plain data never has: another prototype, hidden keys, accessors. */
function oddities(value) {
  const odd = [];
  const prototype = Object.getPrototypeOf(value);
  const usual = Array.isArray(value) ? Array.prototype : value instanceof Date ? Date.prototype : Object.prototype;
  if (prototype !== usual) odd.push(`prototype ${prototype?.constructor?.name}`);
  const own = Reflect.ownKeys(value).length - (Array.isArray(value) ? 1 : 0);
  const keys = Object.keys(value);
  if (own !== keys.length && !value[COPY]) odd.push("hidden keys");
  if (keys.some((key) => Object.getOwnPropertyDescriptor(value, key).get)) odd.push("accessors");
  return odd;
}

/** Where in a described value the token `at` stands, such as `."messages"."0"."role"`. */
export function pathTo(tokens, at) {
  const path = [];
  const open = [];
  for (let index = 0; index <= at && index < tokens.length; index++) {
    const token = tokens[index];
    if (token.startsWith(".")) path[open.length] = token;
    else if (/^[[{]/.test(token)) open.push(path.length);
    else if (/^[\]}]/.test(token)) {
      open.pop();
      path.length = open.length + 1;
    }
  }
  return path.slice(0, open.length + 1).slice(-6).join("");
}
