// SPDX-License-Identifier: MIT
// claude-agent-acp, the program with which editors use Claude Code, on top of us.
//
//     node acp_test.mjs BINARY NODE_MODULES
//
// Each test has a working directory and a process of its own and runs alone, too
// (--test-name-pattern).

import assert from "node:assert/strict";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { AcpScene } from "./support/acp_scene.mjs";
import { GeminiServer, call, texts } from "./support/gemini_server.mjs";

const [binary, modules] = process.argv.slice(2).map((path) => resolve(path));
const acp = await import(pathToFileURL(join(modules, "@agentclientprotocol/sdk/dist/v1/stable/acp.js")));
const adapter = join(modules, "@agentclientprotocol/claude-agent-acp/dist/index.js");
const mcpServer = join(dirname(fileURLToPath(import.meta.url)), "../support/mcp_server.py");
const gemini = new GeminiServer();
const { methods } = acp;

before(() => gemini.start());
after(() => gemini.stop());

function scenario(name, body) {
  test(name, async () => {
    const scene = new AcpScene(acp, adapter, binary, gemini);
    try {
      await scene.start();
      await body(scene);
    } catch (failure) {
      failure.message += `\n${scene.said.slice(-2000)}`;
      throw failure;
    } finally {
      await scene.end();
    }
  });
}

const writes = () => [[call("Write", { file_path: "new.txt", content: "one\n" })], [{ text: "Done." }]];
const forever = () => new Promise(() => {});

scenario("a session has modes, models and commands", async (scene) => {
  assert.equal(scene.hello.protocolVersion, 1);
  const commands = scene.next((update) => update.sessionUpdate === "available_commands_update");
  const session = await scene.open();
  assert.ok(session.modes.availableModes.some((mode) => mode.id === "acceptEdits"));
  const model = session.configOptions.find((option) => option.id === "model");
  assert.ok(JSON.stringify(model).includes("gemini-3"), JSON.stringify(model));
  assert.ok((await commands).availableCommands.some((command) => command.name === "compact"));
});

scenario("a text, with thoughts", async (scene) => {
  await scene.open();
  const { stopReason } = await scene.prompt(
    "hi", [[{ text: "Hm.", thought: true }, { text: "Hel" }, { text: "lo." }]]);
  assert.equal(stopReason, "end_turn");
  assert.equal(scene.text(), "Hello.");
  assert.equal(scene.text("agent_thought_chunk"), "Hm.");
});

scenario("several turns of one session", async (scene) => {
  await scene.open();
  await scene.prompt("first", [[{ text: "One." }], [{ text: "Two." }]]);
  assert.equal(scene.text(), "One.");
  assert.equal((await scene.prompt("second")).stopReason, "end_turn");
  assert.equal(scene.text(), "Two.");
  assert.deepEqual(texts(gemini.requests[1].contents), ["first", "One.", "second"]);
});

scenario("a call that the user allows", async (scene) => {
  scene.choose = () => "allow_once";
  await scene.open();
  await scene.prompt("write", writes());
  assert.equal(scene.questions.length, 1);
  assert.equal(scene.read("new.txt"), "one\n");
  const [made] = scene.calls();
  assert.equal(made.status, "completed");
  assert.equal(made.kind, "edit");
  assert.equal(made.content.find((one) => one.type === "diff").newText, "one\n");
});

scenario("a call that the user rejects", async (scene) => {
  await scene.open();
  await scene.prompt("write", writes());
  assert.equal(scene.questions.length, 1);
  assert.equal(scene.has("new.txt"), false);
  assert.equal(scene.calls()[0].status, "failed");
});

scenario("a call that is allowed from now on", async (scene) => {
  scene.choose = () => "allow_always";
  await scene.open();
  await scene.prompt("write", [[call("Write", { file_path: "a.txt", content: "a" })],
                               [call("Write", { file_path: "b.txt", content: "b" })], [{ text: "Done." }]]);
  assert.equal(scene.questions.length, 1);
  assert.equal(scene.read("b.txt"), "b");
});

scenario("reading, searching and a command, as an editor shows them", async (scene) => {
  scene.choose = () => "allow_once";
  scene.write("a.txt", "alpha\n");
  await scene.open();
  await scene.prompt("look", [
    [call("Read", { file_path: join(scene.cwd, "a.txt") }), call("Grep", { pattern: "alpha" }),
     call("Glob", { pattern: "*.txt" })],
    [call("Bash", { command: "printf o; echo ne", description: "Say it" })],
    [{ text: "Done." }]]);
  const calls = scene.calls();
  assert.deepEqual(calls.map((one) => one.status), Array(4).fill("completed"));
  assert.deepEqual(calls.map((one) => one.kind), ["read", "search", "search", "execute"]);
  assert.match(JSON.stringify(calls[0].content), /alpha/);
  assert.match(JSON.stringify(calls[3].content), /one/);
});

