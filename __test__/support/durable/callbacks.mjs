// Closures that call back into the manager in the middle of its own calls. After each, the manager
// works, and every session it had or has is sound. Prints what went wrong.
import assert from "node:assert/strict";
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { SessionManager, configure, getDefaultSessionDir } from "../../../index.js";
import { A, H, U, assistant, user } from "../entries.mjs";
import { line, writeSession } from "../files.mjs";
import { consistent } from "./consistent.mjs";

let count = 0;
const path = () => join(process.cwd(), `${count++}.jsonl`);
const other = () => writeSession(path(), H({ id: "h2" }), U("x1"), A("x2", "x1"));
const written = () => SessionManager.open(writeSession(path(), H(), U("u1"), A("a1", "u1")));
const unwritten = () => {
  const manager = SessionManager.open(path());
  manager.appendModelChange("p", "m");
  return manager;
};

/** What a closure may do to the manager that is calling it. */
const deeds = {
  "append a message": (m) => m.appendMessage(user("from within")),
  "append a setting": (m) => m.appendThinkingLevelChange("low"),
  "append and throw": (m) => {
    m.appendMessage(assistant("from within"));
    throw new Error("thrown from within");
  },
  branch: (m) => m.branch(m.getEntries()[0].id),
  resetLeaf: (m) => m.resetLeaf(),
  branchWithSummary: (m) => m.branchWithSummary(m.getEntries()[0].id, "from within"),
  createBranchedSession: (m) => m.createBranchedSession(m.getEntries()[0].id),
  "createBranchedSession and append": (m) => {
    m.createBranchedSession(m.getEntries()[0].id);
    m.appendMessage(user("from within"));
  },
  setSessionFile: (m) => m.setSessionFile(other()),
  "setSessionFile to a new path": (m) => m.setSessionFile(path()),
  "setSessionFile to its own file": (m) => m.setSessionFile(m.getSessionFile()),
  newSession: (m) => m.newSession(),
  "newSession and append": (m) => {
    m.newSession();
    m.appendMessage(user("from within"));
  },
  buildSessionContext: (m) => m.buildSessionContext(),
  "getTree, getBranch, getEntries": (m) => [m.getTree(), m.getBranch(), m.getEntries()],
  "refresh after another appended": (m) => {
    if (existsSync(m.getSessionFile())) appendFileSync(m.getSessionFile(), `${line(U(`f${count++}`, m.getEntries()[0].id))}\n`);
    m.refresh();
  },
  setDurability: (m) => m.setDurability("none"),
};

/** Where a closure can hide: each makes something that is called once, and does `deed` then. */
const hides = {
  "toJSON of data": { call: (m, once) => m.appendCustomEntry("e", { toJSON: () => (once(), "data") }) },
  "toJSON of a message's content": { call: (m, once) => m.appendMessage({ ...user(), content: { toJSON: () => (once(), "content") } }) },
  "a getter of a message's content": { call: (m, once) => m.appendMessage({ ...user(), get content() { return once(), "content"; } }) },
  "a getter of a message's role": { call: (m, once) => m.appendMessage({ content: "content", get role() { return once(), "user"; } }) },
  "toString of a target": { call: (m, once) => m.branch({ toString: () => (once(), m.getEntries()[0].id) }) },
  "toString of a branch's target": { call: (m, once) => m.branchWithSummary({ toString: () => (once(), m.getEntries()[0].id) }, "s") },
  "toString of a label's target": { call: (m, once) => m.appendLabelChange({ toString: () => (once(), m.getEntries()[0].id), toJSON: () => m.getEntries()[0].id }, "x") },
  "replace of a name": { call: (m, once) => m.appendSessionInfo({ replace: () => (once(), "name") }) },
  "toJSON of an entry that is branched": {
    before: (m, closure) => m.appendCustomEntry("e", { toJSON: () => (closure(), "data") }),
    call: (m) => m.createBranchedSession(m.getLeafId()),
  },
  "toJSON of an entry that is written with the first message": {
    before: (m, closure) => m.appendCustomEntry("e", { toJSON: () => (closure(), "data") }),
    call: (m) => m.appendMessage(user("first")),
  },
  "getter of the options": { call: (m, once) => m.newSession({ get id() { return once(), "given-id"; } }) },
  "getter of the options' parent": { call: (m, once) => m.newSession({ get parentSession() { return once(), "p"; } }) },
};

/** What a promise's or a host's closure may do. */
const elsewhere = {
  "a progress call that lists and appends": async (m) => {
    const inner = [];
    await SessionManager.list("/w", process.cwd(), (loaded) => {
      if (loaded < 3) inner.push(SessionManager.list("/w", process.cwd()), m.appendMessage(user()));
    });
    await Promise.all(inner);
  },
  "a progress call that throws": (m) => SessionManager.list("/w", process.cwd(), () => { throw m; }),
  "an agentDir that makes and lists sessions": async (m) => {
    let deep = 0;
    const agentDir = () => {
      if (deep++ < 3) [getDefaultSessionDir("/w"), SessionManager.create("/w"), SessionManager.listAll(), m.appendMessage(user())].join;
      return join(process.cwd(), "agent");
    };
    configure({ agentDir });
    SessionManager.create("/q").appendMessage(user());
    await SessionManager.listAll();
    configure();
  },
  "a path's toString": (m) => SessionManager.open({ toString: () => m.appendMessage(user()) }),
};

const failures = [];
async function claim(what, make, work) {
  const manager = make();
  const begun = manager.getSessionFile();
  try {
    await work(manager);
  } catch {
    // It may refuse. It must not half do it.
  }
  try {
    consistent(manager);
    if (begun !== manager.getSessionFile() && existsSync(begun)) consistent(SessionManager.open(begun));
    const { problems } = await SessionManager.verify(manager.getSessionFile());
    assert.deepEqual(problems, []);
  } catch (error) {
    failures.push(`${what}: ${error.message.split("\n").slice(0, 12).join("\n").slice(0, 400)}`);
  }
}

let claims = 0;
for (const [state, make] of Object.entries({ written, unwritten })) {
  for (const [hide, { before, call }] of Object.entries(hides)) {
    for (const [what, deed] of Object.entries(deeds)) {
      claims++;
      await claim(`${state}: ${what} in ${hide}`, make, (manager) => {
        let armed = false;
        const once = () => {
          if (!armed) return;
          armed = false;
          deed(manager);
        };
        before?.(manager, once);
        armed = true;
        try {
          call(manager, once);
        } finally {
          armed = false;
        }
      });
    }
  }
  for (const [what, work] of Object.entries(elsewhere)) {
    claims++;
    await claim(`${state}: ${what}`, make, work);
  }
}
process.stdout.write(JSON.stringify({ claims, failures }));
