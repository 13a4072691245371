// SPDX-License-Identifier: MIT
// Nothing outlives the host, however that ends.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { call, text } from "./support/gemini_server.mjs";
import { CAN_LOOK, isAlive, processesOf, until } from "./support/processes.mjs";
import { scene } from "./support/scene.mjs";

const require = createRequire(import.meta.url);
const { killTree, treeOptions } = require("../src/process_tree.js");
const HOST = fileURLToPath(new URL("./support/host.mjs", import.meta.url));
const SLEEP = { command: "echo x > started; setsid sleep 1000 & sleep 1000" };

// A host in a process of its own, in the middle of a turn whose tool runs.
async function hostInTurn(t, { persistent }) {
  const made = await scene(t);
  made.server.expect([call("Bash", SLEEP)]);
  const given = JSON.stringify({ persistent, env: made.env, context: made.context });
  const child = spawn(process.execPath, [HOST, given], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, ...made.env },
  });
  await until("the tool runs", () => {
    try {
      return made.read("started") !== "";
    } catch {
      return false;
    }
  });
  assert.ok(processesOf(made.home).length >= 3, "host, program and tool");
  return { made, child };
}

const ENDS = {
  SIGKILL: (child) => child.kill("SIGKILL"),
  SIGTERM: (child) => child.kill("SIGTERM"),
  SIGINT: (child) => child.kill("SIGINT"),
  "process.exit()": (child) => child.stdin.write("exit\n"),
  "an uncaught error": (child) => child.stdin.write("throw\n"),
};

for (const [end, endIt] of Object.entries(ENDS)) {
  for (const persistent of [false, true]) {
    const how = persistent ? "a kept process" : "a process per turn";
    test(`${end} of the host leaves nothing of ${how}`, { skip: !CAN_LOOK }, async (t) => {
      const { made, child } = await hostInTurn(t, { persistent });
      const gone = once(child, "exit");
      endIt(child);
      await gone;
      await made.nothingLeft();
    });
  }
}

test("an idle process does not keep the host running", { skip: !CAN_LOOK }, async (t) => {
  const made = await scene(t);
  made.server.expect([text("One.")]);
  const given = JSON.stringify({ persistent: true, env: made.env, context: made.context });
  const child = spawn(process.execPath, [HOST, given, "one-turn"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  assert.deepEqual(await once(child, "exit"), [0, null]);
  await made.nothingLeft();
});

test(
  "a program that ignores signals is killed with its children",
  { skip: !CAN_LOOK },
  async () => {
    const script = "trap '' INT TERM HUP; sleep 1000 & echo $!; wait";
    const child = spawn("/bin/sh", ["-c", script], {
      stdio: ["ignore", "pipe", "ignore"],
      ...treeOptions(),
    });
    const [line] = await once(child.stdout, "data");
    await killTree(child);
    assert.equal(child.signalCode, "SIGKILL");
    await until("its child is gone", () => !isAlive(Number(line)));
    await killTree(child); // what is gone is left alone
  },
);

class FakeChild extends EventEmitter {
  pid = 4711;
  exitCode = null;
  signalCode = null;
  log = [];

  kill(signal) {
    this.log.push(`kill ${signal}`);
    this.signalCode = signal;
    this.emit("exit", null, signal);
  }
}

for (const outcome of ["close", "error"]) {
  test(`on Windows taskkill ends the tree, then the process (${outcome})`, async () => {
    const child = new FakeChild();
    const spawnTool = (file, args, options) => {
      child.log.push([file, ...args].join(" "));
      assert.equal(options.windowsHide, true);
      assert.equal(options.shell, undefined);
      const tool = new EventEmitter();
      setImmediate(() => tool.emit(outcome, outcome === "error" ? new Error("not there") : 0));
      return tool;
    };
    await killTree(child, { platform: "win32", spawnTool });
    assert.equal(child.log.length, 2);
    assert.match(child.log[0], /^C:\\Windows\\System32\\taskkill\.exe \/PID 4711 \/T \/F$/i);
    assert.equal(child.log[1], "kill SIGKILL");
  });
}

test("on Windows a detached process would outlive the host", () => {
  assert.deepEqual(treeOptions("win32"), { detached: false, windowsHide: true });
  assert.equal(treeOptions("linux").detached, true);
});
