// SPDX-License-Identifier: MIT
// The one error class of this package. A message says what happened, why, and what to do.
"use strict";

class YumeCliError extends Error {
  /**
   * @param {import("../types").YumeCliErrorCode} code
   * @param {{ what: string, why: string, fix: string, cause?: unknown }} parts
   */
  constructor(code, { what, why, fix, cause }) {
    super(`${what}: ${why}. ${fix}`, cause === undefined ? undefined : { cause });
    this.name = "YumeCliError";
    this.code = code;
  }
}

// What an unknown thrown value has to say.
/** @param {unknown} error */
function reasonOf(error) {
  return error instanceof Error ? error.message : String(error);
}

module.exports = { YumeCliError, reasonOf };
