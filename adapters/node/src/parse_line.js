// SPDX-License-Identifier: MIT
// A line of stdout to an event. Never throws: what is wrong with a line is an event as well
// (`adapter_error`), because one bad line must not cost the rest of a turn.
"use strict";

const { reasonOf } = require("./errors.js");

const SHOWN_OF_BAD_LINES = 120; // characters

// null for a blank line.
/**
 * @param {string} text
 * @returns {import("../types").StreamEvent | null}
 */
function parseLine(text) {
  if (text.trim() === "") return null;
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return malformed(text, reasonOf(error));
  }
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject) return malformed(text, "it is JSON, but not an object");
  if (typeof value.type !== "string") return malformed(text, "it is an object without a type");
  return value;
}

/**
 * @param {import("./line_splitter.js").Line} line
 * @param {number} maxLineBytes
 */
function lineEvent(line, maxLineBytes) {
  return "text" in line ? parseLine(line.text) : tooLong(line, maxLineBytes);
}

/**
 * @param {string} text
 * @param {string} why
 * @returns {import("../types").AdapterErrorEvent}
 */
function malformed(text, why) {
  return {
    type: "adapter_error",
    subtype: "malformed_line",
    message: `A line of yume-cli was left out: ${why}. If this happens again, report the line.`,
    bytes: Buffer.byteLength(text),
    start: text.slice(0, SHOWN_OF_BAD_LINES),
  };
}

/**
 * @param {{ tooLong: number, start: string }} line
 * @param {number} maxLineBytes
 * @returns {import("../types").AdapterErrorEvent}
 */
function tooLong(line, maxLineBytes) {
  return {
    type: "adapter_error",
    subtype: "line_too_long",
    message:
      `A line of yume-cli was left out: it has ${line.tooLong} bytes, and at most ` +
      `${maxLineBytes} are read. Raise maxLineBytes if such lines are expected.`,
    bytes: line.tooLong,
    start: line.start,
  };
}

module.exports = { parseLine, lineEvent };
