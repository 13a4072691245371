// SPDX-License-Identifier: MIT
// Reads a stream of bytes as events, one per line, and hands them on as they come.
//
// Pausing stops the stream, not the lines of the piece that is being read: at most one piece
// (64 KiB) comes after a pause. The program's pipe then fills, and the program waits.
"use strict";

const { LineSplitter } = require("./line_splitter.js");
const { lineEvent } = require("./parse_line.js");

// yume-cli writes at most 1,000,000 bytes a line; this leaves room for other programs.
const MAX_LINE_BYTES = 8 * 1024 * 1024;

/**
 * @typedef {{ raw: string, event: import("../types").StreamEvent }} EventLine
 * `raw` is the line as it was written; of a line that was too long only the beginning.
 */

class LineReader {
  #stream;

  /**
   * @param {import("node:stream").Readable} stream
   * @param {{ maxLineBytes?: number, onLine: (line: EventLine) => void, onEnd?: () => void }} use
   */
  constructor(stream, { maxLineBytes = MAX_LINE_BYTES, onLine, onEnd = () => {} }) {
    this.#stream = stream;
    const splitter = new LineSplitter(maxLineBytes);
    /** @param {import("./line_splitter.js").Line[]} lines */
    const handOn = (lines) => {
      for (const line of lines) {
        const event = lineEvent(line, maxLineBytes);
        if (event !== null) onLine({ raw: "text" in line ? line.text : line.start, event });
      }
    };
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      handOn(splitter.end());
      onEnd();
    };
    stream.on("data", (chunk) => handOn(splitter.push(toBuffer(chunk))));
    stream.once("end", end);
    stream.once("close", end); // destroyed before its end
    stream.on("error", end); // the reading end of a pipe has nothing more to tell
  }

  pause() {
    this.#stream.pause();
  }

  resume() {
    this.#stream.resume();
  }
}

/** @param {Buffer | string | Uint8Array} chunk */
function toBuffer(chunk) {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
}

module.exports = { LineReader, MAX_LINE_BYTES };
