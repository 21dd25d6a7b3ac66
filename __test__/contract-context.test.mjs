// buildSessionContext, as a method and as a function over callers' arrays.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionManager, buildSessionContext } from "../index.js";
import { exactly } from "./support/claims.mjs";
import {
  A, C, Custom, CustomMessage, E, H, Info, L, MS, Model, Summary, T, Thinking, U, assistant, bashExecution, toolResult, user,
} from "./support/entries.mjs";
import { session } from "./support/files.mjs";

const empty = { messages: [], thinkingLevel: "off", model: null };
/** What the messages of a context say, one word or sentence each. */
const said = ({ messages }) => messages.map((message) => message.summary ?? message.content?.[0]?.text ?? message.content);

/** Claims the same answer of the method, on a file of these entries, and of the function. */
function inBoth(title, entries, claim) {
  test(`${title} (method)`, (t) => claim(SessionManager.open(session(t, H(), ...entries)).buildSessionContext()));
  test(`${title} (function)`, () => claim(buildSessionContext(structuredClone(entries))));
}

inBoth("without entries the context is empty", [], (context) => exactly(context, empty));

inBoth("the messages on the path, and no others, are the context",
  [U("u1"), A("a1", "u1"), U("u2", "a1"), U("u3", "a1")],
  (context) => assert.deepEqual(said(context), ["u1 asks", "a1 answers", "u3 asks"]));

inBoth("messages of every role are in the context as stored",
  [U("u1"), E("t1", "u1", toolResult()), E("b1", "t1", bashExecution()), E("x1", "b1", { role: "someday", n: 1 })],
  (context) => exactly(context.messages, [user("u1 asks"), toolResult(), bashExecution(), { role: "someday", n: 1 }]));

inBoth("an assistant message and a model change set the model, the last one wins",
  [U("u1"), A("a1", "u1"), Model("m1", "a1", "openai", "gpt")],
  (context) => exactly(context.model, { provider: "openai", modelId: "gpt" }));

inBoth("an assistant message gives the model it came from",
  [Model("m1", null, "openai", "gpt"), A("a1", "m1")],
  (context) => exactly(context.model, { provider: "anthropic", modelId: "claude" }));

inBoth("a model without provider or id keeps both keys",
  [E("a1", null, { role: "assistant", content: [] })],
  (context) => exactly(context.model, { provider: undefined, modelId: undefined }));

inBoth("the last thinking level on the path counts",
  [Thinking("k1", null, "low"), Thinking("k2", "k1", "high"), Thinking("k3", "k1", "off"), U("u1", "k2")],
  (context) => assert.equal(context.thinkingLevel, "high"));

inBoth("a custom message becomes a message of role custom",
  [CustomMessage("x1", null, "injected")],
  (context) => exactly(context.messages, [
    { role: "custom", customType: "ext", content: "injected", display: true, details: undefined, timestamp: MS },
  ]));

inBoth("a branch summary becomes a message; an empty one does not",
  [Summary("b1", null, "root", ""), Summary("b2", "b1", "u9", "tried")],
  (context) => exactly(context.messages, [{ role: "branchSummary", summary: "tried", fromId: "u9", timestamp: MS }]));

inBoth("custom entries, labels, names and unknown types are not in the context",
  [U("u1"), Custom("x1", "u1", {}), L("l1", "x1", "u1", "m"), Info("i1", "l1", "n"), { type: "odd", id: "o1", parentId: "i1", timestamp: T, message: user() }],
  (context) => assert.deepEqual(said(context), ["u1 asks"]));

inBoth("a compaction stands for what is before the entry it keeps",
  [U("u1"), A("a1", "u1"), U("u2", "a1"), C("c1", "u2", "u2"), A("a2", "c1")],
  (context) => assert.deepEqual(said(context), ["c1 sums up", "u2 asks", "a2 answers"]));

inBoth("a compaction's message has its summary, size and time",
  [U("u1"), C("c1", "u1", "gone")],
  (context) => exactly(context.messages, [
    { role: "compactionSummary", summary: "c1 sums up", tokensBefore: 100, timestamp: MS },
  ]));

inBoth("settings from before a compaction stay in force",
  [Thinking("k1", null, "high"), A("a1", "k1"), C("c1", "a1", "gone")],
  (context) => {
    assert.equal(context.thinkingLevel, "high");
    exactly(context.model, { provider: "anthropic", modelId: "claude" });
  });

inBoth("kept from a custom message or summary, those are in the context too",
  [U("u1"), Summary("b1", "u1", "x", "tried"), CustomMessage("x1", "b1", "injected"), C("c1", "x1", "b1")],
  (context) => assert.deepEqual(said(context), ["c1 sums up", "tried", "injected"]));

test("the method follows the leaf", (t) => {
  const manager = SessionManager.open(session(t, H(), U("u1"), A("a1", "u1"), U("u2", "a1")));
  manager.branch("u1");
  assert.deepEqual(said(manager.buildSessionContext()), ["u1 asks"]);
  manager.resetLeaf();
  exactly(manager.buildSessionContext(), empty);
  manager.appendMessage(user("anew"));
  assert.deepEqual(said(manager.buildSessionContext()), ["anew"]);
});

const pair = () => [U("u1"), A("a1", "u1")];

test("the function walks from the leaf it is given", () => {
  assert.deepEqual(said(buildSessionContext(pair(), "u1")), ["u1 asks"]);
});

test("the function gives nothing for a leaf of null", () => {
  exactly(buildSessionContext(pair(), null), empty);
  exactly(buildSessionContext(pair(), null, new Map()), empty);
});

for (const fallback of [undefined, "", "nope"]) {
  test(`the function takes the last entry for a leaf of ${JSON.stringify(fallback)}`, () => {
    assert.deepEqual(said(buildSessionContext(pair(), fallback)), ["u1 asks", "a1 answers"]);
  });
}

test("the function looks up parents and the leaf in the map it is given", () => {
  const [u1, a1] = pair();
  const elsewhere = U("u9", null, "from the map");
  const byId = new Map([["u1", elsewhere], ["a1", a1]]);
  assert.deepEqual(said(buildSessionContext([u1, a1], "a1", byId)), ["from the map", "a1 answers"]);
  assert.deepEqual(said(buildSessionContext([u1, a1], "u9", new Map([["u9", elsewhere]]))), ["from the map"]);
  assert.deepEqual(said(buildSessionContext([], "a1", byId)), ["from the map", "a1 answers"]);
});

test("the function reads its arguments afresh at each call", () => {
  const entries = pair();
  buildSessionContext(entries);
  entries[1].parentId = null;
  entries[0].message = assistant("not on the path");
  assert.deepEqual(said(buildSessionContext(entries)), ["a1 answers"]);
  entries.push(U("u2", "a1"));
  assert.deepEqual(said(buildSessionContext(entries)), ["a1 answers", "u2 asks"]);
});

test("the function hands out the callers' own messages", () => {
  const entries = pair();
  const { messages } = buildSessionContext(entries);
  assert.equal(messages[0], entries[0].message);
  assert.equal(messages[1], entries[1].message);
});

test("the function throws for what is no array", () => {
  assert.throws(() => buildSessionContext(undefined));
  assert.throws(() => buildSessionContext(null));
});
