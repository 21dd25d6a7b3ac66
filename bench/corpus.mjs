// Makes a session file for measuring: always the same bytes for the same size and seed.
//
//   node bench/corpus.mjs FILE MEGABYTES [SEED]
//
// What a long working session holds, in the proportions of real ones: a prompt of a sentence or two,
// then one to four rounds of an answer (thinking, text, a tool call) with the tool's output, 1 to
// 30 KB and now and then a screenshot, then a closing answer. In between, changes of model and thinking
// level, names, labels, an extension's state, returns to an earlier entry, and a compaction about
// every 400 prompts. An eighth of the texts is not ASCII.

import { closeSync, openSync, renameSync, writeSync } from "node:fs";
import { fileURLToPath } from "node:url";

const MEGABYTE = 1_000_000;
const MODELS = [["anthropic", "claude-sonnet-4-5"], ["openai", "gpt-5.1-codex"], ["google", "gemini-3-pro"]];
const WORDS = `session entry branch leaf tree parent label summary tokens cache prompt answer tool result
  const let function return await import export class extends if else for while try catch throw new
  src/main.rs lib/index.js package.json README.md => { } ( ) [ ] == != && || ; : "name": "value", \\n
  0 1 42 3.14 true false null // # -- error: warning: expected found line column cannot find module`.split(/\s+/);
const FOREIGN = "naïve Straße été señor 会话 分支 テスト 結果 проверка ошибка 🙂 🛠️ → “ja” … €".split(" ");
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Writes a session of about `bytes` bytes; the file appears under its name only once it is whole. */
export function writeSession(path, bytes, seed = 1) {
  const file = openSync(`${path}.part`, "w");
  let pending = [];
  let size = 0;
  for (const entry of sessionLines(bytes, seed)) {
    pending.push(entry);
    size += entry.length;
    if (size < 4 * MEGABYTE) continue;
    writeSync(file, pending.join(""));
    pending = [];
    size = 0;
  }
  writeSync(file, pending.join(""));
  closeSync(file);
  renameSync(`${path}.part`, path);
}

/** The lines of such a session, each with its line end. */
export function* sessionLines(bytes, seed = 1) {
  const random = randomSource(seed);
  const source = textSource(random);
  const ids = [];
  const taken = new Set();
  let leaf = null;
  let now = Date.UTC(2026, 0, 5, 9);
  let written = 0;

  const line = (object) => {
    const text = `${JSON.stringify(object)}\n`;
    written += Buffer.byteLength(text);
    return text;
  };
  const time = () => new Date((now += random.between(150, 12_000))).toISOString();
  const entry = (type, fields) => {
    let id = random.hex(8);
    while (taken.has(id)) id = random.hex(8);
    taken.add(id);
    const object = { type, id, parentId: leaf, timestamp: time(), ...fields };
    ids.push(id);
    leaf = id;
    return line(object);
  };
  const message = (fields) => entry("message", { message: { ...fields, timestamp: now } });
  const answer = (content, stopReason, [provider, model]) =>
    message({ role: "assistant", content, api: `${provider}-messages`, provider, model, usage: usage(random), stopReason });

  yield line({ type: "session", version: 3, id: `0000${random.hex(4)}-0000-7000-8000-${random.hex(12)}`, timestamp: time(), cwd: "/home/dev/project" });
  let model = MODELS[0];
  yield entry("model_change", { provider: model[0], modelId: model[1] });
  yield entry("thinking_level_change", { thinkingLevel: "medium" });

  for (let prompt = 1; written < bytes; prompt++) {
    if (random.chance(0.02)) {
      model = random.pick(MODELS);
      yield entry("model_change", { provider: model[0], modelId: model[1] });
    }
    if (random.chance(0.01)) yield entry("thinking_level_change", { thinkingLevel: random.pick(["low", "medium", "high"]) });
    if (random.chance(0.02)) yield entry("custom", { customType: "todo", data: { open: random.between(0, 30), note: source.text(90) } });
    if (prompt % 50 === 3) yield entry("session_info", { name: `Work on ${source.text(20).replace(/\s+/g, " ")}` });
    if (prompt > 5 && random.chance(0.02)) leaf = ids[Math.max(0, ids.length - random.between(1, 250))];

    yield message({ role: "user", content: [{ type: "text", text: source.text(random.between(50, 350)) }] });
    for (let round = random.between(1, 5); round > 0; round--) {
      const call = `toolu_${random.hex(24)}`;
      yield answer([
        { type: "thinking", thinking: source.text(random.between(250, 1400)), thinkingSignature: source.base64(random.between(90, 320)) },
        { type: "text", text: source.text(random.between(80, 700)) },
        { type: "toolCall", id: call, name: "bash", arguments: { command: source.text(random.between(30, 300)), timeout: 120 } },
      ], "toolUse", model);
      const output = [{ type: "text", text: source.text(random.skewed(1_000, 30_000)) }];
      if (random.chance(0.015)) output.push({ type: "image", data: source.base64(200_000), mimeType: "image/png" });
      yield message({ role: "toolResult", toolCallId: call, toolName: "bash", content: output, isError: random.chance(0.05) });
    }
    yield answer([{ type: "text", text: source.text(random.between(250, 1600)) }], "stop", model);

    if (random.chance(0.03)) {
      yield entry("label", { targetId: random.pick(ids), label: random.chance(0.8) ? `mark ${prompt}` : undefined });
    }
    if (prompt % 400 === 0) {
      yield entry("compaction", { summary: source.text(4_000), firstKeptEntryId: ids[ids.length - 40], tokensBefore: random.between(100_000, 190_000) });
    }
  }
}

