// SPDX-License-Identifier: MIT
// A stored conversation as unified messages: `yume-cli sessions convert --to unified`.
"use strict";

const { commandJsonLines } = require("../commands.js");
const { programPlace, unknownTool } = require("./place.js");

/** @type {Record<string, string>} */
const SOURCES = { auto: "auto", gemini: "gemini-cli", claude: "claude", yume: "yume" };

// Without a session: the newest of the project.
/**
 * @param {import("../../types").LoadMessagesOptions} [options]
 * @returns {Promise<import("../../types").UnifiedMessage[]>}
 */
async function loadMessages(options = {}) {
  const source = SOURCES[options.tool ?? "auto"];
  if (source === undefined) throw unknownTool("load messages", options.tool, Object.keys(SOURCES));
  return commandJsonLines({
    ...programPlace(options),
    command: ["sessions", "convert"],
    args: [...which(options), "--from", source, "--to", "unified", "--jsonl"],
  });
}

/** @param {import("../../types").LoadMessagesOptions} options */
function which({ sessionPath, sessionId, projectPath = process.cwd() }) {
  if (sessionPath !== undefined) return [sessionPath];
  return [...(sessionId === undefined ? [] : ["--session", sessionId]), "--cwd", projectPath];
}

module.exports = { loadMessages };
