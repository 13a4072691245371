// SPDX-License-Identifier: MIT
// Lines between whoever reads them from a process and whoever wants them. Bounded by its two ends'
// agreement: push() says when it is full, and onSpace is called when there is room again. Full are
// many lines, or a few long ones.
"use strict";

/** @typedef {import("./line_reader.js").EventLine} EventLine */

const FULL = 256; // lines
const FULL_OF_TEXT = 4 * 1024 * 1024; // characters of them

class EventQueue {
  /** @type {(EventLine | undefined)[]} */
  #lines = [];
  #head = 0; // of #lines; shift() would move all of them each time
  #text = 0; // characters of the lines that wait
  /** @type {((line: EventLine | undefined) => void)[]} */
  #waiting = [];
  #ended = false;
  #full = false;
  #onSpace;

  /** @param {() => void} onSpace */
  constructor(onSpace) {
    this.#onSpace = onSpace;
  }

  // false: full, and nothing more should come before onSpace. It is taken nevertheless.
  /** @param {EventLine} line */
  push(line) {
    const reader = this.#waiting.shift();
    if (reader !== undefined) {
      reader(line);
    } else {
      this.#lines.push(line);
      this.#text += line.raw.length;
    }
    this.#full ||= this.#size() >= FULL || this.#text >= FULL_OF_TEXT;
    return !this.#full;
  }

  end() {
    this.#ended = true;
    for (const reader of this.#waiting.splice(0)) reader(undefined);
  }

  // The next line; undefined when there is none and none will come.
  /** @returns {Promise<EventLine | undefined>} */
  next() {
    if (this.#size() > 0) return Promise.resolve(this.#take());
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  // Drops what waits, and has room again.
  clear() {
    this.#lines = [];
    this.#head = 0;
    this.#text = 0;
    this.#makeRoom();
  }

  #take() {
    const line = this.#lines[this.#head];
    this.#lines[this.#head++] = undefined;
    this.#text -= line?.raw.length ?? 0;
    if (this.#head === this.#lines.length || this.#head >= 2 * FULL) {
      this.#lines.splice(0, this.#head);
      this.#head = 0;
    }
    if (this.#size() < FULL / 2 && this.#text < FULL_OF_TEXT / 2) this.#makeRoom();
    return line;
  }

  #makeRoom() {
    if (!this.#full) return;
    this.#full = false;
    this.#onSpace();
  }

  #size() {
    return this.#lines.length - this.#head;
  }
}

module.exports = { EventQueue };
