// Every method of the class, with every number of arguments it takes. Nothing here runs: tsc is the test.
import { expectTypeOf } from "expect-type";
import { SessionManager } from "@elyracode/session-manager";
import type {
  Durability,
  NewSessionOptions,
  ReadonlySessionManager,
  SessionContext,
  SessionDiagnostics,
  SessionEntry,
  SessionHeader,
  SessionInfo,
  SessionListProgress,
  SessionProblem,
  SessionProblemKind,
  SessionRepair,
  SessionReport,
  SessionTreeNode,
} from "@elyracode/session-manager";
import { assistant, bash, branchSummary, compactionSummary, custom, toolResult, user } from "./exports.mjs";

// The methods are these and no others. A new one must be used below as well.
expectTypeOf<keyof SessionManager>().toEqualTypeOf<
  | "appendCompaction" | "appendCustomEntry" | "appendCustomMessageEntry" | "appendLabelChange" | "appendMessage"
  | "appendModelChange" | "appendSessionInfo" | "appendThinkingLevelChange" | "branch" | "branchWithSummary"
  | "buildSessionContext" | "createBranchedSession" | "getBranch" | "getChildren" | "getCwd" | "getDiagnostics"
  | "getEntries" | "getEntry" | "getHeader" | "getLabel" | "getLeafEntry" | "getLeafId" | "getSessionDir" | "getSessionFile"
  | "getSessionId" | "getSessionName" | "getTree" | "isPersisted" | "newSession" | "refresh" | "resetLeaf"
  | "setDurability" | "setSessionFile"
>();
expectTypeOf<keyof typeof SessionManager>().toEqualTypeOf<
  "prototype" | "create" | "open" | "continueRecent" | "inMemory" | "forkFrom" | "list" | "listAll" | "verify" | "repair"
>();

// --- Statics ---

// @ts-expect-error the constructor is private: sessions come from the statics
new SessionManager();
// @ts-expect-error and so it is with arguments
new SessionManager("/w", "/dir", undefined, true);
// @ts-expect-error and to subclasses written in TypeScript, as in the reference
class Subclass extends SessionManager {}

const manager = SessionManager.create("/w");
expectTypeOf(manager).toEqualTypeOf<SessionManager>();
SessionManager.create("/w", "/dir");
// @ts-expect-error a session has a working directory
SessionManager.create();
expectTypeOf(SessionManager.open("f.jsonl")).toEqualTypeOf<SessionManager>();
SessionManager.open("f.jsonl", "/dir");
SessionManager.open("f.jsonl", undefined, "/w");
// @ts-expect-error null is no directory
SessionManager.open("f.jsonl", null);
expectTypeOf(SessionManager.continueRecent("/w")).toEqualTypeOf<SessionManager>();
SessionManager.continueRecent("/w", "/dir");
expectTypeOf(SessionManager.inMemory()).toEqualTypeOf<SessionManager>();
SessionManager.inMemory("/w");
expectTypeOf(SessionManager.forkFrom("f.jsonl", "/w")).toEqualTypeOf<SessionManager>();
SessionManager.forkFrom("f.jsonl", "/w", "/dir");

expectTypeOf(SessionManager.verify("f.jsonl")).toEqualTypeOf<Promise<SessionReport>>();
expectTypeOf(SessionManager.repair("f.jsonl")).toEqualTypeOf<Promise<SessionRepair>>();
expectTypeOf<SessionReport["problems"]>().toEqualTypeOf<SessionProblem[]>();
expectTypeOf<SessionProblem["kind"]>().toEqualTypeOf<SessionProblemKind>();
expectTypeOf<SessionRepair["backup"]>().toEqualTypeOf<string | undefined>();
expectTypeOf(manager.refresh()).toEqualTypeOf<void>();
expectTypeOf(manager.getDiagnostics()).toEqualTypeOf<SessionDiagnostics>();
const level: Durability = "fsync";
expectTypeOf(manager.setDurability(level)).toEqualTypeOf<void>();
// @ts-expect-error there are two levels
manager.setDurability("sometimes");

const progress: SessionListProgress = (loaded, total) => {
  expectTypeOf(loaded).toEqualTypeOf<number>();
  expectTypeOf(total).toEqualTypeOf<number>();
};
expectTypeOf(SessionManager.list("/w")).toEqualTypeOf<Promise<SessionInfo[]>>();
SessionManager.list("/w", "/dir");
SessionManager.list("/w", undefined, progress);
SessionManager.list("/w", undefined, () => {});
expectTypeOf(SessionManager.listAll()).toEqualTypeOf<Promise<SessionInfo[]>>();
SessionManager.listAll(progress);
const { listAll } = SessionManager;
listAll((loaded, total) => loaded / total);
expectTypeOf<SessionInfo>().toEqualTypeOf<{
  path: string; id: string; cwd: string; name?: string; parentSessionPath?: string; created: Date; modified: Date;
  messageCount: number; firstMessage: string; allMessagesText: string;
}>();

// --- Which session this is ---

