// SPDX-License-Identifier: MIT
// Sessions that go on, subagents, limits and errors.

import assert from "node:assert/strict";
import { call, texts } from "../support/gemini_server.mjs";
import { Prompts } from "../support/sdk_scene.mjs";

export function sessionScenarios(scenario) {
  scenario("resume, fork and continue", async (scene) => {
    const id = ({ messages }) => messages.find((m) => m.subtype === "init").session_id;
    const first = await scene.turn("first", [[{ text: "One." }]]);
    const second = await scene.turn("second", [[{ text: "Two." }]], { resume: id(first) });
    assert.equal(id(second), id(first));
    assert.deepEqual(texts(second.requests[0].contents), ["first", "One.", "second"]);
    const fork = await scene.turn("third", [[{ text: "Three." }]], { resume: id(first), forkSession: true });
    assert.notEqual(id(fork), id(first));
    assert.deepEqual(texts(fork.requests[0].contents), ["first", "One.", "second", "Two.", "third"]);
    const newest = await scene.turn("fourth", [[{ text: "Four." }]], { continue: true });
    assert.equal(id(newest), id(fork));
  });

  scenario("an unknown session", async (scene) => {
    scene.gemini.expect([]);
    await assert.rejects(async () => {
      for await (const message of scene.query("hi", { resume: "00000000-0000-4000-8000-000000000000" })) {
        assert.notEqual(message.subtype, "success");
      }
    });
  });

  scenario("subagents side by side", async (scene) => {
    const task = (number) => call("Task", { description: `Look ${number}`, prompt: `look ${number}`,
                                            subagent_type: "general-purpose", run_in_background: false });
    const { messages, result } = await scene.turn("go", [
      [task(1), task(2), task(3)], [{ text: "Seen." }], [{ text: "Seen." }], [{ text: "Seen." }],
      [{ text: "Done." }]]);
    assert.equal(result.result, "Done.");
    const ended = messages.filter((m) => m.type === "user" && !m.parent_tool_use_id)
      .flatMap((m) => m.message.content).filter((block) => block.type === "tool_result");
    assert.equal(ended.length, 3);
    assert.ok(ended.every((block) => JSON.stringify(block.content).includes("Seen.")));
  });

  scenario("a host that changes settings and stops what has ended", async (scene) => {
    scene.gemini.expect([[{ text: "One." }], [{ text: "Two." }]]);
    const prompts = new Prompts();
    prompts.say("first");
    const query = scene.query(prompts);
    let results = 0;
    for await (const message of query) {
      if (message.type !== "result") continue;
      if (++results === 2) prompts.end();
      if (results !== 1) continue;
      if (query.stopTask) await query.stopTask("bash_9");
      if (query.applyFlagSettings) await query.applyFlagSettings({ effortLevel: "low" });
      prompts.say("second");
    }
    const level = (request) => request.generationConfig?.thinkingConfig?.thinkingLevel;
    if (query.applyFlagSettings) assert.equal(level(scene.gemini.requests[1]), "LOW");
  });

  scenario("the budget", async (scene) => {
    scene.write("a.txt", "alpha\n");
    const reads = Array.from({ length: 3 }, () => [call("Read", { file_path: "a.txt" })]);
    const { result, requests } = await scene.turn("loop", reads, {
      maxBudgetUsd: 0.0000001, extraArgs: { auth: "api-key" } });
    assert.equal(result.subtype, "error_max_budget_usd");
    assert.ok(requests.length < 3);
  });

  scenario("an error of the server", async (scene) => {
    scene.gemini.failures = [400];
    const { result, messages } = await scene.turn("hi", [[{ text: "never" }]]);
    assert.equal(result.is_error, true);
    assert.match(result.result ?? result.errors.join(), /invalid/);
    assert.ok(messages.some((m) => m.type === "assistant" && m.error), "hosts show it as a message");
  });

  scenario("an error that passes", async (scene) => {
    scene.gemini.failures = [503];
    const { result, messages } = await scene.turn("hi", [[{ text: "Hello." }]]);
    assert.equal(result.result, "Hello.");
    assert.ok(messages.some((m) => m.subtype === "api_retry"));
  });

  scenario("an interrupt in the middle of a text", async (scene) => {
    scene.gemini.expect([[{ text: "Once " }, new Promise(() => {}), { text: "more" }], [{ text: "Later." }]]);
    const prompts = new Prompts();
    prompts.say("talk");
    const query = scene.query(prompts, { includePartialMessages: true });
    const results = [];
    try {
      for await (const message of query) {
        if (message.type === "stream_event" && message.event.delta?.text === "Once ") await query.interrupt();
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

  scenario("agents, commands and the window, as a host asks for them", async (scene) => {
    scene.gemini.expect([[{ text: "One." }]]);
    const prompts = new Prompts();
    prompts.say("first");
    const query = scene.query(prompts);
    const commands = await query.supportedCommands();
    assert.ok(commands.some((command) => command.name === "compact"));
    if (query.supportedAgents) {
      const agents = await query.supportedAgents();
      assert.ok(agents.some((agent) => agent.name === "general-purpose"));
    }
    if (query.initializationResult) assert.ok((await query.initializationResult()).models.length > 0);
    for await (const message of query) {
      if (message.type !== "result") continue;
      if (query.getContextUsage) assert.ok((await query.getContextUsage()).totalTokens > 0);
      prompts.end();
    }
  });

  scenario("setPermissionMode holds from the next call on", async (scene) => {
    scene.gemini.expect([[call("Write", { file_path: "new.txt", content: "one\n" })], [{ text: "Done." }]]);
    const prompts = new Prompts();
    const query = scene.query(prompts);
    await query.setPermissionMode("acceptEdits");
    prompts.say("write");
    for await (const message of query) {
      if (message.type === "result") prompts.end();
    }
    assert.equal(scene.read("new.txt"), "one\n");
  });
}
