// The tour's pictures of a session: what it is, what is in it, its tree, what the model gets.

import { describeMessage } from "./describe.mjs";
import { clip, count, cyan, dim, heading, table, width } from "./text.mjs";
import { drawTree } from "./tree.mjs";

export function showHeader(manager, { path, source, bytes, lines, version, milliseconds }) {
  const header = manager.getHeader();
  const entries = manager.getEntries().length;
  heading("The session");
  table([
    ["file", source ? `${source} (worked on as a copy)` : `${path} (made for this tour)`],
    ["size", `${bytes.toLocaleString("en")} bytes, ${count(lines, "line")}, of which ${count(entries, "entry", "entries")} and the header were read`],
    ["opened in", `${milliseconds.toFixed(1)} ms`],
    ["id", clip(header?.id, 60)],
    ["version", version === header?.version ? `${version}` : `${version}, now ${header?.version}`],
    ["started", clip(header?.timestamp, 40)],
    ["directory", clip(manager.getCwd(), width - 16)],
    ["name", manager.getSessionName() === undefined ? dim("none") : clip(manager.getSessionName(), width - 16)],
  ]);
}

export function showCounts(entries) {
  const counts = new Map();
  for (const entry of entries) {
    const type = entry.type === "message" ? `message, ${entry.message?.role ?? "no role"}` : String(entry.type);
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  heading("What is in it");
  const rows = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  if (rows.length === 0) console.log(dim("  no entries"));
  else table(rows.map(([type, number]) => [clip(type, 40), number.toLocaleString("en").padStart(7)]));
}

export function showTree(manager, title) {
  heading(title);
  const lines = drawTree(manager.getTree(), manager.getLeafId());
  for (const line of lines) console.log(line);
  if (lines.length === 0) console.log(dim("  no entries"));
}

export function showContext(manager, { ends = 5 } = {}) {
  const { messages, model, thinkingLevel } = manager.buildSessionContext();
  heading("What the model would get");
  table([
    ["model", model ? `${clip(model.provider, 40)}/${clip(model.modelId, 60)}` : dim("none chosen")],
    ["thinking", clip(thinkingLevel, 40)],
    ["messages", messages.length.toLocaleString("en")],
  ]);
  messages.forEach((message, i) => {
    if (i === ends && messages.length > 2 * ends + 1) {
      console.log(dim(`  ⋮ ${count(messages.length - 2 * ends, "message")}`));
    }
    if (i >= ends && i < messages.length - ends && messages.length > 2 * ends + 1) return;
    const { kind, text } = describeMessage(message ?? {});
    console.log(`  ${cyan(clip(kind, 12).padEnd(10))} ${clip(text, Math.min(80, width - 14))}`);
  });
}
