// Two ways to work around a method of the reference: in its place, or on a file it can read.
import { readFileSync, rmSync, writeFileSync } from "node:fs";

/** Overrides methods; the new ones get the old ones. */
export function override(target, make) {
  const before = {};
  const made = make(before);
  for (const name of Object.keys(made)) {
    before[name] = target[name];
    Object.defineProperty(target, name, { value: made[name], writable: true, configurable: true });
  }
}

/** Runs `act` on a copy of a file that holds its records alone; gives `act`'s answer and the copy's lines. */
export function onCleanCopy(path, lines, act) {
  const copy = `${path}~clean`;
  writeFileSync(copy, lines.filter(({ kind }) => kind === "record").map(({ raw }) => `${raw}\n`).join(""));
  try {
    return { answer: act(copy), after: readFileSync(copy, "utf8").split("\n") };
  } finally {
    rmSync(copy);
  }
}
