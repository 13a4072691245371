// SPDX-License-Identifier: MIT
// Which program a call of agent-cli-sdk's functions goes to, and in which environment.
"use strict";

const { binaryPath } = require("../binary_path.js");
const { mergeEnvironment } = require("../environment.js");
const { YumeCliError } = require("../errors.js");

/** @param {{ binary?: string, env?: NodeJS.ProcessEnv }} options */
function programPlace(options) {
  const env = mergeEnvironment(process.env, options.env);
  return { binary: options.binary ?? binaryPath({ env }), env };
}

// An error for a tool that agent-cli-sdk knows and yume-cli cannot stand for.
/**
 * @param {string} action
 * @param {unknown} tool
 * @param {string[]} right
 */
function unknownTool(action, tool, right) {
  return new YumeCliError("YUME_BAD_ARGUMENT", {
    what: `cannot ${action} for the tool ${JSON.stringify(tool)}`,
    why: `yume-cli serves ${right.join(", ")}`,
    fix: "Choose one of these, or leave `tool` out",
  });
}

module.exports = { programPlace, unknownTool };
