/**
 * Sessions of the Elyra coding agent: append-only JSONL files whose entries form a tree.
 *
 * A session file holds one JSON object a line: a header, then entries. Every entry names its parent,
 * so one file keeps every branch of a conversation. The manager's *leaf* is the entry the next one
 * is appended under; the way from the root to the leaf is what the model gets to see.
 *
 * The rules come from the published format description ("Session File Format"); the names and
 * signatures are those of the TypeScript module this package replaces. Where behaviour differs,
 * `docs/compatibility.md` says how and why.
 */

// ---------------------------------------------------------------------------------------------
// Content blocks and messages. The base shapes are stored inside entries and passed through whole:
// fields this file does not know survive reading, branching and forking unchanged.
// ---------------------------------------------------------------------------------------------

/** A piece of plain text. */
export interface TextContent {
  type: "text";
  text: string;
  /** Opaque proof some providers attach and want back with the next request. */
  textSignature?: string;
}

/** A picture, inline. */
export interface ImageContent {
  type: "image";
  /** The bytes in base64, without a `data:` prefix. */
  data: string;
  /** Media type, such as `image/png`. */
  mimeType: string;
}

/** The model's reasoning before an answer. */
export interface ThinkingContent {
  type: "thinking";
  thinking: string;
  /** Opaque proof to send back; holds the encrypted reasoning where `redacted` is true. */
  thinkingSignature?: string;
  /** The provider withheld the readable text. */
  redacted?: boolean;
}

/** The model asks for a tool to be run. */
export interface ToolCall {
  type: "toolCall";
  /** Repeated by the answering {@link ToolResultMessage} as `toolCallId`. */
  id: string;
  name: string;
  arguments: Record<string, any>;
  /** Opaque proof to send back with the call. */
  thoughtSignature?: string;
}

/** What one model answer used, in tokens, and what that cost, in US dollars. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  totalTokens: number;
  cost: {
    input: number;
    output: number;
    cacheRead: number;
    cacheWrite: number;
    total: number;
  };
}

/** Why the model stopped: done, out of room, waiting for a tool, failed, or stopped by the user. */
export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted";

/** A thrown value, reduced to what can be stored. */
export interface DiagnosticErrorInfo {
  name?: string;
  message: string;
  stack?: string;
  code?: string | number;
}

/** Something a provider noticed while it made an answer. */
export interface AssistantMessageDiagnostic {
  type: string;
  /** Unix time in milliseconds. */
  timestamp: number;
  error?: DiagnosticErrorInfo;
  details?: Record<string, unknown>;
}

/** What the user said. */
export interface UserMessage {
  role: "user";
  content: string | (TextContent | ImageContent)[];
  /** Unix time in milliseconds. */
  timestamp: number;
}

/** What the model answered. */
export interface AssistantMessage {
  role: "assistant";
  content: (TextContent | ThinkingContent | ToolCall)[];
  /** The wire protocol spoken, such as `anthropic-messages`. */
  api: string;
  provider: string;
  /** The model asked for. With `provider` it becomes the context's current model. */
  model: string;
  /** The model that answered, where the provider names another one. */
  responseModel?: string;
  /** The provider's own id of the answer. */
  responseId?: string;
  diagnostics?: AssistantMessageDiagnostic[];
  usage: Usage;
  stopReason: StopReason;
  /** Present when `stopReason` is `error` or `aborted`. */
  errorMessage?: string;
  /** Unix time in milliseconds. */
  timestamp: number;
}

/** What a tool gave back. `TDetails` is the tool's own data, which the model does not see. */
export interface ToolResultMessage<TDetails = any> {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: (TextContent | ImageContent)[];
  details?: TDetails;
  isError: boolean;
  /** Unix time in milliseconds. */
  timestamp: number;
}

/** A shell command the user ran from the prompt. */
export interface BashExecutionMessage {
  role: "bashExecution";
  command: string;
  output: string;
  /** `undefined` when the command was stopped before it ended. */
  exitCode: number | undefined;
  cancelled: boolean;
  /** `output` holds only a part; the rest is in the file `fullOutputPath`. */
  truncated: boolean;
  fullOutputPath?: string;
  /** The user asked that the model not be told (`!!`). */
  excludeFromContext?: boolean;
  /** Unix time in milliseconds. */
  timestamp: number;
}

