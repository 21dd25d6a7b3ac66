"use strict";

const native = require("./native.js");
const { resolvePath } = require("./host.js");

/** The JSON values on the lines of a text. Lines that are not JSON are skipped. */
function parseSessionEntries(content) {
  const entries = [];
  for (const line of content.trim().split("\n")) {
    if (!line.trim()) continue;
    try {
      entries.push(JSON.parse(line));
    } catch {
      // Skipped: a damaged line costs itself only.
    }
  }
  return entries;
}

/** All objects of a session file, header first, as they are in the file. */
function loadEntriesFromFile(filePath) {
  const entries = [];
  for (const array of native.loadEntriesFromFile(resolvePath(filePath))) {
    for (const entry of JSON.parse(array)) entries.push(entry);
  }
  return entries;
}

/** Brings a caller's objects to the current version, in place. */
function migrateSessionEntries(entries) {
  const rows = JSON.parse(native.migrateSessionEntries(Array.from(entries, describe).join("\n")));
  for (const [number, set, removed, roleToCustom, keptIsUndefined] of rows) {
    const entry = entries[number];
    for (const [key, value] of set) entry[key] = value;
    if (keptIsUndefined) entry.firstKeptEntryId = undefined;
    for (const key of removed) delete entry[key];
    if (roleToCustom) entry.message.role = "custom";
  }
}

/**
 * What the core has to know of an entry, as JSON text on one line: the members its rules ask for,
 * without the bulk. Content and summary only count by being there.
 */
function describe(entry) {
  return JSON.stringify({
    type: entry.type,
    id: entry.id,
    parentId: entry.parentId,
    timestamp: entry.timestamp,
    message: describeMessage(entry.message),
    provider: entry.provider,
    modelId: entry.modelId,
    thinkingLevel: entry.thinkingLevel,
    targetId: entry.targetId,
    label: entry.label,
    name: entry.name,
    summary: entry.summary ? 1 : 0,
    content: presence(entry.content),
    firstKeptEntryId: entry.firstKeptEntryId,
    firstKeptEntryIndex: entry.firstKeptEntryIndex,
    version: entry.version,
  });
}

function describeMessage(message) {
  if (typeof message !== "object" || message === null) return presence(message);
  const { role, provider, model, content } = message;
  return { role, provider, model, content: presence(content) };
}

const presence = (value) => (value === undefined || value === null ? null : 0);

module.exports = { parseSessionEntries, loadEntriesFromFile, migrateSessionEntries, describe };
