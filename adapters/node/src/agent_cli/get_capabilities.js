// SPDX-License-Identifier: MIT
// What an agent can do, as hosts show it: `yume-cli capabilities`.
"use strict";

const { commandJson } = require("../commands.js");
const { answerAbout } = require("./answers.js");
const { programPlace } = require("./place.js");

/**
 * @param {import("../../types").AgentType} [agent]
 * @param {import("../../types").CommandOptions} [options]
 * @returns {Promise<import("../../types").AgentCapabilities>}
 */
async function getCapabilities(agent = "gemini", options = {}) {
  const answer = await commandJson({
    ...programPlace(options),
    command: ["capabilities"],
    args: ["--json"],
  });
  const said = answerAbout(answer, agent);
  const cliPath = said.cliPath ?? said.path;
  return {
    supportsSlashCommands: said.supportsSlashCommands === true,
    supportsModels: said.supportsModels === true,
    models: (said.models ?? []).map(model),
    supportsWebSearch: said.supportsWebSearch === true,
    supportsThinking: said.supportsThinking === true,
    installed: said.installed === true,
    ...(typeof cliPath === "string" && { cliPath }),
  };
}

/** @param {any} one */
function model(one) {
  return { id: String(one.id), name: String(one.name ?? one.id) };
}

module.exports = { getCapabilities };
