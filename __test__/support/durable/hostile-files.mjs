// Opens what is no ordinary file, and files of hostile bytes, with everything that takes a path. Nothing
// may block or end the process. Prints what went wrong; before each call, to standard error, its name.
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager, findMostRecentSession, loadEntriesFromFile } from "../../../index.js";
import { A, H, T, U, user } from "../entries.mjs";
import { line } from "../files.mjs";
import { PATIENCE } from "../patience.mjs";

const failures = [];
let calls = 0;
const open = () => SessionManager.open(join(process.cwd(), "good.jsonl"));

/** Runs a call; claims that it takes at most two seconds, and (`must`) whether it throws, naming `path`. */
async function timed(what, path, must, act) {
  process.stderr.write(`${what}\n`);
  calls++;
  const started = performance.now();
  let error;
  try {
    await act();
  } catch (thrown) {
    error = thrown;
  }
  const took = performance.now() - started;
  if (took > PATIENCE) failures.push(`${what}: took ${Math.round(took)} ms`);
  if (must === "throw" && !error) failures.push(`${what}: did not throw`);
  const named = [path, existsSync(path) ? realpathSync(path) : path];
  if (must === "throw" && error && !named.some((name) => error.message.includes(name))) failures.push(`${what}: ${error.message} does not name ${path}`);
  if (must === "work" && error) failures.push(`${what}: ${error.message.slice(0, 300)}`);
}

/** Everything that takes a path to a session file. What `refuse`s is a file, but no session. */
async function everything(what, path, outcome) {
  const must = outcome === "refuse" ? "throw" : outcome;
  await timed(`open ${what}`, path, must, () => SessionManager.open(path));
  await timed(`setSessionFile ${what}`, path, must, () => open().setSessionFile(path));
  await timed(`forkFrom ${what}`, path, must, () => SessionManager.forkFrom(path, "/w", join(process.cwd(), "forks")));
  await timed(`loadEntriesFromFile ${what}`, path, outcome === "refuse" ? "work" : must, () => loadEntriesFromFile(path));
  await timed(`verify ${what}`, path, must, () => SessionManager.verify(path));
  await timed(`repair ${what}`, path, must, () => SessionManager.repair(path));
}

async function directory(what, dir, found) {
  await timed(`list with ${what}`, dir, "work", async () => {
    const listed = (await SessionManager.list("/w", dir)).map(({ path }) => path);
    if (listed.join() !== [found].filter(Boolean).join()) failures.push(`list with ${what}: ${listed}`);
  });
  await timed(`findMostRecentSession with ${what}`, dir, "work", () => {
    if (findMostRecentSession(dir) !== (found ?? null)) failures.push(`findMostRecentSession with ${what}: ${findMostRecentSession(dir)}`);
  });
  await timed(`continueRecent with ${what}`, dir, "work", () => SessionManager.continueRecent("/w", dir));
}

writeFileSync("good.jsonl", `${line(H())}\n${line(U("u1"))}\n`);

// --- Not ordinary files ---

/** Makes each at a path. */
const kinds = {
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "a directory": (path) => mkdirSync(path),
  "a link to /dev/null": (path) => symlinkSync("/dev/null", path),
  "a link to /dev/zero": (path) => symlinkSync("/dev/zero", path),
  "a link to /dev/tty": (path) => symlinkSync("/dev/tty", path),
  "a link to a directory": (path) => symlinkSync(process.cwd(), path),
  "a link to a pipe": (path) => {
    execFileSync("mkfifo", [`${path}.pipe`]);
    symlinkSync(`${path}.pipe`, path);
  },
  "a link to itself": (path) => symlinkSync(path, path),
};

for (const [n, [what, make]] of Object.entries(kinds).entries()) {
  const dir = join(process.cwd(), `dir${n}`);
  const path = join(dir, "s.jsonl");
  mkdirSync(dir);
  make(path);
  const before = lstatSync(path).ino;
  await everything(what, path, "throw");
  await directory(what, dir, undefined);
  if (lstatSync(path).ino !== before) failures.push(`${what} was replaced`);
  // It comes to be there after the path was decided.
  rmSync(path, { recursive: true, force: true });
  rmSync(`${path}.pipe`, { force: true });
  const unwritten = SessionManager.open(path);
  make(path);
  await timed(`a first message to ${what}`, path, "throw", () => unwritten.appendMessage(user()));
  rmSync(path, { recursive: true, force: true });
  rmSync(`${path}.pipe`, { force: true });
  const manager = SessionManager.open(path);
  manager.appendMessage(user());
  rmSync(path);
  make(path);
  await timed(`an append when the file became ${what}`, path, "throw", () => manager.appendMessage(user()));
  await timed(`refresh when the file became ${what}`, path, "throw", () => manager.refresh());
}
for (const device of ["/dev/null", "/dev/zero", "/dev/tty", "/dev/stdin"]) await everything(device, device, "throw");

