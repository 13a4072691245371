// SPDX-License-Identifier: MIT
// Which package holds the program for which system. The names are those that Yume's bundle gives
// to the program itself.
"use strict";

/**
 * @typedef {object} PlatformPackage
 * @property {string} target what comes behind "yume-cli-"
 * @property {string} name the package
 * @property {string} file the program, inside the package
 * @property {string} os npm's word, which is also process.platform
 * @property {string} cpu npm's word, which is also process.arch
 */

/**
 * @param {string} target
 * @param {string} os
 * @param {string} cpu
 * @returns {PlatformPackage}
 */
function platformPackage(target, os, cpu) {
  const name = `yume-cli-${target}`;
  return { target, name, file: `bin/${name}${os === "win32" ? ".exe" : ""}`, os, cpu };
}

/** @type {readonly PlatformPackage[]} */
const PLATFORM_PACKAGES = [
  platformPackage("linux-x64", "linux", "x64"),
  platformPackage("linux-arm64", "linux", "arm64"),
  platformPackage("macos-x64", "darwin", "x64"),
  platformPackage("macos-arm64", "darwin", "arm64"),
  platformPackage("windows-x64", "win32", "x64"),
];

// The package for a system; undefined where yume-cli does not run.
/**
 * @param {string} os
 * @param {string} cpu
 */
function packageFor(os, cpu) {
  return PLATFORM_PACKAGES.find((one) => one.os === os && one.cpu === cpu);
}

module.exports = { PLATFORM_PACKAGES, packageFor };
