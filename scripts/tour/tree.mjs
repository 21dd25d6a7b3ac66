// A session's tree drawn with lines. The way to the leaf goes straight down; what branches off it is
// set to the right. Long stretches without a branch are folded. Nothing here calls itself: a tree
// may be as deep as its session is long.

import { describeEntry } from "./describe.mjs";
import { clip, count, cyan, dim, green, width, yellow } from "./text.mjs";

const MOST_ROWS = 46;
const DEEPEST = 12;
const ENDS_SHOWN = 3;

/** @returns {string[]} The lines to print. */
export function drawTree(roots, leafId) {
  const onTheWay = wayToLeaf(roots, leafId);
  const rows = [];
  // The root that leads to the leaf comes last, as its branches do.
  const stack = roots.toReversed().sort((a, b) => onTheWay.has(b) - onTheWay.has(a)).map((node) => ({ node, depth: 0, first: "" }));
  while (stack.length > 0) {
    const { node, depth, first } = stack.pop();
    if (depth > DEEPEST) {
      rows.push({ text: `${line(depth, first)}${dim(`┆ ${count(size(node), "entry", "entries")} deeper`)}` });
      continue;
    }
    const stretch = unbranched(node);
    rows.push(...drawStretch(stretch, { depth, first, onTheWay, leafId }));
    const { children } = stretch.at(-1);
    const main = children.find((child) => onTheWay.has(child)) ?? children.at(-1);
    if (main) stack.push({ node: main, depth, first: "" });
    for (const child of children.toReversed()) {
      if (child !== main) stack.push({ node: child, depth: depth + 1, first: "├─" });
    }
  }
  return shorten(rows);
}

/** The nodes from a root to the leaf. */
function wayToLeaf(roots, leafId) {
  const parents = new Map(roots.map((root) => [root, undefined]));
  let leaf;
  for (const [node] of parents) {
    if (node.entry.id === leafId) leaf = node;
    for (const child of node.children) parents.set(child, node);
  }
  const way = new Set();
  for (let node = leaf; node; node = parents.get(node)) way.add(node);
  return way;
}

/** A node and what follows it up to the next branching or the end. */
function unbranched(node) {
  const stretch = [node];
  while (stretch.at(-1).children.length === 1) stretch.push(stretch.at(-1).children[0]);
  return stretch;
}

function drawStretch(stretch, { depth, first, onTheWay, leafId }) {
  const rows = [];
  let hidden = [];
  const put = (node) => {
    const isLeaf = node.entry.id === leafId;
    const start = line(depth, rows.length === 0 ? first : "");
    rows.push({ text: start + drawNode(node, { isLeaf, onTheWay: onTheWay.has(node), room: width - 2 * depth }), keep: isLeaf });
  };
  const unfold = () => {
    if (hidden.length > 1) rows.push({ text: line(depth, "") + dim(`┆ ${count(hidden.length, "entry", "entries")}`) });
    else hidden.forEach(put);
    hidden = [];
  };
  stretch.forEach((node, i) => {
    const atEnd = i < ENDS_SHOWN || i >= stretch.length - ENDS_SHOWN;
    if (!atEnd && node.entry.id !== leafId && !isNotable(node)) return hidden.push(node);
    unfold();
    put(node);
  });
  return rows;
}

const isNotable = ({ label, entry }) => label !== undefined || ["compaction", "branch_summary"].includes(entry.type);

/** The lines of the stretches further left, and how this one joins them. */
function line(depth, first) {
  if (depth === 0) return "  ";
  return `  ${dim("│ ".repeat(depth - 1) + (first || "│ "))}`;
}

function drawNode({ entry, label }, { isLeaf, onTheWay, room }) {
  const { kind, text } = describeEntry(entry);
  const marks = `${label === undefined ? "" : yellow(` ⟨${clip(label, 24)}⟩`)}${isLeaf ? green(" ◀ leaf") : ""}`;
  const marksWidth = (label === undefined ? 0 : Math.min(label.length, 24) + 3) + (isLeaf ? 7 : 0);
  const shown = clip(text, Math.max(20, room - 28 - marksWidth));
  return `${onTheWay ? green("●") : "○"} ${dim(clip(entry.id, 8).padEnd(8))} ${cyan(clip(kind, 12).padEnd(10))} ${shown}${marks}`;
}

function size(node) {
  const found = [node];
  for (const { children } of found) for (const child of children) found.push(child);
  return found.length;
}

/** The beginning, the end, and the leaf wherever it is. */
function shorten(rows) {
  if (rows.length <= MOST_ROWS) return rows.map(({ text }) => text);
  const shown = rows.map(({ keep }, i) => keep || i < MOST_ROWS / 2 || i >= rows.length - MOST_ROWS / 2);
  const lines = [];
  let left = 0;
  rows.forEach(({ text }, i) => {
    if (!shown[i]) return left++;
    if (left > 0) lines.push(dim(`  ⋮ ${count(left, "more line")}`));
    left = 0;
    lines.push(text);
  });
  return lines;
}
