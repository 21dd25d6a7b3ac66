// Lists a directory: node listing.mjs DIR. Prints how many sessions, their messages, and by how many
// bytes the most memory that the process ever had grew.
import { SessionManager } from "../../../index.js";

const before = process.resourceUsage().maxRSS;
const sessions = await SessionManager.list("/w", process.argv[2]);
const grown = (process.resourceUsage().maxRSS - before) * 1024;
process.stdout.write(JSON.stringify({ listed: sessions.length, messages: sessions.map(({ messageCount }) => messageCount), grown }));