// --- Hostile bytes ---

const MB = 1 << 20;
const header = `${line(H())}\n`;
const entry = (data) => `{"type":"custom","id":"c1","parentId":null,"timestamp":"${T}","customType":"e","data":${data}}\n`;
const bytes = {
  "1 MB of NUL": Buffer.alloc(MB),
  "1 MB of [": Buffer.alloc(MB, "["),
  '1 MB of {"a":': Buffer.from('{"a":'.repeat(MB / 5)),
  '1 MB of {"type":': Buffer.from('{"type":'.repeat(MB / 8)),
  '1 MB of {"type":"message","id":"': Buffer.from('{"type":"message","id":"'.repeat(MB / 24)),
  "1 MB of backslashes": Buffer.from(`{"type":"message","id":"${"\\".repeat(MB)}`),
  "1 MB of quotes": Buffer.alloc(MB, '"'),
  "1 MB of line feeds": Buffer.alloc(MB, "\n"),
  "1 MB of 0xff": Buffer.alloc(MB, 0xff),
  "a number of 1 MB": Buffer.alloc(MB, "9"),
  "records inside each other": Buffer.from(`{"type":"custom","id":"a","parentId":null,"timestamp":"t","data":`.repeat(15_000)),
};
let seed = 7;
for (let n = 0; n < 8; n++) {
  const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) >>> 16;
  bytes[`random bytes ${n}`] = Buffer.from({ length: 50_000 }, n % 2 ? random : () => '{}[]",:\\\n0ae '.charCodeAt(random() % 13));
}

for (const [what, content] of Object.entries(bytes)) {
  const path = join(process.cwd(), "hostile.jsonl");
  rmSync(path, { force: true });
  writeFileSync(path, content);
  await everything(`a file of ${what}`, path, "refuse");
  if (!readFileSync(path).equals(content)) failures.push(`a file of ${what} was changed`);
  for (const place of ["at the end", "in the middle"]) {
    const whole = Buffer.concat([Buffer.from(`${header}${line(U("u1"))}\n`), content, Buffer.from(place === "at the end" ? "" : `\n${line(A("a1", "u1"))}\n`)]);
    writeFileSync(path, whole);
    await everything(`${what} ${place}`, path, "work");
    writeFileSync(path, whole);
    await timed(`an append behind ${what} ${place}`, path, "work", () => {
      const manager = SessionManager.open(path);
      const ids = [...manager.getEntries().map(({ id }) => id), manager.appendMessage(user())];
      if (ids[0] !== "u1") failures.push(`${what} ${place}: u1 is gone`);
      if (!readFileSync(path).subarray(0, whole.length).equals(whole)) failures.push(`${what} ${place}: bytes were changed`);
      if (SessionManager.open(path).getEntries().map(({ id }) => id).join() !== ids.join()) failures.push(`${what} ${place}: other entries when opened again`);
    });
    for (const name of readdirSync(".")) if (name.includes(".bak-")) rmSync(name);
  }
}

// Good JSON, but deep: reading it must not need a stack.
for (const [what, data] of [["[", `${"[".repeat(MB / 2)}${"]".repeat(MB / 2)}`], ['{"a":', `${'{"a":'.repeat(MB / 6)}1${"}".repeat(MB / 6)}`]]) {
  const path = join(process.cwd(), "deep.jsonl");
  writeFileSync(path, header + entry(data) + `${line(U("u1", "c1"))}\n`);
  await everything(`an entry deep in ${what}`, path, "work");
  await timed(`using an entry deep in ${what}`, path, "work", () => {
    const manager = SessionManager.open(path);
    manager.appendMessage(user());
    manager.createBranchedSession(manager.getLeafId());
    if (SessionManager.open(manager.getSessionFile()).getEntries().length !== 3) failures.push(`an entry deep in ${what} was not copied`);
  });
  await timed(`branching off with the object of an entry deep in ${what}`, path, "any", () => {
    const manager = SessionManager.open(path);
    manager.getEntries();
    try {
      manager.createBranchedSession(manager.getLeafId());
    } finally {
      manager.appendMessage(user());
    }
  });
}
process.stdout.write(JSON.stringify({ calls, failures }));
