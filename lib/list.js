"use strict";

const os = require("node:os");
const native = require("./native.js");
const { agentDir } = require("./host.js");
const { sessionPlace } = require("./places.js");

/** The sessions of a project, newest first. */
async function list(cwd, sessionDir, onProgress) {
  const { dir, project } = sessionPlace(cwd, sessionDir);
  return readInfos(await native.sessionFiles(dir), project, onProgress);
}

/** The sessions of all projects, newest first. */
async function listAll(onProgress) {
  return readInfos(await native.projectFiles(agentDir()), undefined, onProgress);
}

async function readInfos(paths, project, onProgress) {
  const infos = new Array(paths.length);
  let next = 0;
  let loaded = 0;
  // A few files at a time bound memory and open files; they are read off this thread.
  const worker = async () => {
    while (next < paths.length) {
      const at = next++;
      const text = await native.readSessionInfo(paths[at], project).catch(() => null);
      infos[at] = text === null ? undefined : toInfo(JSON.parse(text));
      report(onProgress, ++loaded, paths.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, os.availableParallelism()) }, worker));
  return infos.filter(Boolean).sort((a, b) => b.modified.getTime() - a.modified.getTime());
}

function report(onProgress, loaded, total) {
  try {
    onProgress?.(loaded, total);
  } catch {
    // A caller's progress display must not cost it the list.
  }
}

/** A `SessionInfo` of what the core found. Dates are read here, as JavaScript reads them. */
function toInfo(found) {
  const { path, id, cwd, name, parentSessionPath, created, messageCount, firstMessage, allMessagesText } = found;
  return {
    path,
    id,
    cwd,
    name,
    parentSessionPath,
    created: new Date(created),
    modified: modified(found),
    messageCount,
    firstMessage: firstMessage || "(no messages)",
    allMessagesText,
  };
}

function modified({ lastActivity, oddTimes, created, fileModified }) {
  let activity = lastActivity;
  for (const time of oddTimes) {
    const millis = new Date(time).getTime();
    if (millis > activity) activity = millis;
  }
  if (activity > 0) return new Date(activity);
  const begun = typeof created === "string" ? new Date(created) : new Date(NaN);
  return Number.isNaN(begun.getTime()) ? new Date(fileModified) : begun;
}

module.exports = { list, listAll };
