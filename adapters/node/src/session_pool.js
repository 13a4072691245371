// SPDX-License-Identifier: MIT
// The sessions that have a process, found again by their ids.
"use strict";

const { Session } = require("./session.js");

class SessionPool {
  /** @type {Set<Session>} */
  #running = new Set();
  #idleTimeoutMs;

  /** @param {number} idleTimeoutMs */
  constructor(idleTimeoutMs) {
    this.#idleTimeoutMs = idleTimeoutMs;
  }

  // The session that `wanted` is known as, or a new one, with a process as it is wanted now: another
  // model, folder or mode needs another one.
  /** @param {import("./session.js").SessionStart} wanted */
  find(wanted) {
    for (const session of this.#running) {
      if (wanted.knownAs === undefined || !session.isKnownAs(wanted.knownAs)) continue;
      if (!session.busy) session.change(wanted);
      return session;
    }
    return new Session(wanted, {
      idleTimeoutMs: this.#idleTimeoutMs,
      onStarted: (session) => this.#running.add(session),
      onEnded: (session) => this.#running.delete(session),
    });
  }

  async close() {
    await Promise.all([...this.#running].map((session) => session.close()));
  }
}

module.exports = { SessionPool };
