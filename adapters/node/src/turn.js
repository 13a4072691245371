// SPDX-License-Identifier: MIT
// One turn, from a prompt to its result, for whoever reads it: events in order, one result, ways to
// stop. What runs it is behind `driver`: a process of its own (one_shot.js), or a session's process
// that is kept (session.js).
"use strict";

const { YumeCliError } = require("./errors.js");
const { EventQueue } = require("./event_queue.js");

/** @typedef {import("./line_reader.js").EventLine} EventLine */

/**
 * @typedef {object} Driver
 * @property {() => void} onSpace reading may go on
 * @property {() => Promise<void>} interrupt asks the program to end the turn with a result
 * @property {() => Promise<void>} kill ends the program
 * @property {() => Promise<void>} abandon nobody wants the rest; resolves when the turn is over
 */

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} TurnExit */

class Turn {
  /** @type {EventQueue} */
  #queue;
  #driver;
  #ended = false;
  #isRead = false;
  #unwanted = false;
  /** @type {string | undefined} */
  #sessionId;
  /** @type {import("../types").ResultLine | undefined} */
  #result;
  /** @type {YumeCliError | undefined} */
  #failure;
  /** @type {(exit: TurnExit) => void} */
  #resolveExit = () => {};
  /** @type {Promise<TurnExit>} */
  #exit;

  /** @param {Driver} driver */
  constructor(driver) {
    this.#driver = driver;
    this.#queue = new EventQueue(driver.onSpace);
    this.#exit = new Promise((resolve) => (this.#resolveExit = resolve));
  }

  // ---- For whoever reads.

  // The session that the turn belongs to, once the program has said it.
  get sessionId() {
    return this.#sessionId;
  }

  // How the turn ended: like a process that runs one turn, also where the process goes on.
  get exit() {
    return this.#exit;
  }

  // Every event of the turn. Leaving the loop early gives the turn up: it is stopped. Throws only
  // when the program could not be started.
  /** @returns {AsyncGenerator<import("../types").StreamEvent, void, undefined>} */
  async *[Symbol.asyncIterator]() {
    try {
      for (let line; (line = await this.nextLine()) !== undefined;) yield line.event;
    } finally {
      if (!this.#ended) {
        this.#unwanted = true;
        this.#queue.clear();
        await this.#driver.abandon();
      }
    }
    if (this.startFailure !== undefined) throw this.startFailure;
  }

  // Set at the end of a turn whose program could not be started.
  get startFailure() {
    return this.#failure?.code === "YUME_NOT_STARTED" ? this.#failure : undefined;
  }

  // The next line as it was written, with its event; undefined at the end.
  /** @returns {Promise<EventLine | undefined>} */
  nextLine() {
    this.#isRead = true;
    return this.#queue.next();
  }

  // The turn's result; also one that reports a failure (is_error). Reads the rest of the events if
  // nobody else does. Rejects if the program ended without a result.
  /** @returns {Promise<import("../types").ResultLine>} */
  async result() {
    if (!this.#isRead) while ((await this.nextLine()) !== undefined);
    await this.#exit;
    if (this.#result !== undefined) return this.#result;
    throw this.#failure ?? missingResult();
  }

  // Asks for the end of the turn, which then still comes with its result. The session can go on.
  async interrupt() {
    if (!this.#ended) await this.#driver.interrupt();
  }

  // Ends the program at once, and all that it has started. The session can be resumed.
  async kill() {
    if (!this.#ended) await this.#driver.kill();
  }

  // ---- For whoever runs it.

  get ended() {
    return this.#ended;
  }

  // false: the reader is slow; go on after onSpace.
  /** @param {EventLine} line */
  accept(line) {
    const { event } = line;
    if (typeof event.session_id === "string") this.#sessionId = event.session_id;
    if (event.type === "result") this.#result = event;
    return this.#unwanted || this.#queue.push(line);
  }

  /**
   * @param {TurnExit} exit
   * @param {YumeCliError} [failure] why there is no result
   */
  end(exit, failure) {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.#queue.end();
    this.#resolveExit({ code: exit.code, signal: exit.signal });
  }
}

function missingResult() {
  return new YumeCliError("YUME_NO_RESULT", {
    what: "the turn ended without a result",
    why: "yume-cli closed its output before it wrote one",
    fix: "Send the prompt again; the session can be resumed",
  });
}

module.exports = { Turn };
