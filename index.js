"use strict";

const { CURRENT_SESSION_VERSION } = require("./lib/native.js");
const { configure } = require("./lib/host.js");
const { getDefaultSessionDir, findMostRecentSession } = require("./lib/places.js");
const { parseSessionEntries, loadEntriesFromFile, migrateSessionEntries } = require("./lib/entries.js");
const { buildSessionContext, getLatestCompactionEntry } = require("./lib/context.js");
const { SessionManager } = require("./lib/session-manager.js");

// Written as an object literal of plain names, so that Node finds the names for ES modules too.
module.exports = {
  CURRENT_SESSION_VERSION,
  SessionManager,
  buildSessionContext,
  configure,
  findMostRecentSession,
  getDefaultSessionDir,
  getLatestCompactionEntry,
  loadEntriesFromFile,
  migrateSessionEntries,
  parseSessionEntries,
};
