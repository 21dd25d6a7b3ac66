// What the layer check must find and must let pass. It is run over these first: a check that no
// longer finds anything would otherwise look like a clean tree.

export const BAD_CORE = ["use napi::bindgen_prelude::*;", "#[napi]", "// as Napi does it"];
export const GOOD_CORE = ["use crate::entry::Entry;", 'let kind = "message";'];

export const BAD_FACE = [
  'if (entry.type === "message") f();',
  'if ("compaction" === kind) f();',
  "if (entry.type !== other) f();",
  "return other.type == entry?.type;",
  "if (a === entry.message.role) f();",
  'const { type } = entry; if (type === wanted) f();',
  'if (entry["type"] === wanted) f();',
  "switch (entry.type) { default: f(); }",
  "switch (kind) { case 'model_change': f(); }",
  "const makers = { message: 1, compaction: f };",
  'const makers = { "message": f };',
  "makers[entry.type](entry);",
  "if (KINDS.has(entry.message.role)) f();",
  'const KINDS = ["message", "custom"];',
  "const KINDS = new Map([['label', f]]);",
  'if (entry.type.startsWith("custom")) f();',
  "if (entry.type in makers) f();",
  "const text = `${entry.type === wanted ? 1 : 2}`;",
  "const quote = /[\"'`]/; if (entry.role === 'user') f();",
];
export const GOOD_FACE = [
  'const entry = { type: "message", id, parentId, timestamp, message };',
  'return this.#append("message", { message, label: undefined });',
  "core.add(entry.type, entry.id, entry.message?.role);",
  'if (typeof entry.type === "string") f();',
  '// entry.type === "message" is decided by the core',
  'const text = `no entry.type === "message" here`;',
  "/* switch (entry.type) */",
  "throw new Error(error.message);",
  "const list = [entry.type, entry.id];",
  'return entries[i].type === "compaction"; // layer-exception: latest compaction',
];