scenario("an edit is shown as a difference", async (scene) => {
  scene.choose = () => "allow_once";
  scene.write("a.txt", "alpha\nbeta\n");
  await scene.open();
  const path = join(scene.cwd, "a.txt");
  await scene.prompt("change", [
    [call("Read", { file_path: path })],
    [call("Edit", { file_path: path, old_string: "beta", new_string: "gamma" })], [{ text: "Done." }]]);
  const edit = scene.calls().find((one) => one.kind === "edit");
  const shown = edit.content.find((one) => one.type === "diff");
  assert.match(shown.oldText, /beta/);
  assert.match(shown.newText, /gamma/);
  assert.equal(scene.read("a.txt"), "alpha\ngamma\n");
});

scenario("a list of work is a plan", async (scene) => {
  await scene.open();
  await scene.prompt("plan", [
    [call("TodoWrite", { todos: [{ content: "Look", status: "completed", activeForm: "Looking" },
                                 { content: "Act", status: "in_progress", activeForm: "Acting" }] })],
    [{ text: "Planned." }]]);
  const plan = scene.of("plan").at(-1);
  assert.deepEqual(plan.entries.map((one) => [one.content, one.status]),
                   [["Look", "completed"], ["Acting", "in_progress"]]);
});

scenario("cancelled in the middle of a text, and the next prompt", async (scene) => {
  await scene.open();
  const begun = scene.next((update) => update.sessionUpdate === "agent_message_chunk");
  const first = scene.prompt("talk", [[{ text: "Once " }, forever(), { text: "more" }], [{ text: "Later." }]]);
  await begun;
  await scene.cancel();
  assert.equal((await first).stopReason, "cancelled");
  assert.equal((await scene.prompt("and now?")).stopReason, "end_turn");
  assert.equal(scene.text(), "Later.");
});

scenario("cancelled while a command runs, and the next prompt", async (scene) => {
  await scene.open();
  await scene.agent.request(methods.agent.session.setMode,
                            { sessionId: scene.session.sessionId, modeId: "bypassPermissions" });
  const first = scene.prompt("run", [[call("Bash", { command: "touch begun; sleep 300" })], [{ text: "Later." }]]);
  await scene.next((update) => update.sessionUpdate === "tool_call");
  await scene.cancel();
  assert.equal((await first).stopReason, "cancelled");
  assert.equal((await scene.prompt("and now?")).stopReason, "end_turn");
  assert.equal(scene.text(), "Later.");
});

scenario("cancelled while the user is asked", async (scene) => {
  await scene.open();
  scene.choose = async () => {
    await scene.cancel();
    return "nothing";
  };
  const { stopReason } = await scene.prompt("write", [writes()[0], [{ text: "Later." }]]);
  assert.equal(stopReason, "cancelled");
  assert.equal(scene.has("new.txt"), false);
  assert.equal((await scene.prompt("and now?")).stopReason, "end_turn");
});

scenario("a mode that asks for less", async (scene) => {
  await scene.open();
  await scene.agent.request(methods.agent.session.setMode,
                            { sessionId: scene.session.sessionId, modeId: "acceptEdits" });
  await scene.prompt("write", writes());
  assert.equal(scene.questions.length, 0);
  assert.equal(scene.read("new.txt"), "one\n");
});

scenario("a plan is shown, approved and carried out", async (scene) => {
  scene.choose = (question) =>
    question.options.some((one) => one.optionId === "acceptEdits") ? "allow_always" : "allow_once";
  await scene.open();
  await scene.agent.request(methods.agent.session.setMode,
                            { sessionId: scene.session.sessionId, modeId: "plan" });
  await scene.prompt("plan it", [[call("ExitPlanMode", { plan: "Write a file." })], ...writes()]);
  assert.ok(scene.questions.length >= 1);
  assert.equal(scene.read("new.txt"), "one\n");
});

