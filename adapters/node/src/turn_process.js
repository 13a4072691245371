// SPDX-License-Identifier: MIT
// A turn of a session whose process is kept, looking like a process that runs that turn: for hosts
// which read `stdout`, wait for "close" and know nothing else.
"use strict";

const { EventEmitter } = require("node:events");
const { PassThrough, Readable, Writable } = require("node:stream");

class TurnProcess extends EventEmitter {
  /** @type {number | null} */
  exitCode = null;
  /** @type {NodeJS.Signals | null} */
  signalCode = null;
  killed = false;
  #turn;

  /**
   * @param {import("./turn.js").Turn} turn
   * @param {{ pid: number | undefined, stderr: PassThrough }} process
   */
  constructor(turn, { pid, stderr }) {
    super();
    this.#turn = turn;
    this.pid = pid;
    this.stderr = stderr;
    // The prompt is there already; a host that writes again loses nothing.
    this.stdin = new Writable({ write: (_chunk, _encoding, done) => done() });
    this.stdout = new Readable({ read: () => void this.#readOn() });
    this.stdout.once("end", () => void this.#close());
  }

  // SIGINT ends the turn, any other signal the process.
  /** @param {NodeJS.Signals | number} [signal] */
  kill(signal = "SIGTERM") {
    if (this.#turn.ended) return false;
    this.killed = true;
    const gentle = signal === "SIGINT" || signal === 2;
    void (gentle ? this.#turn.interrupt() : this.#turn.kill()).catch(() => this.#turn.kill());
    return true;
  }

  async #readOn() {
    const line = await this.#turn.nextLine();
    this.stdout.push(line === undefined ? null : `${line.raw}\n`);
  }

  async #close() {
    const { code, signal } = await this.#turn.exit;
    this.exitCode = code;
    this.signalCode = signal;
    this.stderr.end();
    const error = this.#turn.startFailure;
    if (error !== undefined && this.listenerCount("error") > 0) this.emit("error", error);
    this.emit("exit", code, signal);
    this.emit("close", code, signal);
  }
}

module.exports = { TurnProcess };
