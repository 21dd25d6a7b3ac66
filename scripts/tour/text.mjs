// Text for a terminal: colours where they are wanted, and any stored text made one safe, short line.

const colours = process.stdout.isTTY === true && !process.env.NO_COLOR;
const paint = (code) => (text) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);

export const bold = paint(1);
export const dim = paint(2);
export const green = paint(32);
export const yellow = paint(33);
export const cyan = paint(36);

/** Columns of the terminal; a fixed width in a pipe. */
export const width = Math.max(60, Math.min(process.stdout.columns ?? 110, 140));

// Escape sequences in a session must not reach the reader's terminal, nor text that runs right to left.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]+/gu;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff00-\uff60]/u;

/** One line of at most `limit` columns, with an ellipsis where something was cut off. */
export function clip(value, limit) {
  // Much longer texts are common and only their beginning is shown.
  const text = String(value).slice(0, limit * 4).toWellFormed().replace(UNSAFE, " ").replace(/\s+/g, " ").trim();
  let columns = 0;
  let shown = "";
  for (const character of text) {
    columns += WIDE.test(character) ? 2 : 1;
    if (columns > limit - 1 && shown.length + character.length < text.length) return `${shown.trimEnd()}…`;
    shown += character;
  }
  return shown;
}

/** `1 entry`, `2 entries`, `12,345 entries`. */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

export function heading(text) {
  console.log(`\n${bold(text)}`);
}

/** Lines of a name and a value, with the values under one another. */
export function table(rows) {
  const left = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) console.log(`  ${dim(name.padEnd(left))}  ${value}`);
}