scenario("another model from the next turn on", async (scene) => {
  const { configOptions } = await scene.open();
  const model = configOptions.find((option) => option.id === "model");
  const values = model.options.flatMap((one) => one.options ?? [one]).map((one) => one.value);
  const other = values.find((value) => value !== model.currentValue && value.startsWith("gemini"));
  gemini.expect([[{ text: "One." }], [{ text: "Two." }]]);
  await scene.prompt("first");
  await scene.agent.request(methods.agent.session.setConfigOption,
                            { sessionId: scene.session.sessionId, configId: "model", value: other });
  await scene.prompt("second");
  assert.ok(!gemini.paths[0].includes(other), gemini.paths[0]);
  assert.ok(gemini.paths[1].includes(other), `${gemini.paths[1]} instead of ${other}`);
});

scenario("a server of the editor", async (scene) => {
  scene.choose = () => "allow_once";
  await scene.open({ mcpServers: [{ name: "desk", command: "python3", args: [mcpServer, "good"], env: [] }] });
  await scene.prompt("echo", [[call("mcp__desk__echo", { text: "hi" })], [{ text: "Done." }]]);
  const [made] = scene.calls();
  assert.equal(made.status, "completed");
  assert.match(JSON.stringify(made.content), /echo: hi/);
});

scenario("a picture and a file beside the text", async (scene) => {
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==";
  await scene.open();
  await scene.prompt([{ type: "text", text: "what is it?" }, { type: "image", mimeType: "image/png", data: png },
                      { type: "resource", resource: { uri: "file:///notes.txt", text: "a note" } }],
                     [[{ text: "A dot." }]]);
  const parts = gemini.requests[0].contents[0].parts;
  assert.equal(parts.find((part) => part.inlineData).inlineData.data, png);
  assert.match(JSON.stringify(parts), /a note/);
});

scenario("a session is listed, loaded with its history, and goes on", async (scene) => {
  scene.write("a.txt", "alpha\n");
  const { sessionId } = await scene.open();
  await scene.prompt("look", [[{ text: "Looking. " }, call("Read", { file_path: "a.txt" })], [{ text: "Alpha." }]]);
  await scene.start();
  const { sessions } = await scene.agent.request(methods.agent.session.list, { cwd: scene.cwd });
  assert.deepEqual(sessions.map((one) => one.sessionId), [sessionId]);
  scene.updates.length = 0;
  await scene.agent.request(methods.agent.session.load, { sessionId, cwd: scene.cwd, mcpServers: [] });
  assert.equal(scene.text("user_message_chunk"), "look");
  assert.equal(scene.text(), "Looking. Alpha.");
  assert.equal(scene.calls()[0].status, "completed");
  scene.session = { sessionId };
  await scene.prompt("and now?", [[{ text: "Still here." }]]);
  assert.equal(scene.text(), "Still here.");
  assert.deepEqual(texts(gemini.requests[0].contents), ["look", "Looking. ", "Alpha.", "and now?"]);
});

scenario("a session is resumed without its history", async (scene) => {
  const { sessionId } = await scene.open();
  await scene.prompt("first", [[{ text: "One." }]]);
  await scene.start();
  await scene.agent.request(methods.agent.session.resume, { sessionId, cwd: scene.cwd, mcpServers: [] });
  scene.session = { sessionId };
  await scene.prompt("second", [[{ text: "Two." }]]);
  assert.equal(scene.text(), "Two.");
  assert.deepEqual(texts(gemini.requests[0].contents), ["first", "One.", "second"]);
});

scenario("a local command answers without the model", async (scene) => {
  await scene.open();
  await scene.prompt("first", [[{ text: "One." }]]);
  gemini.expect([]);
  const { stopReason } = await scene.prompt("/context");
  assert.equal(stopReason, "end_turn");
  assert.equal(gemini.requests.length, 0);
  assert.ok(scene.text().length > 0, "the command's text is shown");
});

scenario("an error of the server is an error of the prompt", async (scene) => {
  await scene.open();
  gemini.failures = [400];
  await assert.rejects(scene.prompt("hi", [[{ text: "never" }]]), /400|invalid/i);
  assert.equal((await scene.prompt("again", [[{ text: "Fine." }]])).stopReason, "end_turn");
  assert.equal(scene.text(), "Fine.");
});

scenario("two sessions of one editor at once", async (scene) => {
  const one = await scene.open();
  const two = await scene.open();
  assert.notEqual(one.sessionId, two.sessionId);
  gemini.expect([[{ text: "Same." }], [{ text: "Same." }]]);
  scene.updates.length = 0;
  const ends = await Promise.all([one, two].map(({ sessionId }) => scene.agent.request(
    methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "hi" }] })));
  assert.deepEqual(ends.map((end) => end.stopReason), ["end_turn", "end_turn"]);
  assert.equal(scene.text(), "Same.Same.");
});
