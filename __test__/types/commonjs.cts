// The types as a CommonJS module finds them: `import = require`, and named imports.
import sessions = require("@elyracode/session-manager");
import { SessionManager, type SessionEntry } from "@elyracode/session-manager";

const manager: sessions.SessionManager = sessions.SessionManager.inMemory();
const same: SessionManager = manager;
const entries: SessionEntry[] = same.getEntries();
const context: sessions.SessionContext = sessions.buildSessionContext(entries);
const version: 3 = sessions.CURRENT_SESSION_VERSION;

export = { context, version };
