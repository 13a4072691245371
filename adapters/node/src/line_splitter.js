// SPDX-License-Identifier: MIT
// Bytes, in pieces of any size, to lines. Cuts at the byte \n only and decodes whole lines, so a
// character that is split over two pieces stays whole, and U+2028 is a character like any other.
//
// Memory is bounded: of a line that is longer than the cap only the beginning is kept.
"use strict";

const NEWLINE = 0x0a;
const KEPT_OF_LONG_LINES = 120; // bytes

/**
 * @typedef {{ text: string } | { tooLong: number, start: string }} Line
 * `tooLong` is the line's size in bytes.
 */

class LineSplitter {
  /** @type {Buffer[]} */
  #pieces = []; // of the line that has not ended yet
  #bytes = 0; // of that line, also of what was not kept
  #first = true;
  #maxBytes;

  /** @param {number} maxBytes */
  constructor(maxBytes) {
    this.#maxBytes = maxBytes;
  }

  // The lines that `chunk` completes.
  /**
   * @param {Buffer} chunk
   * @returns {Line[]}
   */
  push(chunk) {
    const lines = [];
    let from = 0;
    for (let at; (at = chunk.indexOf(NEWLINE, from)) !== -1; from = at + 1) {
      this.#keep(chunk.subarray(from, at));
      lines.push(this.#take());
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  // What is left when no more bytes come: a last line without its newline.
  /** @returns {Line[]} */
  end() {
    return this.#bytes === 0 ? [] : [this.#take()];
  }

  /** @param {Buffer} piece */
  #keep(piece) {
    if (piece.length === 0) return;
    const before = this.#bytes;
    this.#bytes += piece.length;
    if (this.#bytes <= this.#maxBytes) {
      this.#pieces.push(piece);
    } else if (before <= this.#maxBytes) {
      // As much as is there however the line is cut into pieces.
      const kept = Math.min(KEPT_OF_LONG_LINES, this.#maxBytes);
      const start = Buffer.concat([...this.#pieces, piece.subarray(0, kept)]);
      this.#pieces = [Buffer.from(start.subarray(0, kept))];
    }
  }

  /** @returns {Line} */
  #take() {
    const bytes = this.#bytes;
    const whole = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    const text = this.#cleaned(whole.toString("utf8"));
    return bytes > this.#maxBytes ? { tooLong: bytes, start: text } : { text };
  }

  // Without the \r of Windows and the byte order mark of whoever begins with one.
  /** @param {string} text */
  #cleaned(text) {
    const marked = this.#first && text.startsWith("\uFEFF");
    this.#first = false;
    return text.slice(marked ? 1 : 0, text.endsWith("\r") ? -1 : undefined);
  }
}

module.exports = { LineSplitter };
