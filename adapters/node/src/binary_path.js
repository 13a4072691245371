// SPDX-License-Identifier: MIT
// Where the yume-cli program is: YUME_CLI_BINARY, else this system's package, else PATH.
//
// A place that was named explicitly must be right: nothing else is tried instead of it. What is
// found is always a program, never a launcher (a script, a .cmd file): a launcher would look for
// the program again, and may find itself.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { YumeCliError, reasonOf } = require("./errors.js");
const { packageFor } = require("./platform_package.js");

const VARIABLE = "YUME_CLI_BINARY";
const LAUNCHER = "yume-cli.js";

/** @param {import("../types").BinaryPathOptions} [options] */
function binaryPath(options = {}) {
  const env = options.env ?? process.env;
  const named = env[VARIABLE];
  if (named) return namedBinary(named);
  const found = packagedBinary() ?? binaryOnPath(env.PATH ?? env.Path ?? "");
  if (found !== undefined) return found;
  throw new YumeCliError("YUME_NOT_FOUND", {
    what: "cannot find the yume-cli program",
    why: whyNotFound(),
    fix: `Install yume-cli again without --omit=optional, or set ${VARIABLE} to the program's path`,
  });
}

/** @param {string} file */
function namedBinary(file) {
  const problem = whyNotRunnable(file);
  if (problem === undefined) return path.resolve(file);
  throw new YumeCliError("YUME_NOT_FOUND", {
    what: `cannot use ${VARIABLE}=${file}`,
    why: problem,
    fix: `Set ${VARIABLE} to the yume-cli program itself, or unset it to use the installed one`,
  });
}

function packagedBinary() {
  const wanted = packageFor(process.platform, process.arch);
  if (wanted === undefined) return undefined;
  let folder;
  try {
    folder = path.dirname(require.resolve(`${wanted.name}/package.json`));
  } catch {
    return undefined; // not installed
  }
  const file = path.join(folder, wanted.file);
  const problem = whyNotRunnable(file);
  if (problem === undefined) return file;
  throw new YumeCliError("YUME_NOT_FOUND", {
    what: `the package ${wanted.name} is installed but its program ${file} cannot be used`,
    why: problem,
    fix: `Install ${wanted.name} again, or set ${VARIABLE} to the program's path`,
  });
}

/** @param {string} searched */
function binaryOnPath(searched) {
  const name = process.platform === "win32" ? "yume-cli.exe" : "yume-cli";
  return searched
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder)) // a relative one would run what lies in a project
    .map((folder) => path.join(folder, name))
    .find((file) => whyNotRunnable(file) === undefined && !isScript(file));
}

function whyNotFound() {
  const wanted = packageFor(process.platform, process.arch);
  const place = "no yume-cli program is in PATH (launchers of npm do not count)";
  if (wanted === undefined) {
    return `there is no package for ${process.platform} on ${process.arch}, and ${place}`;
  }
  return `the package ${wanted.name} is not installed, and ${place}`;
}

// undefined: it can be started.
/** @param {string} file */
function whyNotRunnable(file) {
  try {
    const real = fs.realpathSync(file);
    if (!fs.statSync(real).isFile()) return "it is not a file";
    if (path.basename(real) === LAUNCHER) return "it is npm's launcher, not the program";
    if (process.platform === "win32") {
      return /\.exe$/i.test(real) ? undefined : "only an .exe can be started without a shell";
    }
    fs.accessSync(real, fs.constants.X_OK);
    return undefined;
  } catch (error) {
    return whyUnreadable(error);
  }
}

/** @param {unknown} error */
function whyUnreadable(error) {
  const code = /** @type {NodeJS.ErrnoException} */ (error).code;
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such file";
  if (code === "EACCES") return "it may not be executed (chmod +x makes it so)";
  return reasonOf(error);
}

/** @param {string} file */
function isScript(file) {
  const start = Buffer.alloc(2);
  let descriptor;
  try {
    descriptor = fs.openSync(file, "r");
  } catch {
    return false; // may be executed but not read: the kernel reads scripts by an interpreter
  }
  try {
    fs.readSync(descriptor, start, 0, start.length, 0);
  } finally {
    fs.closeSync(descriptor);
  }
  return start.toString("latin1") === "#!";
}

module.exports = { binaryPath };
