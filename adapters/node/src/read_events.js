// SPDX-License-Identifier: MIT
// The events of a stdout that somebody else has opened.
"use strict";

const { EventQueue } = require("./event_queue.js");
const { LineReader } = require("./line_reader.js");

// Reads no faster than the events are taken, but from now on: Node discards what nobody listens to
// when the program ends. Leaving the loop early destroys the stream, by which the program notices
// that nobody reads any more.
/**
 * @param {import("node:stream").Readable} stream
 * @param {{ maxLineBytes?: number }} [options]
 * @returns {AsyncGenerator<import("../types").StreamEvent, void, undefined>}
 */
function readEvents(stream, { maxLineBytes } = {}) {
  const queue = new EventQueue(() => reader.resume());
  const reader = new LineReader(stream, {
    maxLineBytes,
    onLine: (line) => {
      if (!queue.push(line)) reader.pause();
    },
    onEnd: () => queue.end(),
  });
  return eventsOf(queue, stream);
}

/**
 * @param {EventQueue} queue
 * @param {import("node:stream").Readable} stream
 * @returns {AsyncGenerator<import("../types").StreamEvent, void, undefined>}
 */
async function* eventsOf(queue, stream) {
  try {
    for (let line; (line = await queue.next()) !== undefined;) yield line.event;
  } finally {
    stream.destroy();
  }
}

module.exports = { readEvents };
