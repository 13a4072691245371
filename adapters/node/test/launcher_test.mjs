// SPDX-License-Identifier: MIT
// npm's `yume-cli` command. On Node 22.15 and newer it becomes the program; on older ones, and here
// whatever Node runs the tests, it stands for it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CAN_LOOK, isAlive, until } from "./support/processes.mjs";
import { BINARY, temporaryFolder } from "./support/scene.mjs";
import { NOT_ON_WINDOWS, STAND_IN, doing } from "./support/stand_in_path.mjs";

const LAUNCHER = fileURLToPath(new URL("../bin/yume-cli.js", import.meta.url));
const STAND = fileURLToPath(new URL("./support/no_execve.cjs", import.meta.url));
const WAYS = { stands: ["--require", STAND] };
if ("execve" in process) WAYS.becomes = [];

function launch(way, args, { env, binary = STAND_IN, stdio = "pipe" } = {}) {
  return spawn(process.execPath, [...WAYS[way], LAUNCHER, ...args], {
    env: { ...process.env, YUME_CLI_BINARY: binary, ...env },
    stdio,
  });
}

async function outcome(child, input) {
  const seen = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"]) {
    child[stream].setEncoding("utf8").on("data", (chunk) => (seen[stream] += chunk));
  }
  child.stdin.end(input);
  const [code, signal] = await once(child, "close");
  return { ...seen, code, signal };
}

for (const way of Object.keys(WAYS)) {
  test(
    `${way}: input, output, arguments and exit code are the program's`,
    { skip: NOT_ON_WINDOWS },
    async () => {
      const env = doing(["argv"], ["echo"], ["err", "problem"], ["exit", 41]);
      const args = ["-p", "a b", "", '"q"', "--", "$HOME"];
      const { stdout, ...rest } = await outcome(launch(way, args, { env }), "in\u00e9\n");
      assert.equal(stdout, `${JSON.stringify({ type: "argv", argv: args })}\nin\u00e9\n`);
      assert.deepEqual(rest, { stderr: "problem", code: 41, signal: null });
    },
  );

  test(`${way}: a program that is ended by a signal`, { skip: NOT_ON_WINDOWS }, async () => {
    const { code, signal } = await outcome(launch(way, [], { env: doing(["die", "SIGTERM"]) }));
    assert.deepEqual([code, signal], [null, "SIGTERM"]);
  });

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    test(`${way}: ${signal} reaches the program`, { skip: NOT_ON_WINDOWS }, async () => {
      const child = launch(way, [], { env: doing(["out", "ready\n"], ["wait"]) });
      await once(child.stdout, "data");
      child.kill(signal);
      assert.deepEqual(await once(child, "close"), [null, signal]);
    });
  }

  test(
    `${way}: SIGINT to the group reaches the program once`,
    { skip: NOT_ON_WINDOWS },
    async () => {
      const child = spawn(process.execPath, [...WAYS[way], LAUNCHER, COUNT], {
        env: { ...process.env, YUME_CLI_BINARY: process.execPath },
        stdio: ["pipe", "pipe", "inherit"],
        detached: true,
      });
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      assert.equal((await lines.next()).value, "ready");
      process.kill(-child.pid, "SIGINT");
      assert.equal((await lines.next()).value, "SIGINT");
      child.stdin.end();
      assert.equal((await lines.next()).value, "1 in all");
    },
  );

  test(`${way}: SIGKILL leaves nothing`, { skip: !CAN_LOOK }, async () => {
    const child = launch(way, [PRINT_PID], { binary: process.execPath });
    const [pid] = await once(child.stdout, "data");
    child.kill("SIGKILL");
    await until("the program is gone", () => !isAlive(Number(pid)));
  });

  test(`${way}: the real program`, async () => {
    const { stdout, stderr, code } = await outcome(launch(way, ["--version"], { binary: BINARY }));
    assert.match(stdout, /^\d+\.\d+\.\d+ \(Claude Code\) yume-cli \d+\.\d+\.\d+ \([a-z0-9-]+(, [^)]+)?\)\n$/);
    assert.deepEqual([stderr, code], ["", 0]);
  });

  test(`${way}: no program`, async (t) => {
    const binary = `${temporaryFolder(t)}/nothing`;
    const { stdout, stderr, code } = await outcome(launch(way, [], { binary }));
    assert.deepEqual([stdout, code], ["", 127]);
    assert.match(
      stderr,
      /^Error: cannot use YUME_CLI_BINARY=.*: there is no such file\. Set .*\n$/,
    );
  });
}

const COUNT = fileURLToPath(new URL("./support/count_interrupts.mjs", import.meta.url));
const PRINT_PID = fileURLToPath(new URL("./support/print_pid.mjs", import.meta.url));
