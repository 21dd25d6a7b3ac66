// Headers, entries and messages in the shorthand of the case list: `H` a header, `U` a user entry,
// `A` an assistant entry, `C` a compaction, and so on.

export const T = "2025-01-01T00:00:00.000Z";
export const MS = Date.parse(T);

export const user = (content = "hello") => ({ role: "user", content, timestamp: MS });

export const assistant = (text = "hi") => ({
  role: "assistant",
  content: [{ type: "text", text }],
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude",
  usage: {
    input: 1, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 3,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "stop",
  timestamp: MS,
});

export const toolResult = (text = "out") => ({
  role: "toolResult",
  toolCallId: "call_1",
  toolName: "bash",
  content: [{ type: "text", text }],
  isError: false,
  timestamp: MS,
});

export const bashExecution = (command = "ls") => ({
  role: "bashExecution",
  command,
  output: "x",
  exitCode: 0,
  cancelled: false,
  truncated: false,
  timestamp: MS,
});

export const H = (over = {}) => ({ type: "session", version: 3, id: "h1", timestamp: T, cwd: "/w", ...over });

const entry = (type, id, parentId, fields) => ({ type, id, parentId, timestamp: T, ...fields });

/** A message entry with any message. */
export const E = (id, parentId, message) => entry("message", id, parentId, { message });
export const U = (id, parentId = null, content = `${id} asks`) => E(id, parentId, user(content));
export const A = (id, parentId = null, text = `${id} answers`) => E(id, parentId, assistant(text));
export const C = (id, parentId, firstKeptEntryId, summary = `${id} sums up`) =>
  entry("compaction", id, parentId, { summary, firstKeptEntryId, tokensBefore: 100 });
/** A label on `targetId`; the key is left out when there is no label. */
export const L = (id, parentId, targetId, label) =>
  entry("label", id, parentId, label === undefined ? { targetId } : { targetId, label });
export const Model = (id, parentId, provider, modelId) => entry("model_change", id, parentId, { provider, modelId });
export const Thinking = (id, parentId, thinkingLevel) => entry("thinking_level_change", id, parentId, { thinkingLevel });
export const Info = (id, parentId, name) => entry("session_info", id, parentId, { name });
export const Summary = (id, parentId, fromId, summary) => entry("branch_summary", id, parentId, { fromId, summary });
export const Custom = (id, parentId, data) => entry("custom", id, parentId, { customType: "ext", data });
export const CustomMessage = (id, parentId, content) =>
  entry("custom_message", id, parentId, { customType: "ext", content, display: true });

/** A version 1 header and, from an entry, what version 1 wrote: no id, no parent. */
export const H1 = (over = {}) => ({ type: "session", id: "h1", timestamp: T, cwd: "/w", ...over });
export const old = ({ id, parentId, ...rest }) => rest;
