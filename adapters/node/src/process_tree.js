// SPDX-License-Identifier: MIT
// Ends programs with all that they have started, and none outlives this process.
//
// How nothing is left when this process ends:
// * it exits (also by an uncaught error): the handler below kills every program that still runs;
// * it is killed, even by SIGKILL: the program's stdin and stdout are pipes to this process. The
//   system closes them, yume-cli notices that nobody reads its lines any more and ends. On Windows
//   the system also kills the children of a Node process that is gone, unless they are detached.
// What yume-cli itself has started ends with it: by its supervisors, on Windows by a Job object.
// Signal handlers are left to the host: a library that installs one changes what Ctrl-C does.
"use strict";

const path = require("node:path");
const { spawn } = require("node:child_process");

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/** @type {Set<ChildProcess>} */
const running = new Set();
let watchesExit = false;

// Options for spawn() which the functions below rely on: a process group of its own where there
// are groups; on Windows a detached process would outlive us.
function treeOptions(platform = process.platform) {
  return { detached: platform !== "win32", windowsHide: true };
}

// From now on `child` ends with this process.
/** @param {ChildProcess} child */
function track(child) {
  if (child.pid === undefined) return; // was not started
  if (!watchesExit) {
    watchesExit = true;
    process.on("exit", () => running.forEach((one) => killNow(one)));
  }
  running.add(child);
  child.once("exit", () => running.delete(child));
}

/** @param {ChildProcess} child */
function isRunning(child) {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

// Sends SIGKILL to the group, on Windows the like of it to the process. Does not wait.
/**
 * @param {ChildProcess} child
 * @param {string} [platform]
 */
function killNow(child, platform = process.platform) {
  if (!isRunning(child)) return; // its number may be somebody else's by now
  if (platform !== "win32") {
    try {
      process.kill(-(/** @type {number} */ (child.pid)), "SIGKILL");
      return;
    } catch {
      // Not (yet) a group: the process alone.
    }
  }
  child.kill("SIGKILL");
}

// Kills `child` with all that it has started; resolves when it is gone.
/**
 * @param {ChildProcess} child
 * @param {{ platform?: string, spawnTool?: typeof spawn }} [system]
 * @returns {Promise<void>}
 */
async function killTree(child, { platform = process.platform, spawnTool = spawn } = {}) {
  if (!isRunning(child)) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  // taskkill finds children by their parent, so the parent has to be there still.
  if (platform === "win32") await taskkill(/** @type {number} */ (child.pid), spawnTool);
  killNow(child, platform);
  await gone;
}

// Whether it worked does not matter: the process itself is ended afterwards in any case, and its
// Job object ends what it has started.
/**
 * @param {number} pid
 * @param {typeof spawn} spawnTool
 * @returns {Promise<void>}
 */
function taskkill(pid, spawnTool) {
  // By its full path: a taskkill.exe that lies in the working directory must not be run.
  const folder = process.env.SystemRoot ?? "C:\\Windows";
  const tool = path.win32.join(folder, "System32", "taskkill.exe");
  return new Promise((resolve) => {
    const helper = spawnTool(tool, ["/PID", String(pid), "/T", "/F"], {
      stdio: "ignore",
      windowsHide: true,
    });
    helper.once("error", () => resolve());
    helper.once("close", () => resolve());
  });
}

module.exports = { treeOptions, track, isRunning, killTree };