/** A message an extension put in. In a context it also stands for a {@link CustomMessageEntry}. */
export interface CustomMessage<T = unknown> {
  role: "custom";
  /** Which extension it belongs to. */
  customType: string;
  content: string | (TextContent | ImageContent)[];
  /** Whether the terminal shows it. */
  display: boolean;
  /** The extension's own data; not sent to the model. */
  details?: T;
  /** Unix time in milliseconds. */
  timestamp: number;
}

/** Stands in a context for a {@link BranchSummaryEntry}. Never stored as a message. */
export interface BranchSummaryMessage {
  role: "branchSummary";
  summary: string;
  fromId: string;
  /** Unix time in milliseconds: the entry's time. */
  timestamp: number;
}

/** Stands in a context for a {@link CompactionEntry}. Never stored as a message. */
export interface CompactionSummaryMessage {
  role: "compactionSummary";
  summary: string;
  /** Size of the context before it was compacted, in tokens. */
  tokensBefore: number;
  /** Unix time in milliseconds: the entry's time. */
  timestamp: number;
}

/** The messages a model provider understands. */
export type Message = UserMessage | AssistantMessage | ToolResultMessage;

/** Every message a session can store or a context can hold. */
export type AgentMessage =
  | Message
  | BashExecutionMessage
  | CustomMessage
  | BranchSummaryMessage
  | CompactionSummaryMessage;

// ---------------------------------------------------------------------------------------------
// What a file holds.
// ---------------------------------------------------------------------------------------------

/**
 * The version this package writes. Version 1 had neither ids nor parents, version 2 called the role
 * `custom` `hookMessage`. Older files are migrated when opened; newer ones are opened as they are.
 */
export declare const CURRENT_SESSION_VERSION = 3;

/** The first line of a file. Not part of the tree. */
export interface SessionHeader {
  type: "session";
  /** Absent in version 1. */
  version?: number;
  /** The session's id: a UUID unless the caller chose one. */
  id: string;
  /** When the session began, ISO 8601 in UTC. */
  timestamp: string;
  /** The directory the agent worked in. */
  cwd: string;
  /** File this session was forked or branched from. A new header has the key even when `undefined`. */
  parentSession?: string;
}

/** Options of {@link SessionManager.newSession}. */
export interface NewSessionOptions {
  /**
   * Id to use in place of a fresh UUID. Letters, digits, `.`, `_` and `-`, with a letter or digit at
   * both ends, since it becomes part of a file name.
   */
  id?: string;
  /** Stored in the header as given. */
  parentSession?: string;
}

/** What all entries have. */
export interface SessionEntryBase {
  type: string;
  /** Unique in its file: 8 hexadecimal digits when made here. */
  id: string;
  /** The entry this one follows, or null for a root. */
  parentId: string | null;
  /** When it was appended, ISO 8601 in UTC. */
  timestamp: string;
}

/** A message of the conversation. */
export interface SessionMessageEntry extends SessionEntryBase {
  type: "message";
  message: AgentMessage;
}

/** From here on the model thinks this hard. */
export interface ThinkingLevelChangeEntry extends SessionEntryBase {
  type: "thinking_level_change";
  thinkingLevel: string;
}

/** From here on this model answers. */
export interface ModelChangeEntry extends SessionEntryBase {
  type: "model_change";
  provider: string;
  modelId: string;
}

/** Earlier messages were replaced by a summary. `T` is the maker's own data. */
export interface CompactionEntry<T = unknown> extends SessionEntryBase {
  type: "compaction";
  summary: string;
  /** The first entry before this one that the model still sees in full. */
  firstKeptEntryId: string;
  /** Size of the context before, in tokens. */
  tokensBefore: number;
  details?: T;
  /** True when an extension made it. The name is historical. */
  fromHook?: boolean;
}

