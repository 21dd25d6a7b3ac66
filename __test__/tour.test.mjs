// The Rust example, which knows nothing of Node, and the addon give the same answers.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { SessionManager } from "../index.js";
import { developersEnv } from "./support/env.mjs";
import { tempDir } from "./support/temp.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const shared = path.join(root, "../shared/sessions");

const line = (entry) => `${JSON.stringify(entry)}\n`;
const at = (second) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;

/** A session with everything a context is made of, damaged lines, and a branch left behind. */
function made(version) {
  const header = { type: "session", version, id: "h1", timestamp: at(0), cwd: "/w" };
  let count = 0;
  const entry = (fields, parentId) => {
    const id = `0000000${++count}`;
    return { id, parentId: parentId === undefined ? (count > 1 ? `0000000${count - 1}` : null) : parentId, timestamp: at(count), ...fields };
  };
  const user = (content) => ({ type: "message", message: { role: "user", content } });
  const entries = [
    entry({ type: "model_change", provider: "p", modelId: "m" }),
    entry(user("one")),
    entry({ type: "message", message: { role: version < 3 ? "hookMessage" : "custom", content: "hook" } }),
    entry({ type: "compaction", summary: "s", firstKeptEntryId: "00000003", tokensBefore: 5 }),
    entry({ type: "custom_message", customType: "c", content: "x", display: true }),
    entry({ type: "session_info", name: " a name " }),
    entry(user(null)),
    entry(user("left"), "00000002"),
    entry({ type: "thinking_level_change", thinkingLevel: "high" }, "00000007"),
  ];
  return `${line(header)}{torn\n${entries.map(line).join("")}`;
}

/** What the example printed: for each step, its lines by their first word. */
function tour(file) {
  const output = execFileSync("cargo", ["run", "--quiet", "--locked", "--example", "tour", "--", file, "--ids"], {
    cwd: root,
    encoding: "utf8",
    env: developersEnv,
  });
  const parts = output.split("\n\n").map((part) => part.trim().split("\n"));
  const fields = (lines) => Object.fromEntries(lines.map((l) => [l.split(/\s/, 1)[0], l.replace(/^\S+\s*/, "")]));
  return {
    steps: parts.map(([step, ...lines]) => ({ step, ...fields(lines) })),
    listed: output.match(/^listed .*$/gm).map((l) => l.match(/^listed\s+(\d+) messages\s+(.*)$/).slice(1)),
  };
}

const HOW = {
  Message: (message, entry) => assert.equal(message, entry.message),
  MessageWithoutContent: (message, entry) => assert.deepEqual(message, { ...entry.message, content: [] }),
  Custom: (message, entry) => assert.deepEqual([message.role, message.content], ["custom", entry.content]),
  BranchSummary: (message, entry) => assert.deepEqual([message.role, message.summary], ["branchSummary", entry.summary]),
  CompactionSummary: (message, entry) => assert.deepEqual([message.role, message.summary], ["compactionSummary", entry.summary]),
};

function agrees(step) {
  const manager = SessionManager.open(step.file);
  if (step.leaf === "-") manager.resetLeaf();
  else manager.branch(step.leaf);
  assert.equal(manager.getBranch().map((entry) => entry.id).join(" "), step["branch-ids"]);
  const { messages, ...settings } = manager.buildSessionContext();
  assert.deepEqual(settings, JSON.parse(step.settings));
  const ids = step["context-ids"].split(" ").filter(Boolean);
  const hows = step["context-how"].split(" ").filter(Boolean);
  assert.equal(messages.length, ids.length);
  ids.forEach((id, i) => HOW[hows[i]](messages[i], manager.getEntry(id)));
  assert.equal(manager.getSessionName() ?? "-", step.name);
  return manager;
}

async function compare(file) {
  const before = readFileSync(file);
  const { steps, listed } = tour(file);
  assert.deepEqual(steps.map(({ step }) => step), ["opened", "appended", "branched", "forked"]);
  const dir = path.dirname(steps[0].file);
  try {
    const managers = steps.map(agrees);
    assert.deepEqual(JSON.parse(steps[0].header), JSON.parse(JSON.stringify(managers[0].getHeader())));
    assert.equal(managers[2].getEntries().length, Number(steps[2].entries));
    assert.equal(managers[3].getEntries().length, Number(steps[3].entries));
    assert.equal(managers[3].getCwd(), "/elsewhere");
    const infos = await SessionManager.list("/w", dir);
    const count = (info) => [String(info.messageCount), info.path];
    assert.deepEqual(infos.map(count).sort(), listed.sort());
    assert.deepEqual(readFileSync(file), before, "the file itself is left alone");
  } finally {
    rmSync(dir, { recursive: true });
  }
}

for (const version of [2, 3]) {
  test(`on a made session of version ${version}`, async (t) => {
    const file = path.join(tempDir(t), "made.jsonl");
    writeFileSync(file, made(version));
    await compare(file);
  });
}

for (const name of ["large-session.jsonl", "before-compaction.jsonl"]) {
  const file = path.join(shared, name);
  test(`on ${name}`, { skip: !existsSync(file) && "the shared sessions are not here" }, () => compare(file));
}
