// SPDX-License-Identifier: MIT
// A turn in a process of its own: the prompt goes to stdin, lines come from stdout, and the process
// ends with the turn.
"use strict";

const { LineReader } = require("./line_reader.js");
const { userMessage } = require("./messages.js");
const { Turn } = require("./turn.js");

const AGAIN = "Send the prompt again; a session that had begun can be resumed by its id";

// The flags that make the program read what givePrompt() writes.
/** @param {import("../types").Prompt} prompt */
function promptArguments(prompt) {
  return typeof prompt === "string" ? [] : ["--input-format", "stream-json"];
}

// Nothing can be written afterwards.
/**
 * @param {import("./program.js").Program} program
 * @param {import("../types").Prompt} prompt
 */
function givePrompt(program, prompt) {
  if (typeof prompt === "string") {
    program.endInput(prompt);
  } else {
    program.write(userMessage(prompt));
    program.endInput();
  }
}

// Reads `program`, which has been given its prompt, as a turn.
/**
 * @param {import("./program.js").Program} program
 * @param {{ maxLineBytes?: number }} [options]
 */
function readTurn(program, { maxLineBytes } = {}) {
  const turn = new Turn({
    onSpace: () => reader.resume(),
    // Windows has no such signal; there the process is ended.
    interrupt: async () =>
      process.platform === "win32" ? program.kill() : program.signal("SIGINT"),
    kill: () => program.kill(),
    abandon: () => program.kill(),
  });
  const reader = new LineReader(program.stdout, {
    maxLineBytes,
    onLine: (line) => {
      if (!turn.accept(line)) reader.pause();
    },
  });
  program.closed.then((exit) => turn.end(exit, program.endedEarly(exit, "it had a result", AGAIN)));
  return turn;
}

module.exports = { promptArguments, givePrompt, readTurn };
