// SPDX-License-Identifier: MIT
// The JSON value in a model's answer, which may stand alone, in a fenced block, or among words.
"use strict";

const MOST_TRIES = 100; // brackets that may begin a value; each may cost a look at all of the text

// undefined: there is none.
/**
 * @param {string} text
 * @returns {unknown}
 */
function extractJson(text) {
  for (const candidate of candidates(text)) {
    try {
      return JSON.parse(candidate);
    } catch {
      // The next one may be.
    }
  }
  return undefined;
}

/**
 * @param {string} text
 * @returns {Generator<string, void, undefined>}
 */
function* candidates(text) {
  yield text.trim();
  for (const block of text.matchAll(/^[ \t]*```[^\n]*\n([^]*?)^[ \t]*```/gm)) yield block[1];
  const opening = /[[{]/g;
  for (let tries = 0; tries < MOST_TRIES; ++tries) {
    const found = opening.exec(text);
    if (found === null) return;
    const end = endOfValue(text, found.index);
    if (end === -1) continue;
    yield text.slice(found.index, end);
    opening.lastIndex = end;
  }
}

// Behind the bracket that closes the one at `at`; -1: nothing closes it. Brackets inside of strings
// are text.
/**
 * @param {string} text
 * @param {number} at
 */
function endOfValue(text, at) {
  let depth = 0;
  const tokens = /"(?:[^"\\]|\\.)*"|[[\]{}]/gs;
  tokens.lastIndex = at;
  for (let token; (token = tokens.exec(text)) !== null;) {
    if (token[0] === "[" || token[0] === "{") depth += 1;
    else if (token[0] === "]" || token[0] === "}") depth -= 1;
    if (depth === 0) return tokens.lastIndex;
  }
  return -1;
}

module.exports = { extractJson };
