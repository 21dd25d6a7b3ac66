// Our types stand where the reference's are expected, and theirs where ours are, so that a host can
// change the import and nothing else. Nothing here runs: tsc is the test.
import * as ours from "@elyracode/session-manager";
import type * as agent from "@mariozechner/pi-agent-core";
import type * as ai from "@mariozechner/pi-ai";
import type * as messages from "../../../node_modules/@mariozechner/pi-coding-agent/dist/core/messages.js";
import * as theirs from "../../../node_modules/@mariozechner/pi-coding-agent/dist/core/session-manager.js";

/** Compiles only where a `From` can be assigned to a `To`; the error names the field that differs. */
declare function fits<From extends To, To>(): void;

// --- Content blocks and what messages are made of ---

fits<ours.TextContent, ai.TextContent>(); fits<ai.TextContent, ours.TextContent>();
fits<ours.ImageContent, ai.ImageContent>(); fits<ai.ImageContent, ours.ImageContent>();
fits<ours.ThinkingContent, ai.ThinkingContent>(); fits<ai.ThinkingContent, ours.ThinkingContent>();
fits<ours.ToolCall, ai.ToolCall>(); fits<ai.ToolCall, ours.ToolCall>();
fits<ours.Usage, ai.Usage>(); fits<ai.Usage, ours.Usage>();
fits<ours.StopReason, ai.StopReason>(); fits<ai.StopReason, ours.StopReason>();
fits<ours.AssistantMessageDiagnostic, ai.AssistantMessageDiagnostic>();
fits<ai.AssistantMessageDiagnostic, ours.AssistantMessageDiagnostic>();
fits<ours.DiagnosticErrorInfo, ai.DiagnosticErrorInfo>(); fits<ai.DiagnosticErrorInfo, ours.DiagnosticErrorInfo>();

// Optional fields are where assignability is blind: a field missing on one side still fits. So the
// names of all fields are compared as well.
fits<keyof ai.TextContent, keyof ours.TextContent>(); fits<keyof ours.TextContent, keyof ai.TextContent>();
fits<keyof ai.ThinkingContent, keyof ours.ThinkingContent>(); fits<keyof ours.ThinkingContent, keyof ai.ThinkingContent>();
fits<keyof ai.ImageContent, keyof ours.ImageContent>(); fits<keyof ours.ImageContent, keyof ai.ImageContent>();
fits<keyof ai.ToolCall, keyof ours.ToolCall>(); fits<keyof ours.ToolCall, keyof ai.ToolCall>();

// --- Messages, role by role ---

fits<ours.UserMessage, ai.UserMessage>(); fits<ai.UserMessage, ours.UserMessage>();
fits<ours.AssistantMessage, ai.AssistantMessage>(); fits<ai.AssistantMessage, ours.AssistantMessage>();
fits<ours.ToolResultMessage, ai.ToolResultMessage>(); fits<ai.ToolResultMessage, ours.ToolResultMessage>();
fits<ours.ToolResultMessage<Date>, ai.ToolResultMessage<Date>>();
fits<ai.ToolResultMessage<Date>, ours.ToolResultMessage<Date>>();
fits<ours.BashExecutionMessage, messages.BashExecutionMessage>();
fits<messages.BashExecutionMessage, ours.BashExecutionMessage>();
fits<ours.CustomMessage, messages.CustomMessage>(); fits<messages.CustomMessage, ours.CustomMessage>();
fits<ours.CustomMessage<Date>, messages.CustomMessage<Date>>();
fits<messages.CustomMessage<Date>, ours.CustomMessage<Date>>();
fits<ours.BranchSummaryMessage, messages.BranchSummaryMessage>();
fits<messages.BranchSummaryMessage, ours.BranchSummaryMessage>();
fits<ours.CompactionSummaryMessage, messages.CompactionSummaryMessage>();
fits<messages.CompactionSummaryMessage, ours.CompactionSummaryMessage>();
fits<ours.Message, ai.Message>(); fits<ai.Message, ours.Message>();
// The reference's union is open to augmentation; this is what it is with the agent's own roles.
fits<ours.AgentMessage, agent.AgentMessage>(); fits<agent.AgentMessage, ours.AgentMessage>();

