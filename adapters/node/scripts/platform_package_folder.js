// SPDX-License-Identifier: MIT
// Writes the folder of a platform package. Refuses a program that was built for another system: a
// wrong one would be found out only by those who install it.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { PLATFORM_PACKAGES } = require("../src/platform_package.js");
const { describeBinary } = require("./binary_format.js");

const ROOT = path.join(__dirname, "..");

// Returns the folder's path.
/**
 * @param {string} target
 * @param {string} binary
 * @param {string} folder
 */
function makePlatformPackage(target, binary, folder) {
  const wanted = PLATFORM_PACKAGES.find((one) => one.target === target);
  if (wanted === undefined) {
    const right = PLATFORM_PACKAGES.map((one) => one.target).join(", ");
    throw new Error(`there is no target ${target}: choose one of ${right}`);
  }
  const found = describeBinary(binary);
  if (found.os !== wanted.os || found.cpu !== wanted.cpu) {
    throw new Error(
      `${binary} is for ${found.os} on ${found.cpu}, not for ${target}: pass the program that was built for it`,
    );
  }
  const made = path.join(folder, wanted.name);
  fs.rmSync(made, { recursive: true, force: true });
  const program = path.join(made, wanted.file);
  fs.mkdirSync(path.dirname(program), { recursive: true });
  fs.copyFileSync(binary, program);
  fs.chmodSync(program, 0o755);
  fs.copyFileSync(path.join(ROOT, "LICENSE"), path.join(made, "LICENSE"));
  fs.writeFileSync(path.join(made, "README.md"), readme(wanted));
  const manifest = manifestOf(wanted, found.libc);
  fs.writeFileSync(path.join(made, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  return made;
}

/**
 * @param {import("../src/platform_package.js").PlatformPackage} wanted
 * @param {string | undefined} libc
 */
function manifestOf(wanted, libc) {
  const { version, license } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
  return {
    name: wanted.name,
    version,
    description: `The yume-cli program for ${wanted.target}`,
    license,
    os: [wanted.os],
    cpu: [wanted.cpu],
    // Where the C library is another, npm leaves the package out instead of one that cannot start.
    ...(libc !== undefined && { libc: [libc] }),
    files: ["bin"],
    preferUnplugged: true, // a program inside of an archive cannot be started
  };
}

/** @param {import("../src/platform_package.js").PlatformPackage} wanted */
function readme(wanted) {
  return `# ${wanted.name}

The yume-cli program for ${wanted.target}. It is installed by the package \`yume-cli\`, which finds it
by itself; nothing here is to be used directly.
`;
}

module.exports = { makePlatformPackage };
