// Contexts of the oracle: the reference's own, over a path that ends and holds what it can read.
import { Skip } from "./exclusions.mjs";

/** From an entry to its root, root first, up to the first repeat (DESIGN 5.4). */
export function walk(start, byId) {
  const path = [];
  const seen = new Set();
  for (let entry = start; entry && !seen.has(entry); entry = entry.parentId ? byId.get(entry.parentId) : undefined) {
    seen.add(entry);
    path.unshift(entry);
  }
  return path;
}

const EMPTY = { user: [], assistant: [], toolResult: [], custom: [], system: "" };

export function mendContext(plain, note) {
  /** `isAsked`: called by the program, not by the manager. */
  function build(entries, leafId, byId, isAsked) {
    const index = byId ?? new Map(entries.map((entry) => [entry.id, entry]));
    const path = walk((leafId && index.get(leafId)) || entries.at(-1), index);
    const circle = path.length > 0 && path[0].parentId && index.has(path[0].parentId);
    const isMute = ({ type, message }) => type === "message" && (message === null || typeof message !== "object");
    const mute = path.filter(isMute);
    const isStrange = (id) => typeof id !== "string";
    if (isAsked && (isStrange(leafId ?? "") || (byId && path.some(({ id }) => isStrange(id))))) {
      throw new Skip("ids that are no strings");
    }
    if (circle) note("no way out");
    if (mute.some(({ message }) => message !== null && message !== undefined)) throw new Skip("odd value stored");
    if (mute.length > 0) note("no message");
    const built =
      leafId !== null && (circle || mute.length > 0)
        ? alongChain(path.map((entry) => (mute.includes(entry) ? { ...entry, type: "custom" } : entry)))
        : plain.buildSessionContext(entries, leafId, byId);
    built.messages = built.messages.map(withContent);
    return built;
  }

  /** The reference's context of a path, given as a chain of its own. */
  function alongChain(path) {
    const chain = path.map((entry, at) => ({ ...entry, parentId: at > 0 ? `#${at - 1}` : null }));
    const index = new Map(chain.map((entry, at) => [`#${at}`, entry]));
    return plain.buildSessionContext(chain, `#${chain.length - 1}`, index);
  }

  function withContent(message) {
    const empty = Object.hasOwn(EMPTY, message.role) ? EMPTY[message.role] : undefined;
    if (empty === undefined || (message.content !== null && message.content !== undefined)) return message;
    note("no content");
    return { ...message, content: Array.isArray(empty) ? [] : empty };
  }

  return {
    buildSessionContext: (entries, leafId, byId) => build(entries, leafId, byId, true),
    ofManager: (entries, leafId, byId) => build(entries, leafId, byId, false),
  };
}
