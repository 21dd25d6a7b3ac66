// npm start: a tour of what the addon does, on a real session.
//
//   npm start                 a session from the neighbouring samples, else one made on the spot
//   npm start -- FILE         a copy of FILE; FILE itself is only read
//
// Everything is written to a new temporary directory, which is kept.

import { rmSync, statSync } from "node:fs";
import { setup } from "./lib/setup.mjs";
import { assistantMessage, copySession, findSource, lookAt, makePlace, makeSession } from "./tour/input.mjs";
import { showContext, showCounts, showHeader, showTree } from "./tour/show.mjs";
import { clip, count, cyan, dim, green, heading, table, width, yellow } from "./tour/text.mjs";

// A reader such as `head` may close the pipe early; that is no error.
process.stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? 0 : 1));

await setup();
const { SessionManager, configure } = await import("../index.js");

let place;
try {
  const source = findSource(process.argv[2]);
  place = makePlace();
  // The user's own agent directory stays out of it, whatever is called below.
  configure({ appName: "elyra", agentDir: place.top });
  await tour(source);
} catch (error) {
  if (place) rmSync(place.top, { recursive: true, force: true });
  console.error(error.message);
  process.exitCode = 1;
}

async function tour(source) {
  const path = source ? copySession(source, place.sessions) : makeSession(SessionManager, place.sessions);
  const [bytes, { lines, version }] = [statSync(path).size, await lookAt(path)];
  const started = performance.now();
  const manager = SessionManager.open(path);
  const milliseconds = performance.now() - started;

  showHeader(manager, { path, source, bytes, lines, version, milliseconds });
  showCounts(manager.getEntries());
  showTree(manager, "Its tree");
  showContext(manager);

  const before = manager.getEntries().length;
  const added = appendAndBranch(manager);
  showTree(manager, "The tree now");

  heading("A session of its own from the first of the two branches");
  const branched = manager.createBranchedSession(added.answer);
  table([["file", branched], ["entries", manager.getEntries().length.toLocaleString("en")]]);

  const whole = checkReopened({ path, branched, before, added });
  await showList();
  heading("Where the files are");
  table([["session", path], ["branched off", branched], ...(source ? [["original", `${source} (unchanged)`]] : [])]);
  console.log(dim(`\n  Remove ${place.top} when you are done with them.`));
  if (!whole) process.exitCode = 1;
}

/** Does what an agent does, and returns the ids of what was appended. */
function appendAndBranch(manager) {
  const tell = (id, text) => {
    console.log(`  ${green("+")} ${dim(id)} ${text}`);
    return id;
  };
  const say = (text) => manager.appendMessage({ role: "user", content: [{ type: "text", text }], timestamp: Date.now() });
  const model = ["openai", "gpt-5.1-codex"];
  // Before anything is appended: the last prompt of the session as it was found.
  const found = manager.getBranch().findLast((entry) => entry.type === "message" && entry.message?.role === "user");

  heading("Appended");
  const prompt = tell(say("What did we decide about the session format?"), "a prompt");
  const label = tell(manager.appendLabelChange(prompt, "tour"), `a label on it: ${yellow("tour")}`);
  const change = tell(manager.appendModelChange(...model), `another model: ${model.join("/")}`);
  const answer = tell(manager.appendMessage(assistantMessage("One entry a line, and each names its parent.", model)), "an answer");

  const earlier = found?.id ?? prompt;
  heading(`Branched from the earlier entry ${earlier}`);
  const summary = tell(manager.branchWithSummary(earlier, "The format was asked about and explained."), "a summary of the branch that was left");
  const other = tell(say("Let us look at it from the other side."), "a prompt on the new branch");
  return { prompt, label, change, answer, summary, other, model };
}

/** Opens both files afresh and says whether all that was written is in them. */
function checkReopened({ path, branched, before, added }) {
  heading("Opened again");
  let whole = true;
  const check = (holds, text) => {
    whole &&= holds;
    console.log(`  ${holds ? green("✓") : yellow("✗ NOT SO:")} ${text}`);
  };
  const { prompt, label, change, answer, summary, other, model } = added;

  const manager = SessionManager.open(path);
  const ids = [prompt, label, change, answer, summary, other];
  check(manager.getEntries().length === before + ids.length, `the session has its ${count(before, "entry", "entries")} and the ${ids.length} new ones`);
  check(ids.every((id) => manager.getEntry(id)?.id === id), "each is found by its id");
  check(manager.getLabel(prompt) === "tour", `${prompt} is labelled ${yellow("tour")}`);
  check(manager.getLeafId() === other, `the leaf is the last prompt, ${other}`);
  check(!manager.getBranch().some(({ id }) => id === answer), "the answer is not on its branch");

  const own = SessionManager.open(branched);
  const chosen = own.buildSessionContext().model;
  check(own.getHeader()?.parentSession === path, "the new session names the old one as its parent");
  check(own.getEntry(answer) !== undefined && own.getEntry(other) === undefined, "it has the answer, and nothing of the other branch");
  check(own.getLabel(prompt) === "tour", "the label went with it");
  check(chosen?.provider === model[0] && chosen.modelId === model[1], `its model is ${model.join("/")}`);
  return whole;
}

async function showList() {
  const sessions = await SessionManager.list(place.top, place.sessions);
  heading(`The list of ${count(sessions.length, "session")} in that directory`);
  for (const { name, firstMessage, messageCount, modified } of sessions) {
    const when = Number.isNaN(modified.getTime()) ? "?" : modified.toISOString().slice(0, 16).replace("T", " ");
    console.log(`  ${dim(when.padEnd(16))}  ${cyan(count(messageCount, "message").padStart(14))}  ${clip(name ?? firstMessage, width - 38)}`);
  }
}
