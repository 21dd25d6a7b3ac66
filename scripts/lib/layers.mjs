// The rules about who may know what, as functions from a file's text to the lines that break them.
//
// The core knows nothing of Node, and the JavaScript face knows nothing of the format: it may carry
// an entry's type or role about, but what is done must not depend on which one it is.

import { tokens } from "./tokens.mjs";

/** The mark of the one line in the face that may look at an entry's type. */
export const EXCEPTION = "// layer-exception: latest compaction";

const NAMES = new Set([
  "session", "message", "model_change", "thinking_level_change", "compaction", "branch_summary", "custom",
  "custom_message", "label", "session_info",
  "user", "assistant", "toolResult", "bashExecution", "branchSummary", "compactionSummary", "system", "hookMessage",
]);
// These are names of fields as well, so as a plain key they say nothing about a type.
const FIELDS = new Set(["message", "label"]);
const COMPARISONS = new Set(["===", "!==", "==", "!=", "in"]);
const LOOKUPS = new Set(["has", "get", "includes", "indexOf", "startsWith", "endsWith", "match", "test"]);

/** @returns {{ line: number, problem: string }[]} */
export function coreProblems(text) {
  return text.split("\n").flatMap((content, i) =>
    /napi/i.test(content) ? [{ line: i + 1, problem: "the core names napi" }] : []);
}

/** @returns {{ line: number, problem: string }[]} Lines marked as the exception are left out. */
export function faceProblems(text) {
  const lines = text.split("\n");
  const list = tokens(text);
  const problems = [];
  list.forEach((_, i) => {
    const problem = decides(list, i);
    const line = list[i].line;
    if (problem && !lines[line - 1].includes(EXCEPTION)) problems.push({ line, problem });
  });
  return problems;
}

/** The lines that carry the mark. */
export function exceptions(text) {
  return text.split("\n").flatMap((content, i) => (content.includes(EXCEPTION) ? [i + 1] : []));
}

function decides(list, i) {
  const [before, token, after] = [list[i - 1], list[i], list[i + 1]];
  if (isName(token)) {
    if (isComparison(before) || isComparison(after)) return `compares with ${show(token)}`;
    if (before?.value === "case") return `a case for ${show(token)}`;
    if (before?.value === "[" || after?.value === "]") return `a list or look-up of ${show(token)}`;
    if (isKey(before, after)) return `a key ${show(token)}`;
  }
  if (token.kind === "name" && NAMES.has(token.value) && !FIELDS.has(token.value) && isKey(before, after)) {
    return `a key ${token.value}`;
  }
  if (endsInType(list, i)) {
    if (isComparison(after) && !isTypeof(list, i)) return "compares a type or role";
    if (after?.value === "]" && opener(list, i)?.before.kind === "name") return "looks something up by a type or role";
    if ((after?.value === "." || after?.value === "?.") && LOOKUPS.has(list[i + 2]?.value)) return "tests a type or role";
    if (after?.value === ")" && isDeciding(opener(list, i))) return "decides by a type or role";
  }
  if (isComparison(token) && token.value !== "in" && endsInType(list, chainEnd(list, i + 1))) {
    return "compares a type or role";
  }
  return undefined;
}

const isName = (token) => token.kind === "string" && NAMES.has(token.value);
const isComparison = (token) => token !== undefined && token.kind !== "string" && COMPARISONS.has(token.value);
const isKey = (before, after) => (before?.value === "{" || before?.value === ",") && after?.value === ":";
const show = (token) => JSON.stringify(token.value);
const isDeciding = (open) =>
  open !== undefined && (open.before.value === "switch" || LOOKUPS.has(open.before.value));

/** Whether `….type`, `….role`, `…["type"]` or a plain variable of that name ends at `i`. */
function endsInType(list, i) {
  const token = list[i];
  if (token === undefined) return false;
  if (token.kind === "name" && (token.value === "type" || token.value === "role")) return true;
  return token.value === "]" && list[i - 1]?.kind === "string" && ["type", "role"].includes(list[i - 1].value)
    && list[i - 2]?.value === "[";
}

/** Where a chain of member names that begins at `i` ends. */
function chainEnd(list, i) {
  while ([".", "?."].includes(list[i + 1]?.value)) i += 2;
  if (list[i + 1]?.value === "[" && list[i + 3]?.value === "]") i += 3;
  return i;
}

/** `typeof entry.type === "string"` asks what kind of value it is, not which one. */
function isTypeof(list, i) {
  while ([".", "?."].includes(list[i - 1]?.value)) i -= 2;
  return list[i - 1]?.value === "typeof";
}

/** The token before the bracket that encloses `i`, with the bracket. */
function opener(list, i) {
  let depth = list[i].value === "]" ? 0 : 1;
  for (let at = i - 1; at > 0; at--) {
    const { kind, value } = list[at];
    if (kind !== "punctuation") continue;
    if (value === ")" || value === "]" || value === "}") depth++;
    if ((value === "(" || value === "[" || value === "{") && --depth === 0) return { before: list[at - 1], bracket: list[at] };
  }
  return undefined;
}
