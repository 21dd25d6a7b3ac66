// Every export of index.d.ts, used the way callers use it. Nothing here runs: tsc is the test.
import { expectTypeOf } from "expect-type";
import * as everything from "@elyracode/session-manager";
import {
  CURRENT_SESSION_VERSION,
  SessionManager,
  buildSessionContext,
  configure,
  findMostRecentSession,
  getDefaultSessionDir,
  getLatestCompactionEntry,
  loadEntriesFromFile,
  migrateSessionEntries,
  parseSessionEntries,
} from "@elyracode/session-manager";
import type {
  AgentMessage,
  AssistantMessage,
  AssistantMessageDiagnostic,
  BashExecutionMessage,
  BranchSummaryEntry,
  BranchSummaryMessage,
  CompactionEntry,
  CompactionSummaryMessage,
  ConfigureOptions,
  CustomEntry,
  CustomMessage,
  CustomMessageEntry,
  DiagnosticErrorInfo,
  FileEntry,
  ImageContent,
  LabelEntry,
  Message,
  ModelChangeEntry,
  NewSessionOptions,
  ReadonlySessionManager,
  SessionContext,
  SessionEntry,
  SessionEntryBase,
  SessionHeader,
  SessionInfo,
  SessionInfoEntry,
  SessionListProgress,
  SessionMessageEntry,
  SessionTreeNode,
  StopReason,
  TextContent,
  ThinkingContent,
  ThinkingLevelChangeEntry,
  ToolCall,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "@elyracode/session-manager";

// The values a caller can import are these and no others. A new export must be used below as well.
expectTypeOf<keyof typeof everything>().toEqualTypeOf<
  | "CURRENT_SESSION_VERSION"
  | "SessionManager"
  | "buildSessionContext"
  | "configure"
  | "findMostRecentSession"
  | "getDefaultSessionDir"
  | "getLatestCompactionEntry"
  | "loadEntriesFromFile"
  | "migrateSessionEntries"
  | "parseSessionEntries"
  // All of it once more, since the module is CommonJS.
  | "default"
>();

// --- Messages ---

const text: TextContent = { type: "text", text: "hello", textSignature: "s" };
const image: ImageContent = { type: "image", data: "aGk=", mimeType: "image/png" };
const thinking: ThinkingContent = { type: "thinking", thinking: "hm", thinkingSignature: "s", redacted: true };
const call: ToolCall = { type: "toolCall", id: "t", name: "bash", arguments: { command: "ls" }, thoughtSignature: "s" };
const usage: Usage = {
  input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10,
  cost: { input: 0.1, output: 0.2, cacheRead: 0, cacheWrite: 0, total: 0.3 },
};
const problem: DiagnosticErrorInfo = { message: "no", name: "E", stack: "", code: 500 };
const diagnostic: AssistantMessageDiagnostic = { type: "retry", timestamp: 1, error: problem, details: { n: 1 } };
const user: UserMessage = { role: "user", content: [text, image], timestamp: 1 };
const assistant: AssistantMessage = {
  role: "assistant", content: [thinking, text, call], api: "anthropic-messages", provider: "anthropic", model: "m",
  responseModel: "m2", responseId: "r", diagnostics: [diagnostic], usage, stopReason: "stop", timestamp: 1,
};
const toolResult: ToolResultMessage<{ exit: number }> = {
  role: "toolResult", toolCallId: "t", toolName: "bash", content: [text, image], details: { exit: 0 }, isError: false,
  timestamp: 1,
};
const bash: BashExecutionMessage = {
  role: "bashExecution", command: "ls", output: "", exitCode: undefined, cancelled: true, truncated: false,
  fullOutputPath: "/tmp/o", excludeFromContext: true, timestamp: 1,
};
const custom: CustomMessage<number[]> = {
  role: "custom", customType: "x", content: "hi", display: true, details: [1], timestamp: 1,
};
const branchSummary: BranchSummaryMessage = { role: "branchSummary", summary: "s", fromId: "root", timestamp: 1 };
const compactionSummary: CompactionSummaryMessage = {
  role: "compactionSummary", summary: "s", tokensBefore: 1, timestamp: 1,
};

expectTypeOf<Message["role"]>().toEqualTypeOf<"user" | "assistant" | "toolResult">();
expectTypeOf<AgentMessage["role"]>().toEqualTypeOf<
  Message["role"] | "bashExecution" | "custom" | "branchSummary" | "compactionSummary"
>();
expectTypeOf<AssistantMessage["stopReason"]>().toEqualTypeOf<StopReason>();
expectTypeOf<Extract<AgentMessage, { role: "toolResult" }>>().toEqualTypeOf<ToolResultMessage>();
expectTypeOf<ToolResultMessage["details"]>().toBeAny();
expectTypeOf<CustomMessage["details"]>().toBeUnknown();
expectTypeOf<CustomMessage<string>["details"]>().toEqualTypeOf<string | undefined>();
// @ts-expect-error exitCode may be undefined, but its key is always there
const noExitCode: BashExecutionMessage = { role: "bashExecution", command: "", output: "", cancelled: false, truncated: false, timestamp: 1 };
// @ts-expect-error an answer has no pictures
const pictureAnswer: AssistantMessage = { ...assistant, content: [image] };

// --- Header and entries ---

const header: SessionHeader = { type: "session", id: "h", timestamp: "", cwd: "/w" };
expectTypeOf<SessionHeader>().toEqualTypeOf<{
  type: "session"; version?: number; id: string; timestamp: string; cwd: string; parentSession?: string;
}>();
expectTypeOf<SessionEntryBase>().toEqualTypeOf<{ type: string; id: string; parentId: string | null; timestamp: string }>();

const base = { id: "a", parentId: null, timestamp: "" };
const entries: SessionEntry[] = [
  { ...base, type: "message", message: user } satisfies SessionMessageEntry,
  { ...base, type: "thinking_level_change", thinkingLevel: "high" } satisfies ThinkingLevelChangeEntry,
  { ...base, type: "model_change", provider: "p", modelId: "m" } satisfies ModelChangeEntry,
  { ...base, type: "compaction", summary: "", firstKeptEntryId: "a", tokensBefore: 1, details: { a: 1 }, fromHook: true } satisfies CompactionEntry<{ a: number }>,
  { ...base, type: "branch_summary", fromId: "root", summary: "", details: "d", fromHook: false } satisfies BranchSummaryEntry<string>,
  { ...base, type: "custom", customType: "x", data: [1] } satisfies CustomEntry<number[]>,
  { ...base, type: "custom_message", customType: "x", content: [text, image], display: false, details: 1 } satisfies CustomMessageEntry<number>,
  { ...base, type: "label", targetId: "a", label: undefined } satisfies LabelEntry,
  { ...base, type: "session_info", name: "n" } satisfies SessionInfoEntry,
];
const fileEntries: FileEntry[] = [header, ...entries];
expectTypeOf<FileEntry>().toEqualTypeOf<SessionHeader | SessionEntry>();
expectTypeOf<SessionEntry["type"]>().toEqualTypeOf<
  | "message" | "thinking_level_change" | "model_change" | "compaction" | "branch_summary" | "custom"
  | "custom_message" | "label" | "session_info"
>();
expectTypeOf<CompactionEntry["details"]>().toBeUnknown();
expectTypeOf<CompactionEntry<Date>["details"]>().toEqualTypeOf<Date | undefined>();
expectTypeOf<BranchSummaryEntry["details"]>().toBeUnknown();
expectTypeOf<CustomEntry["data"]>().toBeUnknown();
expectTypeOf<CustomMessageEntry["details"]>().toBeUnknown();
expectTypeOf<LabelEntry["label"]>().toEqualTypeOf<string | undefined>();
// @ts-expect-error a label entry says what the label is now, even if that is nothing
const noLabel: LabelEntry = { ...base, type: "label", targetId: "a" };

// A switch over the type narrows, and the default is never reached by a known entry.
function describe(entry: SessionEntry): string {
  switch (entry.type) {
    case "message": return entry.message.role;
    case "thinking_level_change": return entry.thinkingLevel;
    case "model_change": return entry.provider + entry.modelId;
    case "compaction": return entry.summary + entry.firstKeptEntryId + entry.tokensBefore.toFixed();
    case "branch_summary": return entry.fromId + entry.summary;
    case "custom": return entry.customType;
    case "custom_message": return entry.customType + entry.display;
    case "label": return entry.targetId + (entry.label ?? "");
    case "session_info": return entry.name ?? "";
    default: return entry satisfies never;
  }
}

// --- Functions ---

expectTypeOf<typeof CURRENT_SESSION_VERSION>().toEqualTypeOf<3>();
const version: 3 = CURRENT_SESSION_VERSION;
expectTypeOf<ConfigureOptions>().toEqualTypeOf<{
  appName?: string; configDir?: string; agentDir?: string | (() => string); durability?: "none" | "fsync";
}>();
expectTypeOf(configure({ appName: "pi" })).toEqualTypeOf<void>();
configure({ appName: "pi", configDir: ".pi", agentDir: "~/x" });
configure({ appName: "pi", agentDir: () => "/x" });
configure({ agentDir: "/x", durability: "fsync" });
configure();
// @ts-expect-error the directory is asked for synchronously
configure({ appName: "pi", agentDir: async () => "/x" });

expectTypeOf(migrateSessionEntries(fileEntries)).toEqualTypeOf<void>();
expectTypeOf(parseSessionEntries("")).toEqualTypeOf<FileEntry[]>();
expectTypeOf(getLatestCompactionEntry(entries)).toEqualTypeOf<CompactionEntry | null>();
expectTypeOf(buildSessionContext(entries)).toEqualTypeOf<SessionContext>();
buildSessionContext(entries, null);
buildSessionContext(entries, "a", new Map(entries.map((entry) => [entry.id, entry])));
buildSessionContext(entries, undefined, undefined);
// @ts-expect-error a header is not an entry
buildSessionContext(fileEntries);
expectTypeOf(getDefaultSessionDir("/w")).toEqualTypeOf<string>();
getDefaultSessionDir("/w", "/agent");
expectTypeOf(loadEntriesFromFile("f.jsonl")).toEqualTypeOf<FileEntry[]>();
expectTypeOf(findMostRecentSession("/dir")).toEqualTypeOf<string | null>();

export { assistant, bash, branchSummary, compactionSummary, custom, toolResult, user };
export { describe, noExitCode, noLabel, pictureAnswer, version };
export type { NewSessionOptions, ReadonlySessionManager, SessionInfo, SessionListProgress, SessionTreeNode };
