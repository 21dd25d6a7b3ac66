// Values that other parsers and printers change: they come back as JSON.parse reads them, and stand
// in files as they stood.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionManager, loadEntriesFromFile, parseSessionEntries } from "../index.js";
import { exactly } from "./support/claims.mjs";
import { A, E, H, U, user } from "./support/entries.mjs";
import { file, line, lines, records, session, untouched } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

const head = line(H());
/** A custom entry's line whose data is this JSON text, as written. */
const holding = (json, id = "x1") => `{"type":"custom","id":"${id}","parentId":null,"timestamp":"x","customType":"e","data":${json}}`;
const opened = (t, ...all) => {
  const path = session(t, ...all);
  return { path, manager: untouched(path, () => SessionManager.open(path)) };
};

const texts = {
  "a lone high surrogate": "a\ud800b",
  "a lone low surrogate": "\udc00",
  "surrogates the wrong way round": "\udc00\ud800",
  NUL: "a\0b\0",
  "U+2028 and U+2029": "\u2028\u2029",
  "control characters": "\u0001\b\f\n\r\t\u001f\u007f",
  "quotes and backslashes": '"\\"\\\\/',
  emoji: "👩‍💻🏳️‍🌈",
  "U+FEFF and U+FFFD": "\ufeff\ufffd",
  "200,000 characters": "é漢x".repeat(66_667),
};

for (const [what, content] of Object.entries(texts)) {
  test(`${what}: appended, written, read, listed and copied the same`, async (t) => {
    const dir = tempDir(t);
    const manager = SessionManager.create("/w", dir);
    const id = manager.appendMessage(user(content));
    manager.appendMessage({ ...user(), role: "toolResult", details: { [content]: content } });
    assert.equal(records(manager.getSessionFile())[1].message.content, content);
    assert.equal(lines(manager.getSessionFile())[1], JSON.stringify(manager.getEntry(id)));
    const again = SessionManager.open(manager.getSessionFile());
    exactly(again.getEntries(), manager.getEntries());
    const fork = SessionManager.forkFrom(manager.getSessionFile(), "/x", tempDir(t));
    exactly(fork.getEntries(), manager.getEntries());
    assert.equal((await SessionManager.list("/w", dir))[0].firstMessage, content);
  });
}

test("ids, labels and names with any text work as keys", (t) => {
  for (const [what, id] of Object.entries(texts)) {
    const { manager } = opened(t, H(), U(id), { ...E("l1", id), type: "label", targetId: id, label: id });
    assert.equal(manager.getEntry(id).id, id, what);
    assert.equal(manager.getLabel(id), id, what);
    assert.equal(manager.getBranch().length, 2, what);
    assert.equal(manager.getTree()[0].label, id, what);
  }
});

test("an id written with escapes is the id it spells", (t) => {
  const { manager } = opened(t, H(), line(U("u1")).replace('"u1"', '"\\u00751"'), A("a1", "u1"));
  assert.equal(manager.getEntry("u1").type, "message");
  assert.equal(manager.getBranch().length, 2);
});

test("keys written with escapes are the keys they spell", (t) => {
  const escaped = line(U("u1", "p")).replace('"type"', '"\\u0074ype"').replace('"parentId"', '"p\\u0061rentId"').replace('"role"', '"r\\u006fle"');
  const { manager } = opened(t, H(), U("p"), escaped);
  exactly(manager.getEntry("u1"), U("u1", "p"));
  assert.equal(manager.buildSessionContext().messages.length, 2);
});

test("surrogates written as escapes come out as they are", (t) => {
  const { manager } = opened(t, H(), holding('"\\ud83d\\ude00 \\ud83d \\ude00"'));
  assert.equal(manager.getEntry("x1").data, "😀 \ud83d \ude00");
});

test("each invalid byte becomes U+FFFD, as where files are read as UTF-8", (t) => {
  for (const bytes of [[0xff], [0xfe, 0xff], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0x80, 0x41, 0xbf]]) {
    const [before, after] = holding('"<#>"').split("#");
    const content = Buffer.concat([Buffer.from(`${head}\n${before}`), Buffer.from(bytes), Buffer.from(`${after}\n`)]);
    const path = file(t, content);
    const manager = untouched(path, () => SessionManager.open(path));
    assert.equal(manager.getEntry("x1").data, `<${Buffer.from(bytes).toString("utf8")}>`);
  }
});

const numbers = ["0.00015999999999999999", "1e999", "-1e999", "-0", "1E+2", "1.0", "9007199254740993", "5e-324", "0.1e-7", "123456789012345678901234567890"];

for (const number of numbers) {
  test(`${number} is read as JavaScript reads it and stays as it is in files`, (t) => {
    const { path, manager } = opened(t, H(), holding(number));
    assert.ok(Object.is(manager.getEntry("x1").data, JSON.parse(number)));
    const fork = SessionManager.forkFrom(path, "/x", tempDir(t));
    assert.equal(lines(fork.getSessionFile())[1], holding(number));
    const old = session(t, H({ version: 2 }), holding(number));
    SessionManager.open(old);
    assert.ok(lines(old)[1].includes(`:${number}`), lines(old)[1]);
  });
}

for (const number of ["1e999", "-0", "0.00015999999999999999"]) {
  test(`${number} survives the migration of version 1`, (t) => {
    const path = session(t, '{"type":"session","id":"h1"}', `{"type":"custom","timestamp":"x","customType":"e","data":${number}}`);
    const manager = SessionManager.open(path);
    assert.ok(Object.is(JSON.parse(lines(path)[1]).data, JSON.parse(number)));
    assert.ok(Object.is(manager.getEntries()[0].data, JSON.parse(number)));
  });
}

