// A JavaScript text cut into tokens: enough to tell code from comments and strings, no more.

const PATTERN = new RegExp(
  [
    /(?<skip>\s+|\/\/[^\n]*|\/\*[^]*?\*\/)/,
    /(?<string>"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|`(?:[^`\\$]|\\[^]|\$(?!\{))*`)/,
    // A template with expressions in it ends or goes on at a brace; its pieces are strings as well.
    /(?<template>`(?:[^`\\$]|\\[^]|\$(?!\{))*\$\{)/,
    /(?<name>[#$\p{L}_][$\p{L}\p{N}_]*)/u,
    /(?<number>\d[\w.]*)/,
    /(?<punctuation>===|!==|\?\.|=>|\.\.\.|==|!=|<=|>=|&&|\|\||\?\?|[^])/,
  ].map((part) => part.source).join("|"),
  "uy",
);
// After one of these a slash begins a regular expression; after anything else it divides.
const BEFORE_REGEXP = /^(?:[([{,;:=!&|?+\-*%<>~^]|===|!==|==|!=|<=|>=|=>|&&|\|\||\?\?|return|typeof|case|in|of)$/;
const REGEXP = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const TEMPLATE_REST = /(?:[^`\\$]|\\[^]|\$(?!\{))*(?<end>`|\$\{)/y;

/**
 * @param {string} text
 * @returns {{ kind: "string" | "template" | "name" | "number" | "punctuation" | "regexp", value: string, line: number }[]}
 *   The value of a string is what stands between its quotes.
 */
export function tokens(text) {
  const list = [];
  const braces = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const { kind, raw } = next(text, at, list.at(-1));
    if (kind !== "skip") list.push({ kind, value: kind === "string" ? raw.slice(1, -1) : raw, line });
    at += raw.length;
    line += raw.split("\n").length - 1;
    if (kind === "template") braces.push("template");
    if (raw === "{") braces.push("block");
    // The brace that ends an expression in a template: the rest of the template is a string again.
    if (raw === "}" && braces.pop() === "template") {
      TEMPLATE_REST.lastIndex = at;
      const rest = TEMPLATE_REST.exec(text);
      if (rest === null) continue;
      list.push({ kind: "template", value: rest[0], line });
      at += rest[0].length;
      line += rest[0].split("\n").length - 1;
      if (rest.groups.end === "${") braces.push("template");
    }
  }
  return list;
}

function next(text, at, before) {
  if (text[at] === "/" && !"/*".includes(text[at + 1]) && (before === undefined || BEFORE_REGEXP.test(before.value))) {
    REGEXP.lastIndex = at;
    const found = REGEXP.exec(text);
    if (found) return { kind: "regexp", raw: found[0] };
  }
  PATTERN.lastIndex = at;
  const { groups } = PATTERN.exec(text);
  const [kind, raw] = Object.entries(groups).find(([, value]) => value !== undefined);
  return { kind, raw };
}