/** What was learnt on a branch that was left. `T` is the maker's own data. */
export interface BranchSummaryEntry<T = unknown> extends SessionEntryBase {
  type: "branch_summary";
  /** The leaf that was left, or `"root"` where there was none. */
  fromId: string;
  /** An empty summary adds nothing to the context. */
  summary: string;
  details?: T;
  /** True when an extension made it. The name is historical. */
  fromHook?: boolean;
}

/** State an extension keeps in the session. The model never sees it. */
export interface CustomEntry<T = unknown> extends SessionEntryBase {
  type: "custom";
  /** Which extension it belongs to. */
  customType: string;
  data?: T;
}

/** A bookmark on another entry. The last one for a target counts. */
export interface LabelEntry extends SessionEntryBase {
  type: "label";
  targetId: string;
  /** `undefined` or empty takes the label away. */
  label: string | undefined;
}

/** What is known about the session as a whole. The last one counts. */
export interface SessionInfoEntry extends SessionEntryBase {
  type: "session_info";
  /** Name to show. Empty takes it away. */
  name?: string;
}

/** A message an extension put into the context, stored as an entry of its own. */
export interface CustomMessageEntry<T = unknown> extends SessionEntryBase {
  type: "custom_message";
  /** Which extension it belongs to. */
  customType: string;
  content: string | (TextContent | ImageContent)[];
  /** The extension's own data; not sent to the model. */
  details?: T;
  /** Whether the terminal shows it. The model sees it either way. */
  display: boolean;
}

/** A node of the tree. Entries of types not listed here are kept and handed out all the same. */
export type SessionEntry =
  | SessionMessageEntry
  | ThinkingLevelChangeEntry
  | ModelChangeEntry
  | CompactionEntry
  | BranchSummaryEntry
  | CustomEntry
  | CustomMessageEntry
  | LabelEntry
  | SessionInfoEntry;

/** A line of a file. */
export type FileEntry = SessionHeader | SessionEntry;

// ---------------------------------------------------------------------------------------------
// What is read out of a session.
// ---------------------------------------------------------------------------------------------

/** An entry with those that follow it. Fresh at each call of `getTree`, so it may be changed. */
export interface SessionTreeNode {
  entry: SessionEntry;
  /** Oldest first, by timestamp. */
  children: SessionTreeNode[];
  /** The entry's label. The key is there even when it has none. */
  label?: string;
  /** When that label was set, ISO 8601. */
  labelTimestamp?: string;
}

/** What the model is given. */
export interface SessionContext {
  /** Oldest first. A fresh array; the messages are the stored objects wherever they fit as they are. */
  messages: AgentMessage[];
  /** `"off"` until an entry says otherwise. */
  thinkingLevel: string;
  /** From the last model change or assistant message on the way to the leaf. */
  model: { provider: string; modelId: string } | null;
}

/** A session as a list shows it. */
export interface SessionInfo {
  path: string;
  id: string;
  /** Empty where the header has none. */
  cwd: string;
  /** The name set last, trimmed. */
  name?: string;
  /** The header's `parentSession`. */
  parentSessionPath?: string;
  /** The header's time; an invalid Date where that is unreadable. */
  created: Date;
  /** Time of the last user or assistant message, else the header's, else the file's. */
  modified: Date;
  /** Message entries of every role, on all branches. */
  messageCount: number;
  /** Text of the first user message, or `"(no messages)"`. */
  firstMessage: string;
  /** Text of all user and assistant messages, joined by single spaces. At most 128 MiB of it, as written. */
  allMessagesText: string;
}

/** Called after each session read: how many so far, of how many. */
export type SessionListProgress = (loaded: number, total: number) => void;

/** The part of a manager that cannot change the session: what extensions get. */
export type ReadonlySessionManager = Pick<
  SessionManager,
  | "getCwd"
  | "getSessionDir"
  | "getSessionId"
  | "getSessionFile"
  | "getLeafId"
  | "getLeafEntry"
  | "getEntry"
  | "getLabel"
  | "getBranch"
  | "getHeader"
  | "getEntries"
  | "getTree"
  | "getSessionName"
