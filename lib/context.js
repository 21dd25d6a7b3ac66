"use strict";

const native = require("./native.js");
const { describe } = require("./entries.js");

const millis = (entry) => new Date(entry.timestamp).getTime();

const custom = (entry, content) => ({
  role: "custom",
  customType: entry.customType,
  content,
  display: entry.display,
  details: entry.details,
  timestamp: millis(entry),
});

const withContent = (message, content) => ({ ...message, content: message.content ?? content });

/** How an entry becomes a message: `How` in the core, by its number. */
const MESSAGE_OF = [
  (entry) => entry.message,
  (entry) => withContent(entry.message, []),
  (entry) => withContent(entry.message, ""),
  (entry) => custom(entry, entry.content),
  (entry) => custom(entry, entry.content ?? []),
  (entry) => ({ role: "branchSummary", summary: entry.summary, fromId: entry.fromId, timestamp: millis(entry) }),
  (entry) => ({
    role: "compactionSummary",
    summary: entry.summary,
    tokensBefore: entry.tokensBefore,
    timestamp: millis(entry),
  }),
];

/** The context that a plan of the core leads to. `objects` has the entries by number. */
function applyPlan({ messages: steps, settings }, objects) {
  const messages = new Array(steps.length);
  for (let i = 0; i < steps.length; i++) {
    const how = steps[i] & 7;
    const entry = objects[steps[i] >>> 3];
    messages[i] = how === 0 ? entry.message : MESSAGE_OF[how](entry);
  }
  const { thinkingLevel, model } = JSON.parse(settings);
  return { messages, thinkingLevel, model: model && { provider: model.provider, modelId: model.modelId } };
}

/** The context of a caller's entries, found by the caller's map if there is one. */
function buildSessionContext(entries, leafId, byId) {
  let objects = entries;
  let keys;
  let last = entries.length - 1;
  if (byId) {
    const lastEntry = entries[last];
    objects = [...byId.values()];
    keys = Array.from(byId.keys(), (key) => (typeof key === "string" ? key : null));
    last = objects.lastIndexOf(lastEntry);
    if (last < 0 && lastEntry) {
      // It is in the list, but the map does not lead to it.
      keys.push(null);
      last = objects.push(lastEntry) - 1;
    }
  }
  const leaf = typeof leafId === "string" ? leafId : null;
  const described = Array.from(objects, describe).join("\n");
  return applyPlan(native.buildSessionContext(described, keys, leaf, leafId === null, last), objects);
}

/** The last compaction among a caller's entries. Terminals ask for it at every frame. */
function getLatestCompactionEntry(entries) {
  for (let i = entries.length - 1; i >= 0; i--) {
    if (entries[i].type === "compaction") return entries[i]; // layer-exception: latest compaction
  }
  return null;
}

module.exports = { applyPlan, buildSessionContext, getLatestCompactionEntry };
