// SPDX-License-Identifier: MIT
// The environment of a child: the host's own, with changes.
"use strict";

// `undefined` removes a variable. On Windows names differ by case only in writing: PATH must
// replace Path, because a child that gets both sees either.
/**
 * @param {NodeJS.ProcessEnv} base
 * @param {NodeJS.ProcessEnv} [changes]
 * @param {string} [platform]
 * @returns {NodeJS.ProcessEnv}
 */
function mergeEnvironment(base, changes = {}, platform = process.platform) {
  const merged = { ...base };
  for (const [name, value] of Object.entries(changes)) {
    if (platform === "win32") {
      const upper = name.toUpperCase();
      for (const old of Object.keys(merged)) if (old.toUpperCase() === upper) delete merged[old];
    }
    if (value === undefined) delete merged[name];
    else merged[name] = value;
  }
  return merged;
}

module.exports = { mergeEnvironment };
