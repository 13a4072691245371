// SPDX-License-Identifier: MIT
// A session with a process that is kept between turns (`--input-format stream-json`): the second
// prompt finds the program warm. One turn at a time. A process that ended, for whatever reason, is
// started again by the next prompt and goes on with the same conversation.
//
// An idle process does not keep the host's event loop going.
"use strict";

const { isDeepStrictEqual } = require("node:util");
const { YumeCliError } = require("./errors.js");
const { LineReader } = require("./line_reader.js");
const { controlRequest, requirePrompt, userMessage } = require("./messages.js");
const { PendingRequests } = require("./pending_requests.js");
const { Program } = require("./program.js");
const { Turn } = require("./turn.js");

/** @typedef {import("./line_reader.js").EventLine} EventLine */

const CLOSING_TIME_MS = 5000; // after which a process that was asked to end is killed
const KEPT_BETWEEN_TURNS = 1000; // lines
/** @type {import("./turn.js").TurnExit} */
const NO_EXIT = { code: null, signal: null }; // of a process that was never there
const RESUMED = "Send the prompt again: it goes on with the same session, in a new process";

/**
 * @typedef {object} SessionStart
 * @property {string} binary
 * @property {string[]} args without those that choose the session
 * @property {string[]} sessionArgs those; of use only until the session's id is known
 * @property {string} [knownAs] the id, or a beginning of it, by which the host has asked for it
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [maxLineBytes]
 */

/**
 * @typedef {object} SessionKeeping
 * @property {number} [idleTimeoutMs] an idle process is closed after this; none: never
 * @property {(session: Session) => void} [onStarted] it has a process now
 * @property {(session: Session) => void} [onEnded] it has none any more
 */

class Session {
  /** @type {SessionStart} */
  #start;
  #keeping;
  /** @type {Program | null} */
  #program = null;
  /** @type {LineReader | null} */
  #reader = null;
  /** @type {Turn | null} */
  #turn = null;
  /** @type {Promise<void> | null} */
  #leaving = null; // the end of a process that takes no more prompts
  #turnWaits = false; // for that end; its prompt has not been sent
  /** @type {string | undefined} */
  #id;
  /** @type {EventLine[]} */
  #between = []; // lines that came while no turn ran
  #pending = new PendingRequests();
  /** @type {Set<(chunk: string) => void>} */
  #stderrListeners = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  #idleTimer;

  /**
   * @param {SessionStart} start
   * @param {SessionKeeping} [keeping]
   */
  constructor(start, keeping = {}) {
    this.#start = start;
    this.#keeping = keeping;
  }

  // Known after the first line of the first turn.
  get id() {
    return this.#id;
  }

  // Whether a host means this one by `id`.
  /** @param {string} id */
  isKnownAs(id) {
    return id === this.#id || id === this.#start.knownAs;
  }

  get busy() {
    return this.#turn !== null;
  }

  // Of the process; undefined while there is none.
  get pid() {
    return this.#program?.pid;
  }

