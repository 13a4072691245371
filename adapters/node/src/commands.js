// SPDX-License-Identifier: MIT
// Subcommands of yume-cli that answer with JSON (`detect`, `capabilities`, `sessions convert`).
//
// A yume-cli that does not know a subcommand takes its words for a prompt and sends them to the
// model. So it is asked first, by `--help`, which is answered without a model.
"use strict";

const fs = require("node:fs");
const { YumeCliError } = require("./errors.js");
const { LineSplitter } = require("./line_splitter.js");
const { Program } = require("./program.js");

/** @typedef {import("./line_splitter.js").Line} Line */

/**
 * @typedef {object} CommandCall
 * @property {string} binary
 * @property {string[]} command its words: ["sessions", "convert"]
 * @property {string[]} args
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 */

const MAX_ANSWER_BYTES = 256 * 1024 * 1024; // of one line: a session's record holds whole files

/** @type {Set<string>} */
const found = new Set(); // commands of programs, the program's time of change included

// The JSON value that the command answers with.
/** @param {CommandCall} call */
async function commandJson(call) {
  const lines = await commandLines(call);
  return parseAnswer(call, lines.join("\n"));
}

// The JSON values that the command answers with, one per line.
/** @param {CommandCall} call */
async function commandJsonLines(call) {
  const lines = await commandLines(call);
  return lines.filter((line) => line.trim() !== "").map((line) => parseAnswer(call, line));
}

// Rejects with what the command wrote to stderr if it fails.
/** @param {CommandCall} call */
async function commandLines(call) {
  await requireCommand(call);
  const { exit, lines, stderr } = await run(call, [...call.command, ...call.args]);
  if (exit.code === 0) return lines;
  throw new YumeCliError("YUME_COMMAND_FAILED", {
    what: `yume-cli ${call.command.join(" ")} failed`,
    why: withoutPeriod(stderr) || `it ended with ${exit.signal ?? `code ${exit.code}`}`,
    fix: `\`yume-cli ${call.command.join(" ")} --help\` says what it takes`,
  });
}

/** @param {CommandCall} call */
async function requireCommand(call) {
  const name = call.command.join(" ");
  const changed = fs.statSync(call.binary, { throwIfNoEntry: false })?.mtimeMs;
  const key = JSON.stringify([call.binary, changed, name]);
  if (found.has(key)) return;
  const { lines } = await run(call, [...call.command, "--help"]);
  const usage = new RegExp(`^(Usage:)? *yume-cli ${name}\\b`);
  if (!lines.some((line) => usage.test(line))) throw await missing(call, name);
  found.add(key);
}

/**
 * @param {CommandCall} call
 * @param {string} name
 */
async function missing(call, name) {
  const { lines } = await run(call, ["--version"]);
  return new YumeCliError("YUME_NO_COMMAND", {
    what: `cannot run \`yume-cli ${name}\``,
    why: `this version (${lines[0]?.trim() || "unknown"}) does not have that command`,
    fix: `Update yume-cli, or set YUME_CLI_BINARY to a newer one than ${call.binary}`,
  });
}

/**
 * @param {CommandCall} call
 * @param {string[]} args
 */
async function run({ binary, cwd, env }, args) {
  const program = new Program({ binary, args, cwd, env, stdin: "ignore" });
  const splitter = new LineSplitter(MAX_ANSWER_BYTES);
  /** @type {string[]} */
  const lines = [];
  /** @param {Line} line */
  const keep = (line) => void lines.push("text" in line ? line.text : line.start);
  program.stdout.on("data", (chunk) => splitter.push(chunk).forEach(keep));
  const exit = await program.closed;
  if (exit.error !== undefined) throw exit.error;
  splitter.end().forEach(keep);
  return { exit, lines, stderr: program.stderrText };
}

/**
 * @param {CommandCall} call
 * @param {string} text
 */
function parseAnswer(call, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new YumeCliError("YUME_COMMAND_FAILED", {
      what: `cannot read what yume-cli ${call.command.join(" ")} answered`,
      why: `it is no JSON: ${text.slice(0, 120)}`,
      fix: "Install the same version of yume-cli and of its platform package",
      cause: error,
    });
  }
}

/** @param {string} text */
function withoutPeriod(text) {
  return text.replace(/\.$/, "");
}

module.exports = { commandJson, commandJsonLines };