function usage(random) {
  const [input, output, cacheRead, cacheWrite] = [9_000, 3_000, 180_000, 9_000].map((most) => random.between(0, most));
  const cost = { input: input * 3e-6, output: output * 15e-6, cacheRead: cacheRead * 3e-7, cacheWrite: cacheWrite * 3.75e-6 };
  const total = cost.input + cost.output + cost.cacheRead + cost.cacheWrite;
  return { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite, cost: { ...cost, total } };
}

/** Texts are cut from a few long ones made beforehand: much faster than word by word. */
function textSource(random) {
  const write = (foreign) => {
    const parts = [];
    for (let length = 0; length < 100_000; length += parts.at(-1).length) {
      const word = random.chance(foreign) ? random.pick(FOREIGN) : random.pick(WORDS);
      parts.push(word + (random.chance(0.1) ? "\n" : " "));
    }
    return parts.join("");
  };
  const cut = (pool, length) => {
    const start = random.between(0, pool.length - length);
    return pool.slice(start, start + length);
  };
  const [plain, mixed] = [write(0), write(0.1)];
  const data = Array.from({ length: 250_000 }, () => random.pick(BASE64)).join("");
  return {
    // A cut may split a pair of surrogates; a session's text is well formed.
    text: (length) => cut(random.chance(0.125) ? mixed : plain, length).toWellFormed(),
    base64: (length) => cut(data, length),
  };
}

/** Numbers by the "sfc32" generator: small, fast, and the same on every machine. */
function randomSource(seed) {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, seed | 0, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 15; i++) next();
  const between = (low, high) => low + Math.floor(next() * (high - low));
  return {
    between,
    chance: (probability) => next() < probability,
    pick: (list) => list[between(0, list.length)],
    skewed: (low, high) => Math.floor(low * (high / low) ** next()),
    hex: (digits) => Array.from({ length: digits }, () => "0123456789abcdef"[between(0, 16)]).join(""),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path, megabytes, seed] = process.argv.slice(2);
  if (path === undefined || !(Number(megabytes) > 0)) {
    console.error("usage: node bench/corpus.mjs FILE MEGABYTES [SEED]");
    process.exit(2);
  }
  writeSession(path, Number(megabytes) * MEGABYTE, Number(seed ?? 1));
}