test("numbers that are appended are written as JSON.stringify writes them", (t) => {
  const path = session(t, H(), U("u1"), A("a1", "u1"));
  const manager = SessionManager.open(path);
  manager.appendCustomEntry("e", [0.00015999999999999999, -0, 1e21, 1e-7, NaN, Infinity, 2 ** 53]);
  assert.equal(lines(path).at(-1), JSON.stringify(manager.getLeafEntry()));
});

test("__proto__ is an own key and nothing more", (t) => {
  const odd = '{"type":"custom","__proto__":{"id":"no"},"id":"x2","parentId":"x1","timestamp":"x"}';
  const { manager, path } = opened(t, H(), holding('{"__proto__":{"evil":1},"constructor":2}'), odd);
  const { data } = manager.getEntry("x1");
  assert.deepEqual(Object.keys(data), ["__proto__", "constructor"]);
  assert.equal(Object.getPrototypeOf(data), Object.prototype);
  assert.equal(data.evil, undefined);
  assert.ok(Object.hasOwn(manager.getEntry("x2"), "__proto__"));
  assert.equal(manager.getBranch().length, 2);
  assert.ok(Object.hasOwn(records(SessionManager.forkFrom(path, "/x", tempDir(t)).getSessionFile())[1].data, "__proto__"));
});

test("ids like the names of Object's own things are ids like any other", (t) => {
  const all = ["__proto__", "constructor", "toString", "hasOwnProperty", "0", "-1"];
  const { manager } = opened(t, H(), ...all.map((id, i) => U(id, i === 0 ? null : all[i - 1])));
  assert.deepEqual(manager.getBranch().map((entry) => entry.id), all);
  assert.equal(manager.getEntry("valueOf"), undefined);
  assert.equal(manager.getLabel("constructor"), undefined);
});

test("of a key written twice the last value counts, at the first place", (t) => {
  const { manager } = opened(
    t,
    '{"type":"session","id":"no","version":3,"timestamp":"x","cwd":"/w","id":"h1"}',
    '{"type":"custom","id":"no","parentId":"gone","timestamp":"x","data":1,"id":"x1","parentId":null,"data":2}',
    '{"type":"odd","id":"u1","parentId":"x1","timestamp":"x","message":{"role":"user","role":"assistant","provider":"p","model":"m","content":[]},"type":"message"}',
  );
  assert.equal(manager.getSessionId(), "h1");
  assert.equal(manager.getEntry("no"), undefined);
  exactly(manager.getEntry("x1"), { type: "custom", id: "x1", parentId: null, timestamp: "x", data: 2 });
  assert.deepEqual(Object.keys(manager.getEntry("u1")), ["type", "id", "parentId", "timestamp", "message"]);
  exactly(manager.buildSessionContext().model, { provider: "p", modelId: "m" });
});

test("keys that look like indexes come first, as in every object", (t) => {
  const { manager } = opened(t, H(), holding('{"b":1,"10":2,"2":3,"a":4,"01":5}'));
  assert.deepEqual(Object.keys(manager.getEntry("x1").data), ["2", "10", "b", "a", "01"]);
});

test("nesting of 5,000 levels is read, copied and migrated", (t) => {
  const deep = `${"[".repeat(5000)}1${"]".repeat(5000)}`;
  const { path, manager } = opened(t, H(), holding(deep), holding(deep.replaceAll("[", '{"k":').replaceAll("]", "}"), "x2"));
  const depth = (value) => {
    let n = 0;
    for (; typeof value === "object"; n++) value = Array.isArray(value) ? value[0] : value.k;
    return n;
  };
  assert.equal(depth(manager.getEntry("x1").data), 5000);
  assert.equal(depth(manager.getEntry("x2").data), 5000);
  assert.equal(lines(SessionManager.forkFrom(path, "/x", tempDir(t)).getSessionFile())[1], holding(deep));
  const old = session(t, H({ version: 2 }), holding(deep));
  SessionManager.open(old);
  assert.ok(lines(old)[1].includes(deep));
});

test("CRLF files are read, and appended to with LF", (t) => {
  const path = file(t, [H(), U("u1"), A("a1", "u1")].map(line).join("\r\n") + "\r\n");
  const manager = untouched(path, () => SessionManager.open(path));
  exactly(manager.getEntries(), [U("u1"), A("a1", "u1")]);
  const id = manager.appendMessage(user());
  assert.deepEqual(lines(path).map((each) => each.endsWith("\r")), [true, true, true, false]);
  assert.equal(SessionManager.open(path).getLeafId(), id);
});

test("a lone CR ends no line", (t) => {
  const { manager } = opened(t, H(), `${line(U("u1"))}\r${line(U("u2"))}`.replace("u1 asks", "a\\rb"), '{"type":"custom",\r"id":"x1",\r"parentId":null,"timestamp":"x"}');
  assert.equal(manager.getEntry("u1").message.content, "a\rb");
  assert.deepEqual(manager.getEntries().map((entry) => entry.id), ["u1", "u2", "x1"]);
});

test("a BOM before the header is no part of it", (t) => {
  const path = file(t, `\ufeff${head}\n${line(U("u1"))}\n`);
  const manager = untouched(path, () => SessionManager.open(path));
  exactly(manager.getHeader(), H());
  exactly(loadEntriesFromFile(path), [H(), U("u1")]);
  exactly(parseSessionEntries(`\ufeff${head}`), [H()]);
});

test("white space around records and inside them does not matter", (t) => {
  const { manager } = opened(t, H(), `  ${line(U("u1"))}\t `, '\t{ "type" : "custom" , "id" : "x1" , "parentId" : "u1" , "timestamp" : "x" } ');
  assert.equal(manager.getBranch().length, 2);
});
