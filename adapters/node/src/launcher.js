// SPDX-License-Identifier: MIT
// What npm's `yume-cli` command does: becomes the program, or where Node cannot do that (before
// 22.15, and on Windows) starts it and stands for it: same input and output, same exit code, same
// signals, same end.
"use strict";

const os = require("node:os");
const tty = require("node:tty");
const { spawn } = require("node:child_process");
const { binaryPath } = require("./binary_path.js");
const { reasonOf } = require("./errors.js");

const NOT_FOUND = 127; // as shells have it, and as hosts read it: not installed

/** @type {NodeJS.Signals[]} */
const FORWARDED = ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"];
// A terminal sends these to all processes in its foreground, the program included. Forwarded they
// would arrive twice, and a second SIGINT ends the program where the first one ends the turn.
/** @type {NodeJS.Signals[]} */
const OF_TERMINALS = ["SIGINT", "SIGQUIT"];

/** @param {string[]} args */
function launch(args) {
  let binary;
  try {
    binary = binaryPath();
  } catch (error) {
    return fail(error);
  }
  if (process.platform !== "win32" && become(binary, args)) return;
  standFor(binary, args);
}

// Returns only when this process could not become the program.
/**
 * @param {string} binary
 * @param {string[]} args
 */
function become(binary, args) {
  const { execve } = /** @type {{ execve?: (...all: unknown[]) => void }} */ (
    /** @type {unknown} */ (process)
  );
  if (execve === undefined) return false;
  try {
    execve.call(process, binary, [binary, ...args], process.env);
  } catch {
    // Another attempt, which can say what is wrong.
  }
  return false;
}

/**
 * @param {string} binary
 * @param {string[]} args
 */
function standFor(binary, args) {
  const windows = process.platform === "win32";
  // By number: process.stdin would make the pipe that the program shares with us non-blocking.
  const atTerminal = [0, 1, 2].some((descriptor) => tty.isatty(descriptor));
  // Away from a terminal it has a group of its own: a signal to our group comes here alone, and is
  // forwarded once.
  const apart = !windows && !atTerminal;
  const child = spawn(binary, args, { stdio: "inherit", windowsHide: true, detached: apart });
  child.once("error", fail);
  if (child.pid === undefined) return;
  const guard = windows ? undefined : startGuard(child.pid);
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  for (const signal of OF_TERMINALS) process.on(signal, () => apart && child.kill(signal));
  child.once("exit", (code, signal) => {
    guard?.kill("SIGKILL"); // before it sees our end
    endAs(code, signal);
  });
}

// Kills the program when this process is gone without having ended it: by SIGKILL, of which nobody
// is told. A shell waits for the end of a pipe that only we hold; in a group of its own, so that
// what is sent to ours does not reach it. On Windows the system ends children with their parent.
/** @param {number} pid */
function startGuard(pid) {
  const guard = spawn("/bin/sh", ["-c", 'read _; kill -KILL "$1"', "yume-cli-guard", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.once("error", () => {}); // no shell, no guard
  guard.stdin.on("error", () => {});
  return guard;
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function endAs(code, signal) {
  if (signal === null) process.exit(code ?? 1);
  for (const one of [...FORWARDED, ...OF_TERMINALS]) process.removeAllListeners(one);
  process.kill(process.pid, signal);
  // Only if the signal does not end processes here.
  process.exitCode = 128 + (os.constants.signals[signal] ?? 0);
}

/** @param {unknown} error */
function fail(error) {
  process.stderr.write(`Error: ${reasonOf(error)}\n`);
  process.exitCode = NOT_FOUND;
}

module.exports = { launch };
