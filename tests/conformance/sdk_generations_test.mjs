// SPDX-License-Identifier: MIT
// What hosts do through the Claude Agent SDK, with each generation of it that is in use.
//
//     node sdk_generations_test.mjs BINARY PACKAGE_FOLDER
//
// Each test has a working directory of its own and runs alone, too (--test-name-pattern).

import assert from "node:assert/strict";
import { resolve, join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { hookScenarios } from "./scenarios/hooks.mjs";
import { serverScenarios } from "./scenarios/servers.mjs";
import { sessionScenarios } from "./scenarios/sessions.mjs";
import { toolScenarios } from "./scenarios/tools.mjs";
import { call, texts } from "./support/gemini_server.mjs";
import { Prompts, SdkWorld } from "./support/sdk_scene.mjs";

const [binary, folder] = process.argv.slice(2).map((path) => resolve(path));
const sdk = await import(pathToFileURL(join(folder, "sdk.mjs")));
const world = new SdkWorld(sdk, binary);
const scenario = world.scenario.bind(world);

before(() => world.start());
after(() => world.stop());

const writes = () => [[call("Write", { file_path: "new.txt", content: "one\n" })], [{ text: "Done." }]];
scenario("a text", async (scene) => {
  const { messages, result } = await scene.turn("hi", [[{ text: "Hello." }]]);
  assert.equal(messages[0].subtype, "init");
  assert.equal(result.result, "Hello.");
  assert.equal(result.is_error, false);
});

scenario("several turns of one process", async (scene) => {
  scene.gemini.expect([[{ text: "One." }], [{ text: "Two." }]]);
  const prompts = new Prompts();
  prompts.say("first");
  const results = [];
  for await (const message of scene.query(prompts)) {
    if (message.type !== "result") continue;
    results.push(message.result);
    if (results.length === 1) prompts.say("second");
    if (results.length === 2) prompts.end();
  }
  assert.deepEqual(results, ["One.", "Two."]);
  assert.deepEqual(texts(scene.gemini.requests[1].contents), ["first", "One.", "second"]);
});

scenario("partial messages add up to the text", async (scene) => {
  const { messages } = await scene.turn("hi", [[{ text: "Hel" }, { text: "lo." }]],
                                        { includePartialMessages: true });
  const text = messages.filter((m) => m.type === "stream_event" && m.event.delta?.type === "text_delta")
    .map((m) => m.event.delta.text).join("");
  assert.equal(text, "Hello.");
});

scenario("canUseTool allows", async (scene) => {
  const { result } = await scene.turn("write", writes(), {
    canUseTool: async (_name, input) => ({ behavior: "allow", updatedInput: input }) });
  assert.equal(scene.read("new.txt"), "one\n");
  assert.deepEqual(result.permission_denials, []);
});

scenario("canUseTool allows with another input", async (scene) => {
  const asked = [];
  await scene.turn("write", writes(), {
    canUseTool: async (name, input) => {
      asked.push(name);
      return { behavior: "allow", updatedInput: { ...input, content: "two\n" } };
    } });
  assert.deepEqual(asked, ["Write"]);
  assert.equal(scene.read("new.txt"), "two\n");
});

scenario("canUseTool denies in its own words", async (scene) => {
  const { result, requests } = await scene.turn("write", writes(), {
    canUseTool: async () => ({ behavior: "deny", message: "not today" }) });
  assert.equal(scene.has("new.txt"), false);
  assert.match(JSON.stringify(requests[1]), /not today/);
  assert.equal(result.permission_denials.length, 1);
});

scenario("canUseTool denies and ends the turn", async (scene) => {
  const { result } = await scene.turn("write", writes(), {
    canUseTool: async () => ({ behavior: "deny", message: "stop", interrupt: true }) });
  assert.equal(result.subtype, "error_during_execution");
  assert.equal(scene.has("new.txt"), false);
});

for (const [mode, written] of [["acceptEdits", true], ["bypassPermissions", true], ["plan", false],
                               ["default", false], ["dontAsk", false]]) {
  scenario(`permission mode ${mode}`, async (scene) => {
    const { messages } = await scene.turn("write", writes(), {
      permissionMode: mode, allowDangerouslySkipPermissions: mode === "bypassPermissions" });
    assert.equal(messages[0].permissionMode, mode);
    assert.equal(scene.has("new.txt"), written);
  });
}

scenario("/clear begins a new conversation", async (scene) => {
  scene.gemini.expect([[{ text: "One." }], [{ text: "Two." }]]);
  const prompts = new Prompts();
  prompts.say("first");
  const sessions = new Set();
  let results = 0;
  for await (const message of scene.query(prompts)) {
    if (message.subtype === "init") sessions.add(message.session_id);
    if (message.type !== "result") continue;
    results += 1;
    if (results === 1) prompts.say("/clear");
    if (results === 2) prompts.say("second");
    if (results === 3) prompts.end();
  }
  assert.equal(results, 3);
  assert.equal(sessions.size, 2);
  assert.deepEqual(texts(scene.gemini.requests[1].contents), ["second"]);
});

scenario("setModel holds from the next turn on", async (scene) => {
  scene.gemini.expect([[{ text: "One." }], [{ text: "Two." }]]);
  const prompts = new Prompts();
  prompts.say("first");
  const query = scene.query(prompts);
  const models = [];
  let results = 0;
  for await (const message of query) {
    if (message.subtype === "init") models.push(message.model);
    if (message.type !== "result") continue;
    if (++results === 2) prompts.end();
    if (results !== 1) continue;
    await query.setModel("gemini-3.6-flash");
    prompts.say("second");
  }
  assert.deepEqual(models, ["gemini-3.8-flash", "gemini-3.6-flash"]);
});

scenario("setMaxThinkingTokens holds from the next turn on", async (scene) => {
  scene.gemini.expect([[{ text: "One." }], [{ text: "Two." }]]);
  const prompts = new Prompts();
  prompts.say("first");
  const query = scene.query(prompts);
  let results = 0;
  for await (const message of query) {
    if (message.type !== "result") continue;
    if (++results === 2) prompts.end();
    if (results !== 1) continue;
    await query.setMaxThinkingTokens(2000);
    prompts.say("second");
  }
  const level = (request) => request.generationConfig?.thinkingConfig?.thinkingLevel;
  assert.notEqual(level(scene.gemini.requests[1]), level(scene.gemini.requests[0]));
});

scenario("what a host can choose from", async (scene) => {
  scene.gemini.expect([[{ text: "One." }]]);
  const prompts = new Prompts();
  prompts.say("first");
  const query = scene.query(prompts);
  const models = await query.supportedModels();
  assert.ok(models.some((model) => model.value === "gemini-3.8-flash"));
  assert.ok(Array.isArray(await query.supportedCommands()));
  assert.equal((await query.accountInfo()).apiKeySource, "GEMINI_API_KEY");
  if (query.supportedAgents) {  // the oldest does not ask
    const agents = await query.supportedAgents();
    assert.ok(agents.some((agent) => agent.name === "general-purpose" && agent.description));
  }
  for await (const message of query) {
    if (message.type === "result") prompts.end();
  }
});

scenario("an interrupt in the middle of a call keeps the conversation", async (scene) => {
  scene.gemini.expect([writes()[0], [{ text: "Later." }]]);
  const prompts = new Prompts();
  prompts.say("wait");
  const query = scene.query(prompts, { canUseTool: async (_name, input) => {
    await query.interrupt();
    return { behavior: "allow", updatedInput: input };
  } });
  const results = [];
  try {
    for await (const message of query) {
      if (message.type !== "result") continue;
      results.push(message.subtype);
      if (results.length === 1) prompts.say("and now?");
      if (results.length === 2) prompts.end();
    }
  } catch {
    // Some generations throw after an error result.
  }
  assert.deepEqual(results, ["error_during_execution", "success"]);
});

scenario("an interrupt while a command runs, with a prompt behind it", async (scene) => {
  scene.gemini.expect([[call("Bash", { command: "sleep 300" })], [{ text: "Behind." }], [{ text: "Later." }]]);
  const prompts = new Prompts();
  prompts.say("wait");
  const query = scene.query(prompts, { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true });
  const results = [];
  try {
    for await (const message of query) {
      if (message.type === "assistant" && message.message.content[0].name === "Bash") {
        prompts.say("and this", { priority: "later" });
        await query.interrupt();
      }
      if (message.type !== "result") continue;
      results.push(message.result ?? message.subtype);
      if (results.length === 2) prompts.say("and now?");
      if (results.length === 3) prompts.end();
    }
  } catch {
    // Some generations throw after an error result.
  }
  assert.deepEqual(results, ["error_during_execution", "Behind.", "Later."]);
});

scenario("an image in a prompt", async (scene) => {
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==";
  scene.gemini.expect([[{ text: "A dot." }]]);
  const prompts = new Prompts();
  prompts.say([{ type: "text", text: "what is it?" },
               { type: "image", source: { type: "base64", media_type: "image/png", data: png } }]);
  for await (const message of scene.query(prompts)) {
    if (message.type === "result") prompts.end();
  }
  const parts = scene.gemini.requests[0].contents[0].parts;
  assert.equal(parts.find((part) => part.inlineData).inlineData.data, png);
});

scenario("the limit of turns", async (scene) => {
  scene.write("a.txt", "alpha\n");
  const reads = Array.from({ length: 4 }, () => [call("Read", { file_path: "a.txt" })]);
  const { result } = await scene.turn("loop", reads, { maxTurns: 2 });
  assert.equal(result.subtype, "error_max_turns");
  assert.ok(Array.isArray(result.errors));
});

scenario("files come back as they were", async (scene) => {
  scene.write("old.txt", "one\n");
  scene.gemini.expect([
    [call("Read", { file_path: "old.txt" })],
    [call("Write", { file_path: "old.txt", content: "two\n" }),
     call("Write", { file_path: "new.txt", content: "new\n" })],
    [{ text: "Done." }]]);
  const prompts = new Prompts();
  prompts.say("change", { uuid: "6f0c8a4e-30f5-4b7e-8a1c-2b9b9a0c7d11" });
  const query = scene.query(prompts, {
    permissionMode: "acceptEdits", enableFileCheckpointing: true,
    env: { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "true" },
    extraArgs: { auth: "api-key", "replay-user-messages": null } });
  if (typeof query.rewindFiles !== "function") return prompts.end();  // this SDK cannot ask for it
  let message_id;
  for await (const message of query) {
    if (message.type === "user" && message.isReplay) message_id ??= message.uuid;
    if (message.type !== "result") continue;
    assert.equal(scene.read("old.txt"), "two\n");
    await assert.rejects(query.rewindFiles("6f0c8a4e-30f5-4b7e-8a1c-2b9b9a0c7d99"), /checkpoint/);
    await query.rewindFiles(message_id);
    prompts.end();
  }
  assert.equal(scene.read("old.txt"), "one\n");
  assert.equal(scene.has("new.txt"), false);
});

toolScenarios(scenario);
hookScenarios(scenario);
sessionScenarios(scenario);
serverScenarios(scenario, sdk);
