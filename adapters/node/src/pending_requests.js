// SPDX-License-Identifier: MIT
// Requests to the program that have no response yet.
"use strict";

const { YumeCliError } = require("./errors.js");

class PendingRequests {
  /** @type {Map<string, { resolve: () => void, reject: (error: Error) => void }>} */
  #open = new Map();
  #made = 0;

  get any() {
    return this.#open.size > 0;
  }

  // A new one's id, and its response to wait for: rejects if the program refuses.
  /** @returns {{ id: string, answered: Promise<void> }} */
  add() {
    const id = `yume-cli-node-${++this.#made}`;
    const answered = new Promise((resolve, reject) => {
      this.#open.set(id, { resolve: () => resolve(undefined), reject });
    });
    return { id, answered: /** @type {Promise<void>} */ (answered) };
  }

  // false: not the response to a request of ours.
  /** @param {import("../types").ControlResponseLine["response"] | undefined} response */
  settle(response) {
    const waiting = response && this.#open.get(response.request_id);
    if (!waiting) return false;
    this.#open.delete(response.request_id);
    if (response.subtype === "success") waiting.resolve();
    else waiting.reject(refused(String(response.error)));
    return true;
  }

  // No response will come any more, and none is needed.
  settleAll() {
    for (const { resolve } of this.#open.values()) resolve();
    this.#open.clear();
  }
}

/** @param {string} reason */
function refused(reason) {
  return new YumeCliError("YUME_COMMAND_FAILED", {
    what: "yume-cli refused an interrupt",
    why: reason,
    fix: "End the turn with kill(); the session can be resumed",
  });
}

module.exports = { PendingRequests };
