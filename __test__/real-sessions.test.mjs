// Real sessions of version 1, where the shared folder has them: ours and the reference agree.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import * as reference from "../node_modules/@mariozechner/pi-coding-agent/dist/core/session-manager.js";
import * as ours from "../index.js";
import { exactly, ids } from "./support/claims.mjs";
import { jsonlIn, records, text, untouched } from "./support/files.mjs";
import { tempDir } from "./support/temp.mjs";

const folder = fileURLToPath(new URL("../../shared/sessions", import.meta.url));
const found = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".jsonl")) : [];

/** Entries without what a migration draws by lot, a parent being the place of the parent. */
function withoutIds(entries) {
  const places = new Map(entries.map((entry, i) => [entry.id, i]));
  const place = (id) => places.get(id) ?? id;
  return entries.map((entry) => {
    const copy = { ...entry, id: place(entry.id), parentId: place(entry.parentId) };
    if ("firstKeptEntryId" in copy) copy.firstKeptEntryId = place(copy.firstKeptEntryId);
    return copy;
  });
}

/** A copy of the session in a directory of its own for each of the two. */
function copies(t, name) {
  return [reference, ours].map((module) => {
    const path = join(tempDir(t), name);
    copyFileSync(join(folder, name), path);
    return { module, path };
  });
}

test("real sessions are at hand", { skip: found.length === 0 && `nothing in ${folder}` }, () => {});

for (const name of found) {
  test(`${name}: entries, context and file after the migration`, (t) => {
    const [theirs, our] = copies(t, name).map(({ module, path }) => ({ path, manager: module.SessionManager.open(path) }));
    exactly(withoutIds(our.manager.getEntries()), withoutIds(theirs.manager.getEntries()));
    exactly(our.manager.buildSessionContext(), theirs.manager.buildSessionContext());
    exactly(our.manager.getHeader(), theirs.manager.getHeader());
    exactly(withoutIds(records(our.path)), withoutIds(records(theirs.path)));
    assert.deepEqual(ids(our.manager.getBranch()), ids(our.manager.getEntries()));
  });

  test(`${name}: its place in a list`, async (t) => {
    const [theirs, our] = await Promise.all(
      copies(t, name).map(async ({ module, path }) => {
        const [info] = await module.SessionManager.list("/w", join(path, ".."));
        return { ...info, path: name, modified: info.modified.getTime(), created: info.created.getTime() };
      }),
    );
    exactly(our, theirs);
  });

  test(`${name}: a fork leaves it as it is`, (t) => {
    const [, { path }] = copies(t, name);
    const dir = tempDir(t);
    const fork = untouched(path, () => ours.SessionManager.forkFrom(path, "/x", dir));
    assert.equal(fork.getBranch().length, records(path).length - 1);
    assert.equal(jsonlIn(dir).length, 1);
    assert.ok(text(fork.getSessionFile()).length > text(path).length);
  });
}
