// SPDX-License-Identifier: MIT
// For a server that starts Claude Code per prompt and reads its lines: the same with yume-cli.
// Per turn a process, or (persistent) per session one that stays warm.
"use strict";

const { PassThrough } = require("node:stream");
const { processArguments, sessionArguments } = require("./arguments.js");
const { binaryPath } = require("./binary_path.js");
const { mergeEnvironment } = require("./environment.js");
const { requirePrompt } = require("./messages.js");
const { givePrompt, promptArguments, readTurn } = require("./one_shot.js");
const { parseLine } = require("./parse_line.js");
const { Program } = require("./program.js");
const { SessionPool } = require("./session_pool.js");
const { TurnProcess } = require("./turn_process.js");

const IDLE_TIMEOUT_MS = 15 * 60 * 1000;

class ShimAdapter {
  #options;
  #pool;

  /** @param {import("../types").ShimOptions} [options] */
  constructor(options = {}) {
    this.#options = options;
    this.#pool = new SessionPool(options.idleTimeoutMs ?? IDLE_TIMEOUT_MS);
  }

  // The command line of a turn, without the prompt, which goes to stdin.
  /** @param {import("../types").ShimContext} [context] */
  getArgs(context = {}) {
    return [...processArguments(context), ...sessionArguments(context)];
  }

  // A turn as a process: stdout has its lines, "close" comes with its end.
  /**
   * @param {import("../types").Prompt} prompt
   * @param {import("../types").ShimContext} [context]
   * @returns {import("../types").TurnProcess}
   */
  spawn(prompt, context = {}) {
    if (!this.#options.persistent) return this.#startOnce(prompt, context).child;
    const stderr = new PassThrough();
    const session = this.session(context);
    const turn = session.send(prompt);
    const stop = session.listenToStderr((chunk) => stderr.write(chunk));
    void turn.exit.then(stop);
    return new TurnProcess(turn, { pid: session.pid, stderr });
  }

  // A turn as events.
  /**
   * @param {import("../types").Prompt} prompt
   * @param {import("../types").ShimContext} [context]
   */
  run(prompt, context = {}) {
    if (this.#options.persistent) return this.session(context).send(prompt);
    return readTurn(this.#startOnce(prompt, context), this.#options);
  }

  // The session of a context with its process, which is started if there is none. Of use in
  // persistent mode, but works without.
  /** @param {import("../types").ShimContext} [context] */
  session(context = {}) {
    const session = this.#pool.find({
      ...this.#place(context),
      args: processArguments(context),
      sessionArgs: sessionArguments(context),
      knownAs: context.resume ?? context.sessionId,
      maxLineBytes: this.#options.maxLineBytes,
    });
    session.warm();
    return session;
  }

  // The event of one line; null for a blank one. Never throws.
  /** @param {string | Uint8Array} line */
  parseOutput(line) {
    return parseLine(typeof line === "string" ? line : Buffer.from(line).toString("utf8"));
  }

  // Ends the processes of all sessions, each after its turn.
  async close() {
    await this.#pool.close();
  }

  /**
   * @param {import("../types").Prompt} prompt
   * @param {import("../types").ShimContext} context
   */
  #startOnce(prompt, context) {
    requirePrompt(prompt);
    const program = new Program({
      ...this.#place(context),
      args: [...this.getArgs(context), ...promptArguments(prompt)],
    });
    givePrompt(program, prompt);
    return program;
  }

  /** @param {import("../types").ShimContext} context */
  #place(context) {
    const own = mergeEnvironment(process.env, this.#options.env);
    const env = mergeEnvironment(own, context.env);
    return { binary: this.#options.binary ?? binaryPath({ env }), cwd: context.cwd, env };
  }
}

module.exports = { ShimAdapter };