>;

// ---------------------------------------------------------------------------------------------
// Functions on entries and places.
// ---------------------------------------------------------------------------------------------

/** Which agent this process belongs to. */
export interface ConfigureOptions {
  /**
   * The agent's name. Decides the environment variable `<APPNAME>_CODING_AGENT_DIR`, the default
   * directory `~/.<appName>/agent`, and how error messages call a session. `"elyra"` if left out.
   */
  appName?: string;
  /** Directory under the home directory, in place of `.<appName>`. */
  configDir?: string;
  /** The agent directory itself, or a function asked at each use. Goes before variable and default. */
  agentDir?: string | (() => string);
  /** What appends of managers made from now on survive; `"none"` if left out. */
  durability?: Durability;
}

/**
 * What an append that has returned can be trusted to survive.
 *
 * - `"none"`: the death of the process. Not a loss of power or a crash of the machine, which may cost
 *   the last seconds and leave NUL bytes or a torn line; those are read around, and `repair` mends them.
 * - `"fsync"`: a loss of power, too, as far as the device tells the truth. Each append then waits for
 *   the device, which takes milliseconds. Not the loss of the device.
 */
export type Durability = "none" | "fsync";

/**
 * What can be wrong with a session file. Damage, which a repair mends: `tornTail` (a last line cut
 * short), `nulRun` (NUL bytes left by a crash of the machine), `splicedRecords` (whole records on a
 * line that is not one), `notJson`, `notAnObject` (JSON, but no object), `secondHeader`. Notes, which
 * it leaves: `orphan` (the parent is not there), `cycle` (an entry that is its own ancestor),
 * `repeatedId`, `danglingLabel` and `danglingCompaction` (they name an entry that is not there),
 * `newerVersion`.
 */
export type SessionProblemKind =
  | "tornTail"
  | "nulRun"
  | "splicedRecords"
  | "notJson"
  | "notAnObject"
  | "secondHeader"
  | "orphan"
  | "cycle"
  | "repeatedId"
  | "danglingLabel"
  | "danglingCompaction"
  | "newerVersion";

/** A problem of a session file, and where it is. */
export interface SessionProblem {
  kind: SessionProblemKind;
  /** `damage` is mended by a repair; a `note` is left. */
  grade: "damage" | "note";
  /** Where the line starts, in bytes from the start of the file. */
  offset: number;
  /** Number of the line, from 1. */
  line: number;
  /** The entry it is about, where it is about one. */
  id?: string;
}

/** What `verify` found. */
export interface SessionReport {
  /** How many entries can be read. */
  entries: number;
  /** Problems of lines in the order of the file, then those of the tree. Empty for a sound file. */
  problems: SessionProblem[];
}

/** What `repair` did. */
export interface SessionRepair {
  /** How many entries the file has. */
  entries: number;
  /** The damage that was there; empty if nothing had to be done. */
  mended: SessionProblem[];
  /** The notes, which are still there. */
  notes: SessionProblem[];
  /** The file as it was, beside it; `undefined` if nothing had to be done. */
  backup: string | undefined;
}

/** What is odd about an open session, in numbers. All 0 for a sound one. */
export interface SessionDiagnostics {
  /** Lines that are not JSON. Whole records in them were read; the lines stay in the file. */
  damagedLines: number;
  /** Lines that are JSON, but no objects. */
  linesWithoutObject: number;
  /** Headers after the first. */
  secondHeaders: number;
  /** Entries whose parent is not there. */
  orphans: number;
  /** Entries that are their own ancestors. */
  cycles: number;
  /** Entries whose id an entry before them has. */
  repeatedIds: number;
  /** Labels in force on entries that are not there. */
  danglingLabels: number;
  /** Compactions that keep from an entry that is not there. */
  danglingCompactions: number;
}

/**
 * Tells this package whose sessions it keeps. For hosts other than Elyra; call it once at the start.
 * The agent directory is looked up at each use: `agentDir`, else the environment variable (`~` is
 * expanded), else the default under the home directory.
 */