  // Starts the process, if there is none, before it is needed.
  warm() {
    if (this.#leaving !== null) return;
    this.#ensureProgram();
    if (this.#turn === null) this.#rest();
  }

  // A turn. Throws when the one before is not over.
  /** @param {import("../types").Prompt} prompt */
  send(prompt) {
    if (this.#turn !== null) throw busy();
    requirePrompt(prompt);
    /** @type {Turn} */
    const turn = new Turn({
      onSpace: () => this.#reader?.resume(),
      interrupt: () => this.interrupt(),
      kill: () => this.kill(),
      abandon: () => this.#abandon(turn),
    });
    this.#turn = turn;
    clearTimeout(this.#idleTimer);
    if (this.#leaving === null) {
      this.#begin(turn, prompt);
    } else {
      this.#turnWaits = true;
      void this.#leaving.then(() => this.#begin(turn, prompt));
    }
    return turn;
  }

  // Resolves when the program has taken notice. The turn's result comes by the turn.
  async interrupt() {
    if (this.#turnWaits) await this.#leaving;
    const program = this.#program;
    if (this.#turn === null || program === null) return;
    const { id, answered } = this.#pending.add();
    // The response stands behind lines that nobody may have read yet.
    this.#reader?.resume();
    program.write(controlRequest(id, { subtype: "interrupt" }));
    await answered;
  }

  // A line of stream-json that is the host's own business, such as the answer to a question. Does
  // nothing without a process.
  /** @param {object} message */
  write(message) {
    this.#program?.write(message);
  }

  // What the process writes to stderr from now on. Returns how to stop that.
  /** @param {(chunk: string) => void} listener */
  listenToStderr(listener) {
    this.#stderrListeners.add(listener);
    return () => void this.#stderrListeners.delete(listener);
  }

  // From the next turn on the process shall be another; an idle one ends now. The conversation goes
  // on. Does nothing if it is right already.
  /** @param {SessionStart} start */
  change(start) {
    if (isSameProcess(this.#start, start)) return;
    this.#start = start;
    void this.#leave();
  }

  // Ends the process after the turn that runs; the conversation can go on with another send().
  async close() {
    await this.#leave();
  }

  // Ends the process at once, and all that it has started.
  async kill() {
    clearTimeout(this.#idleTimer);
    if (this.#turnWaits) this.#endTurn(NO_EXIT, neverSent());
    const program = this.#program;
    if (program === null) return;
    program.holdHost(true);
    await program.kill();
    await program.closed;
  }

  // From now on the process gets no more prompts.
  #leave() {
    clearTimeout(this.#idleTimer);
    const program = this.#program;
    if (program === null) return Promise.resolve();
    this.#leaving ??= this.#endAfterTurn(program).then(() => void (this.#leaving = null));
    return this.#leaving;
  }

  // A process that does not end by itself is killed.
  /** @param {Program} program */
  async #endAfterTurn(program) {
    await this.#turn?.exit; // until then it can be interrupted by stdin
    program.holdHost(true);
    program.endInput();
    const late = setTimeout(() => void program.kill(), CLOSING_TIME_MS);
    await program.closed;
    clearTimeout(late);
  }

  /**
   * @param {Turn} turn
   * @param {import("../types").Prompt} prompt
   */
  #begin(turn, prompt) {
    if (turn.ended) return;
    this.#turnWaits = false;
    try {
      const program = this.#ensureProgram();
      program.holdHost(true);
      for (const line of this.#between.splice(0)) turn.accept(line);
      program.write(userMessage(prompt));
    } catch (error) {
      this.#endTurn(NO_EXIT, /** @type {YumeCliError} */ (error));
    }
  }

  #ensureProgram() {
    if (this.#program?.running) return this.#program;
    const { binary, args, sessionArgs, cwd, env, maxLineBytes } = this.#start;
    const which = this.#id === undefined ? sessionArgs : [`--resume=${this.#id}`];
    const program = new Program({
      binary,
      args: [...args, ...which, "--input-format", "stream-json"],
      cwd,
      env,
      onStderr: (chunk) => this.#stderrListeners.forEach((listener) => listener(chunk)),
    });
    this.#program = program;
    this.#reader = new LineReader(program.stdout, {
      maxLineBytes,
      onLine: (line) => {
        if (this.#program === program) this.#onLine(line);
      },
    });
    void program.closed.then((exit) => {
      if (this.#program === program) this.#onClosed(program, exit);
    });
    this.#keeping.onStarted?.(this);
    return program;
  }

  /** @param {EventLine} line */
  #onLine(line) {
    const { event } = line;
    if (typeof event.session_id === "string") this.#id = event.session_id;
    if (event.type === "control_response" && this.#pending.settle(event.response)) return;
    const turn = this.#turn;
    if (turn === null || this.#turnWaits) {
      if (this.#between.length < KEPT_BETWEEN_TURNS) this.#between.push(line);
      return;
    }
    const hasRoom = turn.accept(line);
    if (!hasRoom && !this.#pending.any) this.#reader?.pause();
    if (event.type === "result") {
      this.#endTurn({ code: exitCodeOf(event), signal: null });
      this.#rest();
    }
  }

  /**
   * @param {Program} program
   * @param {import("./program.js").Exit} exit
   */
  #onClosed(program, exit) {
    this.#program = null;
    this.#reader = null;
    clearTimeout(this.#idleTimer);
    this.#keeping.onEnded?.(this);
    if (!this.#turnWaits) {
      this.#endTurn(exit, program.endedEarly(exit, "the turn had a result", RESUMED));
    }
    this.#pending.settleAll();
  }

  /**
   * @param {import("./turn.js").TurnExit} exit
   * @param {YumeCliError} [failure]
   */
  #endTurn(exit, failure) {
    const turn = this.#turn;
    this.#turn = null;
    this.#turnWaits = false;
    turn?.end(exit, failure);
  }

  #rest() {
    this.#reader?.resume();
    this.#program?.holdHost(false);
    clearTimeout(this.#idleTimer);
    const { idleTimeoutMs } = this.#keeping;
    if (idleTimeoutMs === undefined) return;
    this.#idleTimer = setTimeout(() => void this.#leave(), idleTimeoutMs);
    this.#idleTimer.unref();
  }

  /** @param {Turn} turn */
  async #abandon(turn) {
    this.#reader?.resume();
    await this.interrupt();
    await turn.exit;
  }
}

// How the conversation was begun makes no difference to a process that has it.
/**
 * @param {SessionStart} made
 * @param {SessionStart} wanted
 */
function isSameProcess(made, wanted) {
  const name = { sessionArgs: [], knownAs: "" };
  return isDeepStrictEqual({ ...made, ...name }, { ...wanted, ...name });
}

// What a process that ran only this turn would have ended with.
/** @param {import("../types").ResultLine} result */
function exitCodeOf(result) {
  const interrupted = String(result.terminal_reason).startsWith("aborted");
  return result.is_error && !interrupted ? 1 : 0;
}

function neverSent() {
  return new YumeCliError("YUME_NO_RESULT", {
    what: "the turn has no result",
    why: "it was killed before its prompt was sent",
    fix: RESUMED,
  });
}

function busy() {
  return new YumeCliError("YUME_BUSY", {
    what: "cannot send a prompt",
    why: "the session's last turn is not over",
    fix: "Wait for its result(), or interrupt() it first",
  });
}

module.exports = { Session };
