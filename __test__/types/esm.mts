// The types as an ES module finds them: named, the whole namespace, the default, and `import()`.
import sessions, { SessionManager, type SessionEntry } from "@elyracode/session-manager";
import * as namespace from "@elyracode/session-manager";

const manager: namespace.SessionManager = SessionManager.inMemory();
const same: SessionManager = sessions.SessionManager.inMemory();
const entries: SessionEntry[] = [...manager.getEntries(), ...same.getEntries()];
const { buildSessionContext } = await import("@elyracode/session-manager");

export const context: namespace.SessionContext = buildSessionContext(entries);