export declare function configure(options?: ConfigureOptions): void;

/**
 * Brings entries of an old version to the current one, in place. Version 1 entries get ids and
 * parents in file order and `firstKeptEntryIndex` becomes `firstKeptEntryId`; up to version 2 the
 * role `hookMessage` becomes `custom`. The header among `entries` gives the version (1 if it has
 * none); entries of the current or a newer version stay as they are.
 */
export declare function migrateSessionEntries(entries: FileEntry[]): void;

/**
 * Reads lines of JSON. Lines that are not JSON are left out without a word; nothing is checked or
 * migrated, so any JSON value may come back.
 */
export declare function parseSessionEntries(content: string): FileEntry[];

/** The last compaction of an array, or null. Looks from the end. */
export declare function getLatestCompactionEntry(entries: SessionEntry[]): CompactionEntry | null;

/**
 * What the model is given at an entry of a caller's own array: the messages on the way from the root
 * to `leafId`, with what a compaction replaced left out, its summary first, and summaries and
 * extension messages turned into messages.
 *
 * @param leafId `null` gives an empty context; left out or unknown means the last entry.
 * @param byId Index to walk parents with, where the caller has one; made from `entries` otherwise.
 */
export declare function buildSessionContext(
  entries: SessionEntry[],
  leafId?: string | null,
  byId?: Map<string, SessionEntry>,
): SessionContext;

/**
 * The directory that keeps the sessions of `cwd`: `<agentDir>/sessions/--<cwd with dashes>--`. It is
 * made when missing, readable by its owner alone (0700). Names above 255 bytes are shortened with a
 * hash. `agentDir` is the configured one unless given.
 *
 * @throws Error when the directory cannot be made.
 */
export declare function getDefaultSessionDir(cwd: string, agentDir?: string): string;

/**
 * Header and entries of a file as stored: not migrated, and never written to. Damaged lines are left
 * out. An empty array where there is no such file or it does not begin with a session header.
 *
 * @throws Error when the file is there but cannot be read.
 */
export declare function loadEntriesFromFile(filePath: string): FileEntry[];

/** Path of the `.jsonl` file with a session header that was changed last, or null. Never throws. */
export declare function findMostRecentSession(sessionDir: string): string | null;

// ---------------------------------------------------------------------------------------------
// The manager.
// ---------------------------------------------------------------------------------------------

/**
 * One session: its entries, its leaf, and the file behind them.
 *
 * **Writing.** Appending is synchronous: when a call returns, the line is in the file. Up to the
 * first user or assistant message nothing is on disk; entries before it (model, thinking level, name)
 * live in memory only and are written together with it. A call that throws leaves the session, the
 * leaf and the file as they were. New files are readable by their owner alone (0600, directories
 * 0700).
 *
 * **Objects.** An entry is the same object at every call, and an appended message is kept as the
 * caller's object; arrays and tree nodes are fresh. Change nothing the tree rests on (ids, parents,
 * types, times): it moves nothing.
 *
 * **Paths.** Paths callers give are resolved against the process's directory, with a leading `~`
 * expanded. `""` stays `""`.
 */
export declare class SessionManager {
  /**
   * Use the static functions. The arguments are for JavaScript subclasses: working directory,
   * directory for new files, file to open (none for a new session), whether files are written.
   */
  private constructor(cwd: string, sessionDir: string, sessionFile: string | undefined, persist: boolean);

  // --- Making one ---

  /**
   * A new session for `cwd`. Its file is decided but not written yet; see the class.
   *
   * @param sessionDir Where the file goes; by default {@link getDefaultSessionDir} of `cwd`.
   * @throws Error when the directory cannot be made.
   */
  static create(cwd: string, sessionDir?: string): SessionManager;

  /**
   * The session of a file, with the leaf at its last entry. Opening changes nothing in a file of the
   * current version; an old one is migrated, through a temporary file. A file of 0 bytes gets a
   * header, and a path where nothing is starts a new session there.
   *
   * @param sessionDir Where sessions branched off go; by default the file's own directory.
   * @param cwdOverride Working directory in place of the header's.
   * @throws Error `Session file is not a valid elyra session: <path>` for anything else that does not
   *   begin with a session header (the name is that of {@link configure}); it is left untouched.
   *   Also when the file cannot be read.
   */
  static open(path: string, sessionDir?: string, cwdOverride?: string): SessionManager;

