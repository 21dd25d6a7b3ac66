"use strict";

const native = require("./native.js");
const { agentDir, resolvePath } = require("./host.js");

/** The directory of a project's sessions, not made yet. `cwd` is resolved. */
const projectDir = (cwd) => native.projectDir(agentDir(), cwd);

/** The directory of a project's sessions. Makes it if it is not there. */
function getDefaultSessionDir(cwd, givenAgentDir) {
  const base = givenAgentDir === undefined ? agentDir() : resolvePath(givenAgentDir);
  const dir = native.projectDir(base, resolvePath(cwd));
  native.makeDirectory(dir);
  return dir;
}

/**
 * Where a project's sessions are looked for: `dir`, and `project`, the working directory that
 * tells them from those of a project of the same directory name. Only the default directory can
 * hold such others.
 */
function sessionPlace(cwd, sessionDir) {
  if (sessionDir === undefined || sessionDir === null) {
    return { dir: getDefaultSessionDir(cwd), project: resolvePath(cwd) };
  }
  const dir = resolvePath(sessionDir);
  const project = resolvePath(cwd);
  return { dir, project: dir === projectDir(project) ? project : undefined };
}

function findMostRecentSession(sessionDir) {
  if (typeof sessionDir !== "string") return null;
  return native.findMostRecentSession(resolvePath(sessionDir), undefined);
}

module.exports = { getDefaultSessionDir, sessionPlace, findMostRecentSession };
