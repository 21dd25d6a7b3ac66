// Settings hold for a process, so each claim has one of its own.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { home } from "./support/env.mjs";
import { file } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

const module = new URL("../index.js", import.meta.url).href;

/** What `answer`, an expression, gives in a new process after `setup`. */
function inProcess(setup, answer, env = {}) {
  const source = `
    import { SessionManager, configure, getDefaultSessionDir } from ${JSON.stringify(module)};
    ${setup}
    process.stdout.write(JSON.stringify(${answer}));`;
  const options = { env: { PATH: process.env.PATH, HOME: home, ...env }, encoding: "utf8" };
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", source], options));
}
const place = "getDefaultSessionDir('/w')";
const under = (agent) => join(agent, "sessions", "--w--");

test("without settings the agent directory is ~/.elyra/agent", () => {
  assert.equal(inProcess("", place), under(join(home, ".elyra/agent")));
});

test("ELYRA_CODING_AGENT_DIR names the agent directory, with ~ expanded", (t) => {
  const dir = tempDir(t);
  assert.equal(inProcess("", place, { ELYRA_CODING_AGENT_DIR: dir }), under(dir));
  assert.equal(inProcess("", place, { ELYRA_CODING_AGENT_DIR: "~/mine" }), under(join(home, "mine")));
  assert.equal(inProcess("", place, { ELYRA_CODING_AGENT_DIR: "~" }), under(home));
});

test("an empty variable counts as none", () => {
  assert.equal(inProcess("", place, { ELYRA_CODING_AGENT_DIR: "" }), under(join(home, ".elyra/agent")));
});

test("the variable is read at each call", (t) => {
  const dir = tempDir(t);
  const change = `process.env.ELYRA_CODING_AGENT_DIR = ${JSON.stringify(dir)};`;
  assert.equal(inProcess(`getDefaultSessionDir("/w"); ${change}`, place), under(dir));
});

test("an app name sets the variable and the directory", (t) => {
  const dir = tempDir(t);
  const setup = 'configure({ appName: "tau" });';
  assert.equal(inProcess(setup, place), under(join(home, ".tau/agent")));
  assert.equal(inProcess(setup, place, { TAU_CODING_AGENT_DIR: dir }), under(dir));
  assert.equal(inProcess(setup, place, { ELYRA_CODING_AGENT_DIR: dir }), under(join(home, ".tau/agent")));
});

test("a config directory names the directory alone", (t) => {
  const dir = tempDir(t);
  const setup = 'configure({ appName: "tau", configDir: ".t" });';
  assert.equal(inProcess(setup, place), under(join(home, ".t/agent")));
  assert.equal(inProcess(setup, place, { TAU_CODING_AGENT_DIR: dir }), under(dir));
});

test("an agent directory wins over variable and config directory", (t) => {
  const [dir, other] = [tempDir(t), tempDir(t)];
  const setup = `configure({ appName: "tau", configDir: ".t", agentDir: ${JSON.stringify(dir)} });`;
  assert.equal(inProcess(setup, place, { TAU_CODING_AGENT_DIR: other }), under(dir));
});

test("an agent directory may be a function, asked at each call", (t) => {
  const dir = tempDir(t);
  const setup = `
    let n = 0;
    configure({ appName: "tau", agentDir: () => ${JSON.stringify(dir)} + "/" + ++n });
    const first = getDefaultSessionDir("/w");`;
  assert.deepEqual(inProcess(setup, `[first, ${place}]`), [under(join(dir, "1")), under(join(dir, "2"))]);
});

test("create, continueRecent, list and listAll follow the settings", (t) => {
  const dir = tempDir(t);
  const setup = `
    configure({ appName: "tau", agentDir: ${JSON.stringify(dir)} });
    const manager = SessionManager.create("/w");
    manager.appendMessage({ role: "user", content: "x" });
    manager.appendMessage({ role: "assistant", content: [] });
    const answers = [
      manager.getSessionDir(),
      SessionManager.continueRecent("/w").getSessionId() === manager.getSessionId(),
      (await SessionManager.list("/w")).length,
      (await SessionManager.listAll()).length,
    ];`;
  assert.deepEqual(inProcess(setup, "answers"), [under(dir), true, 1, 1]);
});

test("the app name stands in the error for what is no session", (t) => {
  const path = file(t, "dear diary\n");
  const setup = `
    configure({ appName: "tau" });
    let message;
    try { SessionManager.open(${JSON.stringify(path)}); } catch (error) { message = error.message; }`;
  assert.equal(inProcess(setup, "message"), `Session file is not a valid tau session: ${path}`);
});