  /** The session of `cwd` that was changed last, or a new one. Throws as `open` and `create` do. */
  static continueRecent(cwd: string, sessionDir?: string): SessionManager;

  /** A session without a file. @param cwd The process's directory unless given. */
  static inMemory(cwd?: string): SessionManager;

  /**
   * A new session for `targetCwd` with every entry of another file, which becomes its
   * `parentSession`. The source is only read; one of an old version is migrated in the copy.
   *
   * @param sessionDir Where the new file goes; by default {@link getDefaultSessionDir} of `targetCwd`.
   * @throws Error `Cannot fork: source session file is empty or invalid: <path>` when there is no
   *   session to copy. Also when the new file cannot be written.
   */
  static forkFrom(sourcePath: string, targetCwd: string, sessionDir?: string): SessionManager;

  // --- Finding them ---

  /**
   * The sessions of a directory, those changed last first. Without `sessionDir` it is the default one
   * of `cwd`, and sessions of another `cwd` that shares its name are passed over. Files that are no
   * sessions are passed over too. A directory that cannot be read gives an empty array.
   */
  static list(cwd: string, sessionDir?: string, onProgress?: SessionListProgress): Promise<SessionInfo[]>;

  /** The sessions of every directory under the agent's, those changed last first. */
  static listAll(onProgress?: SessionListProgress): Promise<SessionInfo[]>;

  // --- Looking at files and mending them ---

  /**
   * Looks at a session file, line by line and as a tree. Nothing is written.
   *
   * @throws Error (rejects) when the file cannot be read or is no session at all.
   */
  static verify(path: string): Promise<SessionReport>;

  /**
   * Mends the damage of a session file: whole records in damaged lines get lines of their own; the
   * other bytes of such lines, lines that are no objects and repeated headers go. Everything else
   * stays byte for byte, and the file as it was is kept as `<name>.bak-<time>`, which no list shows.
   * The new file takes the old one's place whole or not at all; without damage nothing is written.
   *
   * @throws Error (rejects) when no header can be read, when the file is locked or changes meanwhile,
   * or when it cannot be written. The file is then as before.
   */
  static repair(path: string): Promise<SessionRepair>;

  /**
   * Takes in what other processes did to the file: entries that they appended join the tree, and a
   * file that replaced ours and holds our session becomes ours; what it lacks of ours is added to it.
   * The leaf stays where it is. Every append does so by itself.
   *
   * @throws Error when another session stands at the path, or lines that were read are gone.
   */
  refresh(): void;

  /** What is odd about the session, in numbers. */
  getDiagnostics(): SessionDiagnostics;

  /** Chooses what appends from now on survive. Managers begin with what `configure` says. */
  setDurability(durability: Durability): void;

  // --- Which session this is ---

  /**
   * Turns this manager to another file, as `open` would; the working directory stays.
   *
   * @throws Error as `open`; the manager is then as before.
   */
  setSessionFile(sessionFile: string): void;

  /**
   * Begins an empty session in this manager: no entries, no labels, no leaf.
   *
   * @returns The path its file will have; `undefined` in memory.
   * @throws Error when `options.id` does not have the allowed form.
   */
  newSession(options?: NewSessionOptions): string | undefined;

  /** Whether the session is kept in a file. */
  isPersisted(): boolean;

  /** The working directory. */
  getCwd(): string;

  /** The directory for new files; `""` in memory. */
  getSessionDir(): string;

  /** The header's id. */
  getSessionId(): string;

  /** The absolute path of the file, which may not be written yet; `undefined` in memory. */
  getSessionFile(): string | undefined;

  /** The header. */
  getHeader(): SessionHeader | null;

  /** The name set last, on any branch; `undefined` where there is none or it was taken away. */
  getSessionName(): string | undefined;

