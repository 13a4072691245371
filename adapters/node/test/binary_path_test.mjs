// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { binaryPath } from "yume-cli";
import { temporaryFolder } from "./support/scene.mjs";

const require = createRequire(import.meta.url);
const { packageFor } = require("../src/platform_package.js");
const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const SUFFIX = process.platform === "win32" ? ".exe" : "";
const HERE = packageFor(process.platform, process.arch);

// Looks like a program; nothing is started here.
function putProgram(file) {
  writeFileSync(file, "\x7fELF", { mode: 0o755 });
  return file;
}

// The package as it lies in a project's node_modules.
function installed(t) {
  const modules = join(temporaryFolder(t), "node_modules");
  for (const part of ["package.json", "index.js", "src", "bin"]) {
    cpSync(join(PACKAGE, part), join(modules, "yume-cli", part), { recursive: true });
  }
  return { modules, find: require(join(modules, "yume-cli")).binaryPath };
}

function installPlatformPackage(modules) {
  const folder = join(modules, HERE.name);
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: HERE.name }));
  return putProgram(join(folder, HERE.file));
}

test("YUME_CLI_BINARY comes first", (t) => {
  const { modules, find } = installed(t);
  installPlatformPackage(modules);
  const file = putProgram(join(modules, `mine${SUFFIX}`));
  assert.equal(find({ env: { YUME_CLI_BINARY: file } }), file);
});

test("a YUME_CLI_BINARY that is wrong is an error, whatever else is there", (t) => {
  const { modules, find } = installed(t);
  installPlatformPackage(modules);
  const wrong = {
    [join(modules, "nothing")]: /there is no such file/,
    [modules]: /it is not a file/,
  };
  for (const [file, message] of Object.entries(wrong)) {
    assert.throws(
      () => find({ env: { YUME_CLI_BINARY: file } }),
      (error) => {
        assert.equal(error.code, "YUME_NOT_FOUND");
        assert.match(error.message, message);
        assert.ok(error.message.startsWith(`cannot use YUME_CLI_BINARY=${file}: `));
        assert.match(error.message, /unset it to use the installed one/);
        return true;
      },
    );
  }
});

test("a file that may not be executed", { skip: process.platform === "win32" }, (t) => {
  const file = join(temporaryFolder(t), "plain");
  writeFileSync(file, "");
  assert.throws(() => binaryPath({ env: { YUME_CLI_BINARY: file } }), /chmod \+x/);
});

test("npm's launcher is not the program", { skip: process.platform === "win32" }, (t) => {
  const folder = temporaryFolder(t);
  const link = join(folder, "yume-cli");
  symlinkSync(join(PACKAGE, "bin", "yume-cli.js"), link);
  assert.throws(() => binaryPath({ env: { YUME_CLI_BINARY: link } }), /npm's launcher/);
  const { find } = installed(t);
  assert.throws(() => find({ env: { PATH: folder } }), /no yume-cli program is in PATH/);
});

test("the platform package comes before PATH", (t) => {
  const { modules, find } = installed(t);
  const onPath = temporaryFolder(t);
  putProgram(join(onPath, `yume-cli${SUFFIX}`));
  const packaged = installPlatformPackage(modules);
  assert.equal(find({ env: { PATH: onPath } }), packaged);
});

test("PATH comes last; scripts, other files and relative folders in it are passed over", (t) => {
  const { find } = installed(t);
  const [script, folder, good] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  writeFileSync(join(script, `yume-cli${SUFFIX}`), "#!/bin/sh\n", { mode: 0o755 });
  mkdirSync(join(folder, `yume-cli${SUFFIX}`));
  const file = putProgram(join(good, `yume-cli${SUFFIX}`));
  const searched = process.platform === "win32" ? [folder, good] : ["", ".", script, folder, good];
  assert.equal(find({ env: { PATH: searched.join(delimiter) } }), file);
});

test("a platform package without its program says so", (t) => {
  const { modules, find } = installed(t);
  mkdirSync(join(modules, HERE.name));
  writeFileSync(join(modules, HERE.name, "package.json"), "{}");
  assert.throws(() => find({ env: {} }), {
    code: "YUME_NOT_FOUND",
    message: new RegExp(
      `${HERE.name} is installed but .* there is no such file\\. Install ${HERE.name} again`,
    ),
  });
});

test("nothing at all: what was looked for, and what to do", (t) => {
  const { find } = installed(t);
  assert.throws(() => find({ env: {} }), {
    code: "YUME_NOT_FOUND",
    message: new RegExp(
      `package ${HERE.name} is not installed.*without --omit=optional, or set YUME_CLI_BINARY`,
    ),
  });
});
