// Makes a failing program smaller to read than fast-check can, since it may cut anywhere: calls,
// files, and lines of files.

/** The smallest program found within `time` milliseconds for which `fails` still answers a text. */
export async function smaller(program, fails, time) {
  const until = Date.now() + time;
  let best = program;
  let text = await fails(best);
  for (let shrunk = true; shrunk; ) {
    shrunk = false;
    for (const next of cuts(best)) {
      if (Date.now() > until) return { program: best, text };
      const found = await fails(next);
      if (found === undefined) continue;
      [best, text, shrunk] = [next, found, true];
      break;
    }
  }
  return { program: best, text };
}

/** Programs with a part left out, the largest parts first. */
function* cuts({ files, calls }) {
  for (const fewer of without(calls)) yield { files, calls: fewer };
  for (let at = files.length - 1; at > 0; at--) yield { files: files.toSpliced(at, 1), calls };
  for (const [at, file] of files.entries()) {
    for (const lines of without(file.lines)) yield { files: files.with(at, { ...file, lines }), calls };
  }
}

/** A list without a half, a quarter, … one of its items. */
function* without(list) {
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = list.length - size; at >= 0; at -= size) yield list.toSpliced(at, size);
  }
}