  // --- Appending: each adds a child of the leaf, moves the leaf there and returns its id. Each throws
  // --- an Error when the file cannot be written.

  /**
   * Appends a message. What is written is the message as it is now. Summaries have methods of their
   * own, which is why their message types are not accepted.
   */
  appendMessage(message: Message | CustomMessage | BashExecutionMessage): string;

  /** Records that the model thinks this hard from now on. */
  appendThinkingLevelChange(thinkingLevel: string): string;

  /** Records that another model answers from now on. */
  appendModelChange(provider: string, modelId: string): string;

  /**
   * Records that everything before `firstKeptEntryId` is now replaced by `summary`.
   *
   * @param tokensBefore Size of the context before, in tokens.
   * @param details The maker's own data.
   * @param fromHook True when an extension made the summary.
   */
  appendCompaction<T = unknown>(
    summary: string,
    firstKeptEntryId: string,
    tokensBefore: number,
    details?: T,
    fromHook?: boolean,
  ): string;

  /** Keeps state of an extension; the model does not see it. */
  appendCustomEntry(customType: string, data?: unknown): string;

  /** Names the session. The name is made one line and trimmed; an empty one takes the name away. */
  appendSessionInfo(name: string): string;

  /**
   * Puts a message of an extension into the context.
   *
   * @param display Whether the terminal shows it.
   * @param details The extension's own data; not sent to the model.
   */
  appendCustomMessageEntry<T = unknown>(
    customType: string,
    content: string | (TextContent | ImageContent)[],
    display: boolean,
    details?: T,
  ): string;

  /**
   * Labels an entry; `undefined` or `""` takes the label away.
   *
   * @throws Error `Entry <targetId> not found`.
   */
  appendLabelChange(targetId: string, label: string | undefined): string;

  // --- Walking the tree ---

  /** Where the next entry goes; null before any. */
  getLeafId(): string | null;

  /** The entry at the leaf. */
  getLeafEntry(): SessionEntry | undefined;

  /** The entry with this id, the last one where an id is repeated. */
  getEntry(id: string): SessionEntry | undefined;

  /** The entries whose parent is `parentId`, in the order of the file. */
  getChildren(parentId: string): SessionEntry[];

  /** The label an entry has now. */
  getLabel(id: string): string | undefined;

  /**
   * The way from the root to an entry (the leaf unless given), entries of every type, root first.
   * Empty for an unknown id. Ends at the first repeat where parents go in a circle.
   */
  getBranch(fromId?: string): SessionEntry[];

  /** All entries in the order of the file, on every branch. */
  getEntries(): SessionEntry[];

  /** The roots with everything under them. Entries whose parent is missing are roots too. */
  getTree(): SessionTreeNode[];

  /** What the model is given at the leaf; see the function of the same name. */
  buildSessionContext(): SessionContext;

  // --- Branching ---

  /**
   * Moves the leaf to an earlier entry, so that the next append starts a branch there. Nothing is
   * written or removed.
   *
   * @throws Error `Entry <branchFromId> not found`.
   */
  branch(branchFromId: string): void;

  /** Moves the leaf before all entries: the next one appended is a root. */
  resetLeaf(): void;

  /**
   * `branch` (or `resetLeaf` for null) and appends what was learnt on the branch that is left.
   *
   * @param details The maker's own data.
   * @param fromHook True when an extension made the summary.
   * @returns The id of the entry appended.
   * @throws Error `Entry <branchFromId> not found`, or when the file cannot be written.
   */
  branchWithSummary(
    branchFromId: string | null,
    summary: string,
    details?: unknown,
    fromHook?: boolean,
  ): string;

  /**
   * Takes the way from the root to `leafId` into a session of its own, with the labels of its
   * entries, and turns this manager to it. The old file stays as it is and becomes the
   * `parentSession`. As with any session, a file appears once there is a user or assistant message.
   *
   * @returns The path of the new file; `undefined` in memory.
   * @throws Error `Entry <leafId> not found`, or when the file cannot be written.
   */
  createBranchedSession(leafId: string): string | undefined;
}
