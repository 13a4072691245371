// SPDX-License-Identifier: MIT
// Where another agent's command line program is: `yume-cli detect`.
"use strict";

const { commandJson } = require("../commands.js");
const { answerAbout } = require("./answers.js");
const { programPlace } = require("./place.js");

// null: it is not installed.
/**
 * @param {import("../../types").AgentType} [agent]
 * @param {import("../../types").CommandOptions} [options]
 * @returns {Promise<string | null>}
 */
async function detectCli(agent = "gemini", options = {}) {
  const answer = await commandJson({
    ...programPlace(options),
    command: ["detect"],
    args: [agent, "--json"],
  });
  const found = answerAbout(answer, agent);
  return found.installed === false ? null : (found.path ?? found.cliPath ?? null);
}

module.exports = { detectCli };
