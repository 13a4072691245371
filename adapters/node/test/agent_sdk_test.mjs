// SPDX-License-Identifier: MIT
// The Claude Agent SDK from npm with `pathToClaudeCodeExecutable: binaryPath()`, as the README has
// it. YUME_SDK_MODULES is the node_modules folder that holds the SDK.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { binaryPath } from "yume-cli";
import { Gate, call, text, thought } from "./support/gemini_server.mjs";
import { MODEL, scene } from "./support/scene.mjs";

const SDK = resolve(process.env.YUME_SDK_MODULES ?? ".", "@anthropic-ai/claude-agent-sdk/sdk.mjs");
const skip = !existsSync(SDK) && "YUME_SDK_MODULES does not hold the Claude Agent SDK";
const query = skip ? undefined : (await import(pathToFileURL(SDK))).query;

function optionsFor(host, more = {}) {
  const env = { ...process.env, ...host.env, CLAUDE_CONFIG_DIR: join(host.home, ".claude") };
  return {
    pathToClaudeCodeExecutable: binaryPath(),
    cwd: host.cwd,
    model: MODEL,
    env,
    extraArgs: { auth: "api-key" },
    ...more,
  };
}

async function turn(host, prompt, more) {
  const messages = [];
  for await (const message of query({ prompt, options: optionsFor(host, more) }))
    messages.push(message);
  return messages;
}

test("query(): a turn, and another that resumes it", { skip }, async (t) => {
  const host = await scene(t);
  host.server.expect([text("Hello.")], [text("Again.")]);
  const first = await turn(host, "hi");
  assert.deepEqual(
    first.map((message) => message.type),
    ["system", "assistant", "result"],
  );
  assert.equal(first[2].result, "Hello.");
  const second = await turn(host, "once more", { resume: first[0].session_id });
  assert.equal(second.at(-1).result, "Again.");
  assert.equal(second[0].session_id, first[0].session_id);
  assert.deepEqual(host.server.lastTexts, ["hi", "Hello.", "once more"]);
});

test("query(): the host is asked before a tool runs", { skip }, async (t) => {
  const host = await scene(t);
  host.server.expect([call("Write", { file_path: "new.txt", content: "made" })], [text("Done.")]);
  const asked = [];
  const canUseTool = async (name, input) => {
    asked.push(name);
    return { behavior: "allow", updatedInput: input };
  };
  assert.equal((await turn(host, "write it", { canUseTool })).at(-1).result, "Done.");
  assert.deepEqual(asked, ["Write"]);
  assert.equal(host.read("new.txt"), "made");
});

test("query(): several prompts in one process, the first one interrupted", { skip }, async (t) => {
  const host = await scene(t);
  host.server.expect([thought("Hm."), text("One"), new Gate()], [text("Two.")]);
  const next = new Gate();
  const prompts = async function* () {
    yield { type: "user", message: { role: "user", content: "first" } };
    await next.opened;
    yield { type: "user", message: { role: "user", content: "second" } };
  };
  const running = query({ prompt: prompts(), options: optionsFor(host) });
  const results = [];
  for await (const message of running) {
    if (message.type === "assistant" && results.length === 0 && !message.aborted)
      await running.interrupt();
    if (message.type !== "result") continue;
    results.push(message.result ?? message.terminal_reason);
    next.open();
  }
  assert.deepEqual(results, ["aborted_streaming", "Two."]);
});