// Spelled out twice: two uses of one generic alias would be compared by their arguments alone.
type Role = ours.AgentMessage["role"];
type OurFields = { [R in Role]: keyof Extract<ours.AgentMessage, { role: R }> };
type TheirFields = { [R in Role]: keyof Extract<agent.AgentMessage, { role: R }> };
fits<OurFields, TheirFields>(); fits<TheirFields, OurFields>();

// --- Header and entries, type by type ---

fits<ours.SessionHeader, theirs.SessionHeader>(); fits<theirs.SessionHeader, ours.SessionHeader>();
fits<ours.NewSessionOptions, theirs.NewSessionOptions>(); fits<theirs.NewSessionOptions, ours.NewSessionOptions>();
fits<ours.SessionEntryBase, theirs.SessionEntryBase>(); fits<theirs.SessionEntryBase, ours.SessionEntryBase>();
fits<ours.SessionMessageEntry, theirs.SessionMessageEntry>();
fits<theirs.SessionMessageEntry, ours.SessionMessageEntry>();
fits<ours.ThinkingLevelChangeEntry, theirs.ThinkingLevelChangeEntry>();
fits<theirs.ThinkingLevelChangeEntry, ours.ThinkingLevelChangeEntry>();
fits<ours.ModelChangeEntry, theirs.ModelChangeEntry>(); fits<theirs.ModelChangeEntry, ours.ModelChangeEntry>();
fits<ours.CompactionEntry, theirs.CompactionEntry>(); fits<theirs.CompactionEntry, ours.CompactionEntry>();
fits<ours.CompactionEntry<Date>, theirs.CompactionEntry<Date>>();
fits<theirs.CompactionEntry<Date>, ours.CompactionEntry<Date>>();
fits<ours.BranchSummaryEntry, theirs.BranchSummaryEntry>(); fits<theirs.BranchSummaryEntry, ours.BranchSummaryEntry>();
fits<ours.BranchSummaryEntry<Date>, theirs.BranchSummaryEntry<Date>>();
fits<theirs.BranchSummaryEntry<Date>, ours.BranchSummaryEntry<Date>>();
fits<ours.CustomEntry, theirs.CustomEntry>(); fits<theirs.CustomEntry, ours.CustomEntry>();
fits<ours.CustomEntry<Date>, theirs.CustomEntry<Date>>(); fits<theirs.CustomEntry<Date>, ours.CustomEntry<Date>>();
fits<ours.CustomMessageEntry, theirs.CustomMessageEntry>(); fits<theirs.CustomMessageEntry, ours.CustomMessageEntry>();
fits<ours.CustomMessageEntry<Date>, theirs.CustomMessageEntry<Date>>();
fits<theirs.CustomMessageEntry<Date>, ours.CustomMessageEntry<Date>>();
fits<ours.LabelEntry, theirs.LabelEntry>(); fits<theirs.LabelEntry, ours.LabelEntry>();
fits<ours.SessionInfoEntry, theirs.SessionInfoEntry>(); fits<theirs.SessionInfoEntry, ours.SessionInfoEntry>();
fits<ours.SessionEntry, theirs.SessionEntry>(); fits<theirs.SessionEntry, ours.SessionEntry>();
fits<ours.FileEntry, theirs.FileEntry>(); fits<theirs.FileEntry, ours.FileEntry>();

type EntryType = ours.FileEntry["type"];
type OurEntryFields = { [T in EntryType]: keyof Extract<ours.FileEntry, { type: T }> };
type TheirEntryFields = { [T in EntryType]: keyof Extract<theirs.FileEntry, { type: T }> };
fits<OurEntryFields, TheirEntryFields>(); fits<TheirEntryFields, OurEntryFields>();

// --- What is read out of a session ---

