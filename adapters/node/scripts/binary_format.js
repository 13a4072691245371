// SPDX-License-Identifier: MIT
// For which system a program was built, by the first bytes of its file (ELF, Mach-O, PE).
"use strict";

const fs = require("node:fs");

const HEAD = 4096; // holds all that is looked at

const ELF_CPUS = new Map([
  [62, "x64"],
  [183, "arm64"],
]); // e_machine
const MACH_CPUS = new Map([
  [0x01000007, "x64"],
  [0x0100000c, "arm64"],
]); // cputype
const PE_CPUS = new Map([
  [0x8664, "x64"],
  [0xaa64, "arm64"],
]); // Machine

/**
 * @typedef {{ os: string, cpu: string, libc?: "glibc" | "musl" }} BinaryFormat
 * In npm's words. `libc` is that of the loader that the program names; a static one names none.
 */

/**
 * @param {string} file
 * @returns {BinaryFormat}
 */
function describeBinary(file) {
  const head = readHead(file);
  if (head.length >= 64) {
    if (head.readUInt32BE(0) === 0x7f454c46) {
      return { os: "linux", cpu: named(ELF_CPUS, head.readUInt16LE(18)), libc: libcOf(head) };
    }
    if (head.readUInt32LE(0) === 0xfeedfacf) {
      return { os: "darwin", cpu: named(MACH_CPUS, head.readUInt32LE(4)) };
    }
    const header = head.readUInt32LE(60);
    if (head.toString("latin1", 0, 2) === "MZ" && header + 6 <= head.length) {
      return { os: "win32", cpu: named(PE_CPUS, head.readUInt16LE(header + 4)) };
    }
  }
  throw new Error(`${file} is no program: its first bytes are those of none that is known here`);
}

/** @param {string} file */
function readHead(file) {
  const head = Buffer.alloc(HEAD);
  const descriptor = fs.openSync(file, "r");
  try {
    return head.subarray(0, fs.readSync(descriptor, head, 0, HEAD, 0));
  } finally {
    fs.closeSync(descriptor);
  }
}

// The name of the loader stands behind the program headers.
/** @param {Buffer} head */
function libcOf(head) {
  if (head.includes("/ld-linux")) return "glibc";
  return head.includes("/ld-musl") ? "musl" : undefined;
}

/**
 * @param {Map<number, string>} cpus
 * @param {number} number
 */
function named(cpus, number) {
  return cpus.get(number) ?? `an unknown processor (${number})`;
}

module.exports = { describeBinary };
