"use strict";

const os = require("node:os");
const native = require("./native.js");

const host = { appName: "elyra", configDir: undefined, agentDir: undefined, durability: "none" };

/** Tells the module whose sessions it keeps. What is not given goes back to its default. */
function configure(options = {}) {
  const { appName = "elyra", configDir, agentDir, durability = "none" } = options;
  if (typeof appName !== "string" || appName === "") throw new TypeError("configure: appName must be a non-empty string");
  if (configDir !== undefined && typeof configDir !== "string") throw new TypeError("configure: configDir must be a string");
  if (agentDir !== undefined && typeof agentDir !== "string" && typeof agentDir !== "function") {
    throw new TypeError("configure: agentDir must be a string or a function that returns one");
  }
  checkDurability(durability);
  Object.assign(host, { appName, configDir, agentDir, durability });
}

function checkDurability(durability) {
  if (durability !== "none" && durability !== "fsync") throw new TypeError('durability must be "none" or "fsync"');
}

const appName = () => host.appName;
const durability = () => host.durability;

/** The agent directory as it is now: hosts and tests change the environment as they run. */
function agentDir() {
  const explicit = typeof host.agentDir === "function" ? host.agentDir() : host.agentDir;
  const given = explicit ?? process.env[native.agentDirVariable(host.appName)];
  return native.agentDir(host.appName, host.configDir, given, os.homedir());
}

/** A path as a caller gave it, made absolute. */
const resolvePath = (path) => native.resolvePath(path, os.homedir());

module.exports = { configure, checkDurability, durability, appName, agentDir, resolvePath };