fits<ours.SessionTreeNode, theirs.SessionTreeNode>(); fits<theirs.SessionTreeNode, ours.SessionTreeNode>();
fits<ours.SessionContext, theirs.SessionContext>(); fits<theirs.SessionContext, ours.SessionContext>();
fits<ours.SessionInfo, theirs.SessionInfo>(); fits<theirs.SessionInfo, ours.SessionInfo>();
fits<keyof ours.SessionTreeNode, keyof theirs.SessionTreeNode>();
fits<keyof theirs.SessionTreeNode, keyof ours.SessionTreeNode>();
fits<keyof ours.SessionInfo, keyof theirs.SessionInfo>(); fits<keyof theirs.SessionInfo, keyof ours.SessionInfo>();
fits<ours.SessionListProgress, theirs.SessionListProgress>();
fits<theirs.SessionListProgress, ours.SessionListProgress>();
fits<ours.ReadonlySessionManager, theirs.ReadonlySessionManager>();
fits<theirs.ReadonlySessionManager, ours.ReadonlySessionManager>();

// --- The class ---

// `_persist` is public in the reference's declarations by oversight: nothing outside its own class
// calls it, and it has no place in ours. Its private fields keep a class type from ever being
// assigned to it; picking its keys leaves them out.
// Ours has more methods than the reference; callers of the reference do not know of those.
type More = "refresh" | "getDiagnostics" | "setDurability";
type Ours = Omit<Pick<ours.SessionManager, keyof ours.SessionManager>, More>;
type Theirs = Omit<Pick<theirs.SessionManager, keyof theirs.SessionManager>, "_persist">;
fits<Ours, Theirs>(); fits<Theirs, Ours>();
fits<theirs.SessionManager, Ours>();
fits<keyof Ours, keyof Theirs>(); fits<keyof Theirs, keyof Ours>();

// Parameters one by one: methods as a whole are compared leniently, parameters in either direction.
type OurParameters = { [K in keyof Ours]: Ours[K] extends (...args: infer P) => unknown ? P : never };
type TheirParameters = { [K in keyof Theirs]: Theirs[K] extends (...args: infer P) => unknown ? P : never };
fits<OurParameters, TheirParameters>(); fits<TheirParameters, OurParameters>();

// --- Statics: what they take, and what they give, where that is not a manager ---

type OurClass = Omit<typeof ours.SessionManager, "verify" | "repair">;
type TheirClass = typeof theirs.SessionManager;
type Static = "create" | "open" | "continueRecent" | "inMemory" | "forkFrom" | "list" | "listAll";
fits<keyof OurClass, Static | "prototype">(); fits<keyof TheirClass, Static | "prototype">();
fits<Static, keyof OurClass>(); fits<Static, keyof TheirClass>();
type OurStatics = { [K in Static]: OurClass[K] extends (...args: infer P) => unknown ? P : never };
type TheirStatics = { [K in Static]: TheirClass[K] extends (...args: infer P) => unknown ? P : never };
fits<OurStatics, TheirStatics>(); fits<TheirStatics, OurStatics>();
fits<ReturnType<TheirClass["open"]>, Omit<ReturnType<OurClass["open"]>, More>>();
fits<ReturnType<OurClass["list"]>, ReturnType<TheirClass["list"]>>();
fits<ReturnType<TheirClass["list"]>, ReturnType<OurClass["list"]>>();
fits<ReturnType<OurClass["listAll"]>, ReturnType<TheirClass["listAll"]>>();
fits<ReturnType<TheirClass["listAll"]>, ReturnType<OurClass["listAll"]>>();

// --- Functions and values of the module ---

type OurModule = Omit<typeof ours, "SessionManager" | "configure" | "default">;
type TheirModule = Omit<typeof theirs, "SessionManager">;
fits<OurModule, TheirModule>(); fits<TheirModule, OurModule>();
fits<keyof OurModule, keyof TheirModule>(); fits<keyof TheirModule, keyof OurModule>();
