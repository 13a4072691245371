// SPDX-License-Identifier: MIT
// What the package offers to hosts. index.mjs offers the same to ES modules.
"use strict";

const { version } = require("./package.json");
const { detectCli } = require("./src/agent_cli/detect_cli.js");
const { execute } = require("./src/agent_cli/execute.js");
const { getCapabilities } = require("./src/agent_cli/get_capabilities.js");
const { loadMessages } = require("./src/agent_cli/load_messages.js");
const { binaryPath } = require("./src/binary_path.js");
const { YumeCliError } = require("./src/errors.js");
const { readEvents } = require("./src/read_events.js");
const { ShimAdapter } = require("./src/shim_adapter.js");

// As types/index.d.ts has it.
/** @type {typeof import("./types")} */
const offered = {
  ShimAdapter,
  YumeCliError,
  binaryPath,
  detectCli,
  execute,
  getCapabilities,
  loadMessages,
  readEvents,
  version,
};

module.exports = offered;
