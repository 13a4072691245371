// SPDX-License-Identifier: MIT
// What is in the packages, and that its parts agree.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as esm from "yume-cli";
import { BINARY, temporaryFolder } from "./support/scene.mjs";

const require = createRequire(import.meta.url);
const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const manifest = require("../package.json");
const { PLATFORM_PACKAGES, packageFor } = require("../src/platform_package.js");
const { makePlatformPackage } = require("../scripts/platform_package_folder.js");
const { describeBinary } = require("../scripts/binary_format.js");

test("one version: package, platform packages, program", () => {
  const names = PLATFORM_PACKAGES.map((one) => one.name).sort();
  assert.deepEqual(
    manifest.optionalDependencies,
    Object.fromEntries(names.map((name) => [name, manifest.version])),
  );
  assert.equal(esm.version, manifest.version);
  const said = execFileSync(BINARY, ["--version"], { encoding: "utf8" });
  assert.equal(/yume-cli (\S+)/.exec(said)?.[1], manifest.version);
});

test("no dependencies, no scripts that run on installing", () => {
  for (const key of ["dependencies", "devDependencies", "peerDependencies", "scripts"]) {
    assert.equal(manifest[key], undefined, key);
  }
});

test("the same objects for modules of both kinds, and the documented ones", () => {
  const cjs = require("yume-cli");
  assert.deepEqual(Object.keys(cjs).sort(), Object.keys(esm).sort());
  for (const [name, value] of Object.entries(cjs)) assert.equal(esm[name], value, name);
  const types = readFileSync(join(PACKAGE, "types", "index.d.ts"), "utf8");
  const declared = [...types.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(
    (found) => found[1],
  );
  assert.deepEqual(declared.sort(), Object.keys(cjs).sort());
});

test("every file that the manifest names is there", () => {
  const conditions = Object.values(manifest.exports["."]).flatMap((one) => Object.values(one));
  for (const file of [
    manifest.main,
    manifest.types,
    ...Object.values(manifest.bin),
    ...conditions,
    ...manifest.files,
  ]) {
    assert.ok(statSync(join(PACKAGE, file)), file);
  }
});

test("every system has its package under the name that Yume's bundle gives to the program", () => {
  assert.deepEqual(
    PLATFORM_PACKAGES.map((one) => one.file),
    [
      "bin/yume-cli-linux-x64",
      "bin/yume-cli-linux-arm64",
      "bin/yume-cli-macos-x64",
      "bin/yume-cli-macos-arm64",
      "bin/yume-cli-windows-x64.exe",
    ],
  );
  assert.equal(packageFor("sunos", "x64"), undefined);
});

// The first bytes of a program.
function head({ os, cpu, loader = "" }) {
  const bytes = Buffer.alloc(256);
  if (os === "linux") {
    bytes.write("\x7fELF", "latin1");
    bytes.writeUInt16LE(cpu === "x64" ? 62 : 183, 18);
    bytes.write(loader, 100);
  } else if (os === "darwin") {
    bytes.writeUInt32LE(0xfeedfacf, 0);
    bytes.writeUInt32LE(cpu === "x64" ? 0x01000007 : 0x0100000c, 4);
  } else {
    bytes.write("MZ");
    bytes.writeUInt32LE(128, 60);
    bytes.write("PE\0\0", 128);
    bytes.writeUInt16LE(0x8664, 132);
  }
  return bytes;
}

test("a platform package is made of the right program only", (t) => {
  const folder = temporaryFolder(t);
  for (const { target, name, file, os, cpu } of PLATFORM_PACKAGES) {
    const binary = join(folder, target);
    writeFileSync(binary, head({ os, cpu }));
    const made = makePlatformPackage(target, binary, folder);
    const written = JSON.parse(readFileSync(join(made, "package.json"), "utf8"));
    assert.deepEqual([written.name, written.version], [name, manifest.version]);
    assert.deepEqual([written.os, written.cpu, written.libc], [[os], [cpu], undefined]);
    assert.deepEqual(readFileSync(join(made, file)), head({ os, cpu }));
    for (const other of PLATFORM_PACKAGES.filter((one) => one.target !== target)) {
      assert.throws(
        () => makePlatformPackage(other.target, binary, folder),
        /pass the program that was built for it/,
      );
    }
  }
  assert.throws(() => makePlatformPackage("beos-x64", BINARY, folder), /choose one of linux-x64, /);
  writeFileSync(join(folder, "text"), "x".repeat(100));
  assert.throws(() => describeBinary(join(folder, "text")), /is no program/);
});

test("a program that needs a C library says which", (t) => {
  const file = join(temporaryFolder(t), "program");
  const libcOf = (loader) => {
    writeFileSync(file, head({ os: "linux", cpu: "x64", loader }));
    return describeBinary(file).libc;
  };
  assert.equal(libcOf("/lib64/ld-linux-x86-64.so.2"), "glibc");
  assert.equal(libcOf("/lib/ld-musl-x86_64.so.1"), "musl");
  assert.equal(libcOf(""), undefined);
});