expectTypeOf(manager.setSessionFile("f.jsonl")).toEqualTypeOf<void>();
expectTypeOf<NewSessionOptions>().toEqualTypeOf<{ id?: string; parentSession?: string }>();
expectTypeOf(manager.newSession()).toEqualTypeOf<string | undefined>();
manager.newSession({});
manager.newSession({ id: "i", parentSession: "/p.jsonl" });
// @ts-expect-error the working directory is the manager's
manager.newSession({ cwd: "/w" });
expectTypeOf(manager.isPersisted()).toEqualTypeOf<boolean>();
expectTypeOf(manager.getCwd()).toEqualTypeOf<string>();
expectTypeOf(manager.getSessionDir()).toEqualTypeOf<string>();
expectTypeOf(manager.getSessionId()).toEqualTypeOf<string>();
expectTypeOf(manager.getSessionFile()).toEqualTypeOf<string | undefined>();
expectTypeOf(manager.getHeader()).toEqualTypeOf<SessionHeader | null>();
expectTypeOf(manager.getSessionName()).toEqualTypeOf<string | undefined>();

// --- Appending ---

expectTypeOf(manager.appendMessage(user)).toEqualTypeOf<string>();
manager.appendMessage(assistant);
manager.appendMessage(toolResult);
manager.appendMessage(bash);
manager.appendMessage(custom);
manager.appendMessage({ role: "user", content: "plain", timestamp: Date.now() });
// @ts-expect-error summaries are entries, not messages
manager.appendMessage(branchSummary);
// @ts-expect-error summaries are entries, not messages
manager.appendMessage(compactionSummary);
expectTypeOf(manager.appendThinkingLevelChange("high")).toEqualTypeOf<string>();
expectTypeOf(manager.appendModelChange("p", "m")).toEqualTypeOf<string>();
// @ts-expect-error provider and model
manager.appendModelChange("p/m");
expectTypeOf(manager.appendCompaction("s", "a", 1)).toEqualTypeOf<string>();
manager.appendCompaction("s", "a", 1, { files: ["f"] });
manager.appendCompaction<{ files: string[] }>("s", "a", 1, { files: ["f"] }, true);
manager.appendCompaction("s", "a", 1, undefined, false);
// @ts-expect-error the details are of the type named
manager.appendCompaction<{ files: string[] }>("s", "a", 1, { files: 1 });
expectTypeOf(manager.appendCustomEntry("x")).toEqualTypeOf<string>();
manager.appendCustomEntry("x", { any: ["thing"] });
expectTypeOf(manager.appendSessionInfo("name")).toEqualTypeOf<string>();
expectTypeOf(manager.appendCustomMessageEntry("x", "text", true)).toEqualTypeOf<string>();
manager.appendCustomMessageEntry("x", [{ type: "text", text: "t" }, { type: "image", data: "", mimeType: "" }], false, 1);
manager.appendCustomMessageEntry<Date>("x", "text", true, new Date());
// @ts-expect-error whether it is shown must be said
manager.appendCustomMessageEntry("x", "text");
expectTypeOf(manager.appendLabelChange("a", "label")).toEqualTypeOf<string>();
manager.appendLabelChange("a", undefined);
// @ts-expect-error clearing is said aloud
manager.appendLabelChange("a");

// --- Walking the tree ---

expectTypeOf(manager.getLeafId()).toEqualTypeOf<string | null>();
expectTypeOf(manager.getLeafEntry()).toEqualTypeOf<SessionEntry | undefined>();
expectTypeOf(manager.getEntry("a")).toEqualTypeOf<SessionEntry | undefined>();
expectTypeOf(manager.getChildren("a")).toEqualTypeOf<SessionEntry[]>();
expectTypeOf(manager.getLabel("a")).toEqualTypeOf<string | undefined>();
expectTypeOf(manager.getBranch()).toEqualTypeOf<SessionEntry[]>();
manager.getBranch("a");
expectTypeOf(manager.getEntries()).toEqualTypeOf<SessionEntry[]>();
expectTypeOf(manager.getTree()).toEqualTypeOf<SessionTreeNode[]>();
expectTypeOf<SessionTreeNode>().toEqualTypeOf<{
  entry: SessionEntry; children: SessionTreeNode[]; label?: string; labelTimestamp?: string;
}>();
expectTypeOf(manager.buildSessionContext()).toEqualTypeOf<SessionContext>();
expectTypeOf<SessionContext["thinkingLevel"]>().toEqualTypeOf<string>();
expectTypeOf<SessionContext["model"]>().toEqualTypeOf<{ provider: string; modelId: string } | null>();

// --- Branching ---

expectTypeOf(manager.branch("a")).toEqualTypeOf<void>();
// @ts-expect-error before all entries is resetLeaf
manager.branch(null);
expectTypeOf(manager.resetLeaf()).toEqualTypeOf<void>();
expectTypeOf(manager.branchWithSummary("a", "s")).toEqualTypeOf<string>();
manager.branchWithSummary(null, "s", { any: 1 }, true);
expectTypeOf(manager.createBranchedSession("a")).toEqualTypeOf<string | undefined>();

// --- What extensions get ---

const readonly: ReadonlySessionManager = manager;
expectTypeOf(readonly.getTree()).toEqualTypeOf<SessionTreeNode[]>();
// @ts-expect-error extensions do not append through it
readonly.appendMessage(user);

export { Subclass };
