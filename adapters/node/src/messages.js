// SPDX-License-Identifier: MIT
// The lines that a host writes to yume-cli in stream-json.
"use strict";

const { YumeCliError } = require("./errors.js");

// Throws when `prompt` is none.
/** @param {unknown} prompt */
function requirePrompt(prompt) {
  if (typeof prompt === "string" || Array.isArray(prompt)) return;
  throw new YumeCliError("YUME_BAD_ARGUMENT", {
    what: "cannot send the prompt",
    why: `it is ${prompt === null ? "null" : `of type ${typeof prompt}`}`,
    fix: "Pass a text, or an array of content blocks",
  });
}

/** @param {import("../types").Prompt} content */
function userMessage(content) {
  return { type: "user", message: { role: "user", content } };
}

/**
 * @param {string} id
 * @param {{ subtype: string }} request
 */
function controlRequest(id, request) {
  return { type: "control_request", request_id: id, request };
}

module.exports = { requirePrompt, userMessage, controlRequest };
