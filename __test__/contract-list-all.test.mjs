import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SessionManager } from "../index.js";
import { E, H, MS, U, user } from "./support/entries.mjs";
import { writeSession } from "./support/files.mjs";
import { agentDir } from "./support/temp.mjs";

const at = (ms) => E("u1", null, { ...user(), timestamp: MS + ms });

test("listAll lists the sessions of every project, latest first", async (t) => {
  const sessions = join(agentDir(t), "sessions");
  writeSession(join(sessions, "--a--", "1.jsonl"), H({ id: "a", cwd: "/a" }), at(1000));
  writeSession(join(sessions, "--b--", "1.jsonl"), H({ id: "b", cwd: "/b" }), at(2000));
  const found = await SessionManager.listAll();
  assert.deepEqual(found.map((info) => [info.id, info.cwd]), [["b", "/b"], ["a", "/a"]]);
});

test("listAll answers with the same infos as list", async (t) => {
  writeSession(join(agentDir(t), "sessions", "--w--", "1.jsonl"), H(), U("u1"));
  assert.deepEqual(await SessionManager.listAll(), await SessionManager.list("/w"));
});

test("listAll is empty where there is no sessions directory", async (t) => {
  agentDir(t);
  assert.deepEqual(await SessionManager.listAll(), []);
});

test("listAll passes over files beside the project directories", async (t) => {
  const sessions = join(agentDir(t), "sessions");
  writeSession(join(sessions, "--a--", "1.jsonl"), H({ id: "a" }), U("u1"));
  writeSession(join(sessions, "loose.jsonl"), H({ id: "loose" }), U("u1"));
  writeFileSync(join(sessions, "note"), "x");
  assert.deepEqual((await SessionManager.listAll()).map((info) => info.id), ["a"]);
});

test("listAll reports progress over all projects", async (t) => {
  const sessions = join(agentDir(t), "sessions");
  for (const project of ["--a--", "--b--"]) writeSession(join(sessions, project, "1.jsonl"), H(), U("u1"));
  const calls = [];
  await SessionManager.listAll((loaded, total) => calls.push([loaded, total]));
  assert.deepEqual(calls.at(-1), [2, 2]);
});

test("listAll reads the agent directory anew at each call", async (t) => {
  writeSession(join(agentDir(t), "sessions", "--a--", "1.jsonl"), H({ id: "a" }), U("u1"));
  assert.equal((await SessionManager.listAll()).length, 1);
  agentDir(t);
  assert.equal((await SessionManager.listAll()).length, 0);
});
