// SPDX-License-Identifier: MIT
// One running yume-cli: its pipes, its end, and what it wrote to stderr. What its lines mean is for
// others.
"use strict";

const fs = require("node:fs");
const { spawn } = require("node:child_process");
const { StringDecoder } = require("node:string_decoder");
const { YumeCliError, reasonOf } = require("./errors.js");
const { isRunning, killTree, track, treeOptions } = require("./process_tree.js");

const KEPT_OF_STDERR = 64 * 1024; // characters, the last ones

/**
 * @typedef {object} Exit
 * @property {number | null} code
 * @property {NodeJS.Signals | null} signal
 * @property {YumeCliError} [error] it could not be started at all
 */

class Program {
  #stderr = "";
  #binary;

  // Resolves when the program has ended and its pipes are read to their ends. Never rejects.
  /** @type {Promise<Exit>} */
  closed;

  // Throws a YumeCliError when it is clear beforehand that the program cannot start; what the
  // system says later is in `closed`.
  /**
   * @param {object} start
   * @param {string} start.binary
   * @param {string[]} start.args
   * @param {string} [start.cwd]
   * @param {NodeJS.ProcessEnv} [start.env]
   * @param {"pipe" | "ignore"} [start.stdin]
   * @param {(chunk: string) => void} [start.onStderr]
   */
  constructor({ binary, args, cwd, env, stdin = "pipe", onStderr = () => {} }) {
    this.#binary = binary;
    if (cwd !== undefined) requireFolder(cwd);
    try {
      // Without a shell: every argument arrives as it is, on Windows as well.
      this.child = spawn(binary, args, {
        cwd,
        env,
        stdio: [stdin, "pipe", "pipe"],
        ...treeOptions(),
      });
    } catch (error) {
      throw this.#notStarted(error);
    }
    track(this.child);
    // Who writes to a program that has ended learns that by `closed`.
    this.child.stdin?.on("error", () => {});
    const decoder = new StringDecoder("utf8"); // the stream itself may be read by the host as well
    this.stderr.on("data", (chunk) => {
      const text = decoder.write(chunk);
      this.#stderr = (this.#stderr + text).slice(-KEPT_OF_STDERR);
      onStderr(text);
    });
    this.closed = new Promise((resolve) => {
      this.child.once("close", (code, signal) => resolve({ code, signal }));
      this.child.on("error", (error) => {
        if (this.child.pid !== undefined) return; // a signal could not be sent
        resolve({ code: null, signal: null, error: this.#notStarted(error) });
      });
    });
  }

  get pid() {
    return this.child.pid;
  }

  get running() {
    return isRunning(this.child);
  }

  get stdout() {
    return /** @type {import("node:stream").Readable} */ (this.child.stdout);
  }

  get stderr() {
    return /** @type {import("node:stream").Readable} */ (this.child.stderr);
  }

  // The last part of what came by stderr.
  get stderrText() {
    return this.#stderr.trim();
  }

  /** @param {object} message one line of stream-json */
  write(message) {
    this.child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** @param {string} [text] */
  endInput(text = "") {
    this.child.stdin?.end(text);
  }

  /** @param {NodeJS.Signals} signal */
  signal(signal) {
    if (this.running) this.child.kill(signal);
  }

  // Ends the program and all that it has started.
  async kill() {
    await killTree(this.child);
  }

  // Whether waiting for this program keeps the host's event loop going.
  /** @param {boolean} holds */
  holdHost(holds) {
    const { stdin, stdout, stderr } = this.child;
    for (const one of [this.child, stdin, stdout, stderr]) {
      // The pipes are sockets, whatever their type says.
      const handle = /** @type {{ ref?(): void, unref?(): void } | null} */ (one);
      if (holds) handle?.ref?.();
      else handle?.unref?.();
    }
  }

  // An error for whoever waited for something that the program ended without.
  /**
   * @param {Exit} exit
   * @param {string} missing
   * @param {string} fix
   */
  endedEarly(exit, missing, fix) {
    if (exit.error !== undefined) return exit.error;
    const how = exit.signal === null ? `with code ${exit.code}` : `by ${exit.signal}`;
    const said = this.stderrText === "" ? "it wrote nothing to stderr" : this.stderrText;
    return new YumeCliError("YUME_NO_RESULT", {
      what: `yume-cli ended ${how} before ${missing}`,
      why: said,
      fix,
    });
  }

  /** @param {unknown} error */
  #notStarted(error) {
    return new YumeCliError("YUME_NOT_STARTED", {
      what: `cannot start ${this.#binary}`,
      why: whyNotStarted(error, this.#binary),
      fix: "Set YUME_CLI_BINARY to a yume-cli program that runs on this system",
      cause: error,
    });
  }
}

/** @param {string} folder */
function requireFolder(folder) {
  // The system would report the program as missing.
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new YumeCliError("YUME_BAD_ARGUMENT", {
    what: `cannot start yume-cli in ${folder}`,
    why: "there is no such directory",
    fix: "Pass a cwd that exists",
  });
}

/**
 * @param {unknown} error
 * @param {string} binary
 */
function whyNotStarted(error, binary) {
  const code = /** @type {NodeJS.ErrnoException} */ (error).code;
  if (code === "ENOENT" && fs.existsSync(binary)) {
    return "the file is there, but not the system libraries it was built for (glibc or musl)";
  }
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES") return "it may not be executed";
  if (code === "E2BIG") return "its arguments are longer than this system allows";
  return reasonOf(error);
}

module.exports = { Program };
