// An entry or a message in a few words. Sessions are read here as they are found, so any field may be
// missing or hold something else than it should.

/** @returns {{ kind: string, text: string }} What sort of entry it is, and what it says. */
export function describeEntry(entry) {
  switch (entry.type) {
    case "message":
      return describeMessage(entry.message ?? {});
    case "model_change":
      return { kind: "model", text: `${entry.provider}/${entry.modelId}` };
    case "thinking_level_change":
      return { kind: "thinking", text: `${entry.thinkingLevel}` };
    case "compaction":
      return { kind: "compaction", text: `${tokens(entry.tokensBefore)} became: ${entry.summary}` };
    case "branch_summary":
      return { kind: "summary", text: `of the branch left at ${entry.fromId}: ${entry.summary}` };
    case "custom":
      return { kind: "extension", text: `${entry.customType}: ${JSON.stringify(entry.data) ?? ""}` };
    case "custom_message":
      return { kind: "extension", text: `${entry.customType}: ${contentText(entry.content)}` };
    case "label":
      return { kind: "label", text: entry.label ? `"${entry.label}" on ${entry.targetId}` : `none on ${entry.targetId}` };
    case "session_info":
      return { kind: "name", text: entry.name ? `"${entry.name}"` : "none" };
    default:
      return { kind: String(entry.type), text: "" };
  }
}

/** @returns {{ kind: string, text: string }} The role, and the beginning of what it says. */
export function describeMessage(message) {
  const kind = String(message.role ?? "message");
  switch (message.role) {
    case "toolResult":
      return { kind: "tool", text: `${message.toolName}${message.isError ? " failed" : ""}: ${contentText(message.content)}` };
    case "bashExecution":
      return { kind: "bash", text: `$ ${message.command}` };
    case "branchSummary":
    case "compactionSummary":
      return { kind: "summary", text: String(message.summary) };
    case "custom":
      return { kind: "extension", text: `${message.customType}: ${contentText(message.content)}` };
    default:
      return { kind, text: contentText(message.content) || (message.stopReason === "aborted" ? "(stopped)" : "(nothing)") };
  }
}

function contentText(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  // What was said is better than what was thought, and that better than nothing.
  const blocks = content.map(blockText).filter(({ text }) => text !== "");
  const said = blocks.filter(({ thought }) => !thought);
  return (said.length > 0 ? said : blocks).map(({ text }) => text).join(" ");
}

function blockText(block) {
  switch (block?.type) {
    case "text":
      return { text: String(block.text) };
    case "thinking":
      return { text: `(thinks) ${block.thinking}`, thought: true };
    case "toolCall":
      return { text: `→ ${block.name} ${JSON.stringify(block.arguments) ?? ""}` };
    case "image":
      return { text: `[${block.mimeType ?? "image"}]` };
    default:
      return { text: "" };
  }
}

function tokens(number) {
  return typeof number === "number" ? `${number.toLocaleString("en")} tokens` : "earlier messages";
}
