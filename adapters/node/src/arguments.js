// SPDX-License-Identifier: MIT
// The command line of a turn, from what a host says about it.
//
// Values are joined to their flags by "=": a text may begin with a dash, and a flag that takes
// several values would take what stands behind it as well.
"use strict";

const { YumeCliError } = require("./errors.js");

// The lines of Claude Code, whatever YUME_CLI_DIALECT or settings.json say.
const LINES = ["--print", "--output-format", "stream-json", "--verbose", "--dialect", "claude"];

/** @type {[keyof import("../types").ShimContext, string][]} */
const VALUES = [
  ["model", "--model"],
  ["permissionMode", "--permission-mode"],
  ["systemPrompt", "--system-prompt"],
  ["appendSystemPrompt", "--append-system-prompt"],
  ["maxTurns", "--max-turns"],
  ["historyFile", "--history-file"],
  ["gcloudPath", "--gcloud-path"],
];

/** @type {[keyof import("../types").ShimContext, string][]} */
const LISTS = [
  ["allowedTools", "--allowed-tools"],
  ["disallowedTools", "--disallowed-tools"],
  ["addDirs", "--add-dir"],
];

// Everything but the session: what a process that is kept for a session was started with.
/** @param {import("../types").ShimContext} context */
function processArguments(context) {
  const args = [...LINES];
  for (const [key, flag] of VALUES) {
    const value = context[key];
    if (value !== undefined) args.push(`${flag}=${value}`);
  }
  for (const [key, flag] of LISTS) {
    for (const value of /** @type {string[]} */ (context[key] ?? [])) args.push(`${flag}=${value}`);
  }
  if (context.includePartialMessages) args.push("--include-partial-messages");
  return [...args, ...(context.args ?? [])];
}

// Which conversation: a stored one (by its id, or this folder's last), or a new one.
/** @param {import("../types").ShimContext} context */
function sessionArguments(context) {
  if (context.resume !== undefined) return [`--resume=${required("resume", context.resume)}`];
  if (context.continue) return ["--continue"];
  if (context.sessionId === undefined) return [];
  return [`--session-id=${required("sessionId", context.sessionId)}`];
}

/**
 * @param {string} name
 * @param {string} value
 */
function required(name, value) {
  if (typeof value === "string" && value !== "") return value;
  throw new YumeCliError("YUME_BAD_ARGUMENT", {
    what: `cannot use the ${name} that was given`,
    why: `it is ${JSON.stringify(value)}, not the id of a session`,
    fix: `Pass the session_id of an earlier line, or leave ${name} out to begin a new session`,
  });
}

module.exports = { processArguments, sessionArguments };
