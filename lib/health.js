"use strict";

const native = require("./native.js");
const host = require("./host.js");

/** The problems of a session file. Nothing is written. */
const verify = (sessionFile) => examine(native.verifySession, sessionFile);

/** Mends the damage of a session file, and says what was done. */
async function repair(sessionFile) {
  const { entries, mended, notes, backup } = await examine(native.repairSession, sessionFile);
  return { entries, mended, notes, backup: backup ?? undefined };
}

async function examine(work, sessionFile) {
  const path = host.resolvePath(sessionFile);
  try {
    return JSON.parse(await work(path, host.appName()));
  } catch (error) {
    throw new Error(error.message);
  }
}

module.exports = { verify, repair };
