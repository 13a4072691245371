// SPDX-License-Identifier: MIT
// The program as an agent (`--acp`), driven by the real client of the Agent Client Protocol.
//
//     node acp_agent_test.mjs BINARY NODE_MODULES
//
// Each test has folders and a process of its own and runs alone, too (--test-name-pattern).

import assert from "node:assert/strict";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { AcpEditor } from "./support/acp_editor.mjs";
import { GeminiServer, call, texts } from "./support/gemini_server.mjs";

const [binary, modules] = process.argv.slice(2).map((path) => resolve(path));
const acp = await import(pathToFileURL(join(modules, "@agentclientprotocol/sdk/dist/v1/stable/acp.js")));
const mcpServer = join(dirname(fileURLToPath(import.meta.url)), "../support/mcp_server.py");
const gemini = new GeminiServer();
const editsFiles = { fs: { readTextFile: true, writeTextFile: true } };

before(() => gemini.start());
after(() => gemini.stop());

function scenario(name, body, abilities = {}) {
  test(name, async () => {
    const editor = new AcpEditor(acp, binary, gemini, abilities);
    gemini.expect([]);
    try {
      await editor.start();
      await body(editor);
    } catch (failure) {
      failure.message += `\n${editor.said.slice(-2000)}`;
      throw failure;
    } finally {
      await editor.end();
    }
  });
}

const forever = () => new Promise(() => {});
const writes = (name = "new.txt") => [[call("Write", { file_path: name, content: "one\n" })], [{ text: "Done." }]];
const fails = (code) => (failure) => {
  assert.equal(failure.code, code, failure.message);
  return true;
};

scenario("initialize says what the agent can do", async (editor) => {
  const { hello } = editor;
  assert.equal(hello.protocolVersion, 1);
  assert.equal(hello.agentInfo.name, "yume-cli");
  assert.equal(hello.agentCapabilities.loadSession, true);
  assert.deepEqual(hello.agentCapabilities.promptCapabilities, { image: true, audio: false, embeddedContext: true });
  assert.deepEqual(Object.keys(hello.agentCapabilities.sessionCapabilities).sort(),
                   ["additionalDirectories", "close", "delete", "list", "resume"]);
  const later = await editor.request("initialize", { protocolVersion: 999, clientCapabilities: {} });
  assert.equal(later.protocolVersion, 1);
});

scenario("authenticate uses the credentials that there are", async (editor) => {
  await editor.request("authenticate", { methodId: "gemini-api-key" });
  await assert.rejects(editor.request("authenticate", { methodId: "none" }), fails(-32602));
});

scenario("a session has modes, options and commands", async (editor) => {
  const commands = editor.next("available_commands_update");
  const session = await editor.open();
  assert.equal(session.modes.currentModeId, "default");
  assert.deepEqual(session.modes.availableModes.map((one) => one.id),
                   ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"]);
  assert.deepEqual(session.configOptions.map((one) => one.id), ["mode", "model", "thinking"]);
  assert.ok((await commands).availableCommands.some((command) => command.name === "compact"));
});

scenario("a text, with thoughts, and how much was used", async (editor) => {
  await editor.open();
  const { stopReason } = await editor.prompt(
    "hi", [[{ text: "Hm.", thought: true }, { text: "Hel" }, { text: "lo." }]]);
  assert.equal(stopReason, "end_turn");
  assert.equal(editor.text(), "Hello.");
  assert.equal(editor.text("agent_thought_chunk"), "Hm.");
  assert.ok(editor.of("usage_update").at(-1).size > 0);
  const [message] = editor.of("agent_message_chunk");
  assert.ok(message.messageId);
});

scenario("a prompt brings a picture, a link and a file", async (editor) => {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  await editor.open();
  await editor.prompt([
    { type: "text", text: "Compare " },
    { type: "resource_link", name: "a b.txt", uri: "file:///p/a%20b.txt" },
    { type: "text", text: " with this" },
    { type: "resource", resource: { uri: "file:///p/c.txt", text: "inside" } },
    { type: "image", mimeType: "image/png", data: pixel },
  ], [[{ text: "Same." }]]);
  const { parts } = gemini.requests[0].contents[0];
  const text = parts.map((part) => part.text ?? "").join("");
  assert.match(text, /Compare \[@a b\.txt\]\(\/p\/a b\.txt\) with this/);
  assert.match(text, /<context ref="\/p\/c.txt">\ninside\n<\/context>/);
  assert.ok(parts.some((part) => part.inlineData?.mimeType === "image/png"));
});

scenario("a call that the user allows", async (editor) => {
  editor.choose = () => "allow_once";
  await editor.open();
  const { stopReason } = await editor.prompt("write", writes());
  assert.equal(stopReason, "end_turn");
  assert.equal(editor.read("new.txt"), "one\n");
  const [{ toolCall, options }] = editor.questions;
  assert.match(toolCall.toolCallId, /^Write-[0-9a-f]+$/);
  assert.deepEqual(options.map((one) => one.kind), ["allow_once", "allow_always", "reject_once", "reject_always"]);
  assert.deepEqual(toolCall.content[0], { type: "diff", path: join(editor.cwd, "new.txt"), oldText: null, newText: "one\n" });
  const states = editor.updates.map((one) => one.update).filter((one) => one.toolCallId).map((one) => one.status);
  assert.deepEqual(states, ["pending", "in_progress", "completed"]);
  const [made] = editor.calls();
  assert.equal(made.kind, "edit");
  assert.deepEqual(made.locations, [{ path: join(editor.cwd, "new.txt") }]);
  assert.deepEqual(made.rawInput, { file_path: "new.txt", content: "one\n" });
  assert.ok(made.rawOutput.output);
});

scenario("a call that the user rejects, once and by closing the question", async (editor) => {
  await editor.open();
  await editor.prompt("write", writes());
  editor.choose = () => undefined;
  assert.equal((await editor.prompt("write", writes())).stopReason, "end_turn");
  assert.equal(editor.questions.length, 2);
  assert.equal(editor.has("new.txt"), false);
  assert.deepEqual(editor.calls().map((one) => one.status), ["failed", "failed"]);
});

scenario("a call that is allowed from now on", async (editor) => {
  editor.choose = () => "allow_always";
  await editor.open();
  const mode = editor.next("current_mode_update");
  await editor.prompt("write", [[call("Write", { file_path: "a.txt", content: "a" })],
                                [call("Write", { file_path: "b.txt", content: "b" })], [{ text: "Done." }]]);
  assert.equal(editor.questions.length, 1);
  assert.equal(editor.read("b.txt"), "b");
  assert.equal((await mode).currentModeId, "acceptEdits");
});

scenario("a call that is rejected from now on", async (editor) => {
  editor.choose = () => "reject_always";
  await editor.open();
  await editor.prompt("write", [[call("Write", { file_path: "a.txt", content: "a" })],
                                [call("Write", { file_path: "b.txt", content: "b" })], [{ text: "Done." }]]);
  assert.equal(editor.questions.length, 1);
  assert.deepEqual(editor.calls().map((one) => one.status), ["failed", "failed"]);
});

scenario("reading, searching, a command and an edit, as an editor shows them", async (editor) => {
  editor.choose = () => "allow_once";
  editor.write("a.txt", "alpha\nbeta\n");
  await editor.open();
  const path = join(editor.cwd, "a.txt");
  await editor.prompt("look", [
    [call("Read", { file_path: path, offset: 2 }), call("Grep", { pattern: "alpha" })],
    [call("Bash", { command: "printf o; echo ne", description: "Say it" })],
    [call("Edit", { file_path: path, old_string: "beta", new_string: "gamma" })], [{ text: "Done." }]]);
  const calls = editor.calls();
  assert.deepEqual(calls.map((one) => one.status), Array(4).fill("completed"));
  assert.deepEqual(calls.map((one) => one.kind), ["read", "search", "execute", "edit"]);
  assert.deepEqual(calls[0].locations, [{ path, line: 2 }]);
  assert.equal(calls[2].title, "printf o; echo ne");
  assert.match(calls[2].content[0].content.text, /^```\none\n```$/);
  assert.deepEqual(calls[3].content[0], { type: "diff", path, oldText: "alpha\nbeta\n", newText: "alpha\ngamma\n" });
});

scenario("a list of work is a plan, and no call", async (editor) => {
  await editor.open();
  await editor.prompt("plan", [
    [call("TodoWrite", { todos: [{ content: "Look", status: "completed", activeForm: "Looking" },
                                 { content: "Act", status: "in_progress", activeForm: "Acting" }] })],
    [{ text: "Planned." }]]);
  assert.deepEqual(editor.of("plan").at(-1).entries,
                   [{ content: "Look", priority: "medium", status: "completed" },
                    { content: "Act", priority: "medium", status: "in_progress" }]);
  assert.deepEqual(editor.calls(), []);
});

scenario("a plan that the user accepts changes the mode", async (editor) => {
  editor.choose = () => "acceptEdits";
  await editor.open();
  await editor.request("session/set_mode", { sessionId: editor.session.sessionId, modeId: "plan" });
  await editor.prompt("plan", [[call("ExitPlanMode", { plan: "1. Write" })],
                               [call("Write", { file_path: "a.txt", content: "a" })], [{ text: "Done." }]]);
  assert.equal(editor.questions.length, 1);
  assert.match(JSON.stringify(editor.questions[0].toolCall.content), /1\. Write/);
  assert.equal(editor.of("current_mode_update").at(-1).currentModeId, "acceptEdits");
  assert.equal(editor.read("a.txt"), "a");
});

scenario("modes, models and thinking are chosen", async (editor) => {
  await editor.open();
  const { sessionId } = editor.session;
  await editor.request("session/set_mode", { sessionId, modeId: "acceptEdits" });
  const current = (answer) => answer.configOptions.map((one) => one.currentValue);
  const set = (configId, value) => editor.request("session/set_config_option", { sessionId, configId, value });
  const [, model] = editor.session.configOptions;
  const other = model.options.map((one) => one.value).find((one) => one !== model.currentValue);
  assert.deepEqual(current(await set("model", other)), ["acceptEdits", other, "default"]);
  assert.deepEqual(current(await set("thinking", "low")), ["acceptEdits", other, "low"]);
  assert.deepEqual(current(await set("mode", "default")), ["default", other, "low"]);
  await editor.prompt("hi", [[{ text: "Hi." }]]);
  assert.ok(gemini.paths[0].includes(other), gemini.paths[0]);
  await assert.rejects(set("mode", "wild"), fails(-32602));
  await assert.rejects(set("colour", "red"), fails(-32602));
  await assert.rejects(editor.request("session/set_mode", { sessionId, modeId: "wild" }), fails(-32602));
});

scenario("cancelled in the middle of a text, and the next prompt", async (editor) => {
  await editor.open();
  const begun = editor.next("agent_message_chunk");
  const first = editor.prompt("talk", [[{ text: "Once " }, forever(), { text: "more" }], [{ text: "Later." }]]);
  await begun;
  await editor.cancel();
  assert.equal((await first).stopReason, "cancelled");
  assert.equal((await editor.prompt("and now?")).stopReason, "end_turn");
});

scenario("cancelled while a question is open", async (editor) => {
  const asked = new Promise((done) => (editor.choose = () => (done(), forever())));
  await editor.open();
  const turn = editor.prompt("write", writes());
  await asked;
  await editor.cancel();
  assert.equal((await turn).stopReason, "cancelled");
  assert.equal(editor.calls()[0].status, "failed");
});

scenario("cancelled while a command runs, and a prompt that waits behind it", async (editor) => {
  editor.choose = () => "allow_once";
  await editor.open();
  const runs = editor.next((update) => update.status === "in_progress");
  const first = editor.prompt("sleep", [[call("Bash", { command: "sleep 600", description: "Wait" })]]);
  await runs;
  const second = editor.prompt("then");
  await editor.request("session/set_mode", { sessionId: editor.session.sessionId, modeId: "default" });
  await editor.cancel();
  assert.equal((await first).stopReason, "cancelled");
  assert.equal((await second).stopReason, "cancelled");
});

scenario("a cancel when nothing runs, or of no session, is harmless", async (editor) => {
  await editor.open();
  await editor.cancel();
  await editor.cancel("none");
  assert.equal((await editor.prompt("hi", [[{ text: "Hi." }]])).stopReason, "end_turn");
});

scenario("two sessions at once, each with its folder", async (editor) => {
  const one = await editor.open();
  const other = await editor.open({ cwd: editor.folder("other") });
  const held = editor.next((update, id) => id === one.sessionId && update.sessionUpdate === "agent_message_chunk");
  const first = editor.prompt("first", [[{ text: "One " }, forever()], [{ text: "Two." }]], one.sessionId);
  await held;
  assert.equal((await editor.prompt("second", undefined, other.sessionId)).stopReason, "end_turn");
  assert.equal(editor.text("agent_message_chunk", other.sessionId), "Two.");
  await editor.cancel(one.sessionId);
  assert.equal((await first).stopReason, "cancelled");
  assert.equal(editor.text("agent_message_chunk", one.sessionId), "One ");
});

scenario("a session is closed in the middle of a turn, and the others go on", async (editor) => {
  const one = await editor.open();
  const other = await editor.open({ cwd: editor.folder("other") });
  const held = editor.next("agent_message_chunk");
  const first = editor.prompt("first", [[{ text: "One " }, forever()], [{ text: "Two." }]], one.sessionId);
  await held;
  await editor.request("session/close", { sessionId: one.sessionId });
  assert.equal((await first).stopReason, "cancelled");
  await assert.rejects(editor.prompt("more", undefined, one.sessionId), fails(-32002));
  assert.equal((await editor.prompt("second", undefined, other.sessionId)).stopReason, "end_turn");
});

scenario("load shows what was said, after a new start, and resume does not", async (editor) => {
  editor.choose = () => "allow_always";
  const { sessionId } = await editor.open();
  await editor.prompt("write", [
    [{ text: "Hm.", thought: true }, { text: "I write." }, call("Write", { file_path: "new.txt", content: "one\n" })],
    [call("TodoWrite", { todos: [{ content: "Look", status: "completed", activeForm: "Looking" }] })],
    [{ text: "Done." }]]);
  const before = editor.calls()[0];
  await editor.start();
  editor.updates.length = 0;
  const loaded = await editor.request("session/load", { sessionId, cwd: editor.cwd, mcpServers: [] });
  assert.equal(loaded.modes.currentModeId, "default");
  const kinds = editor.updates.map((one) => one.update.sessionUpdate);
  assert.deepEqual(kinds.filter((kind) => kind !== "available_commands_update"),
                   ["user_message_chunk", "agent_thought_chunk", "agent_message_chunk", "tool_call",
                    "tool_call_update", "plan", "agent_message_chunk"]);
  assert.equal(editor.text("user_message_chunk"), "write");
  assert.equal(editor.calls()[0].toolCallId, before.toolCallId);
  assert.equal(editor.calls()[0].status, "completed");
  editor.session = loaded;
  await editor.prompt("go on", [[{ text: "More." }]], sessionId);
  assert.ok(texts(gemini.requests[0].contents).includes("write"));
  editor.updates.length = 0;
  await editor.request("session/resume", { sessionId, cwd: editor.cwd });
  assert.deepEqual(editor.of("agent_message_chunk"), []);
  assert.equal((await editor.prompt("again", [[{ text: "Again." }]], sessionId)).stopReason, "end_turn");
  assert.ok(texts(gemini.requests[0].contents).includes("More."));
});

scenario("the result of load names the session, for a client that throws without it", async (editor) => {
  const { sessionId } = await editor.open();
  await editor.prompt("hi", [[{ text: "Hi." }]]);
  const seen = new Promise((done) => editor.child.stdout.on("data", (piece) => {
    if (String(piece).includes(`"result":{"sessionId":"${sessionId}"`)) done();
  }));
  await editor.request("session/load", { sessionId, cwd: editor.cwd, mcpServers: [] });
  await seen;
});

scenario("sessions are listed and deleted", async (editor) => {
  const one = await editor.open();
  await editor.prompt("first", [[{ text: "One." }]]);
  const folder = editor.folder("other");
  const other = await editor.open({ cwd: folder });
  await editor.prompt("second", [[{ text: "Two." }]]);
  const list = async (params = {}) => (await editor.request("session/list", params)).sessions;
  const all = await list();
  assert.deepEqual(all.map((session) => session.title).sort(), ["first", "second"]);
  assert.ok(all.every((session) => session.updatedAt));
  assert.deepEqual((await list({ cwd: folder })).map((session) => session.sessionId), [other.sessionId]);
  await editor.request("session/delete", { sessionId: other.sessionId });
  assert.deepEqual((await list()).map((session) => session.sessionId), [one.sessionId]);
  await editor.request("session/delete", { sessionId: other.sessionId });  // the client takes -32002 for done
});

scenario("servers of the client serve their session alone", async (editor) => {
  editor.choose = () => "allow_once";
  await editor.open({ mcpServers: [{ name: "tools", command: "python3", args: [mcpServer], env: [] }] });
  await editor.prompt("use it", [[{ text: "Used." }]]);
  const names = gemini.requests[0].tools.flatMap((tool) => tool.functionDeclarations ?? []).map((one) => one.name);
  assert.ok(names.some((name) => name.startsWith("mcp__tools__")), names.join(" "));
  await editor.open();
  await editor.prompt("without", [[{ text: "None." }]]);
  assert.doesNotMatch(JSON.stringify(gemini.requests[0].tools), /mcp__tools__/);
});

scenario("a file is read as it is in the editor, and written through it", async (editor) => {
  editor.choose = () => "allow_once";
  editor.write("a.txt", "saved\n");
  const path = join(editor.cwd, "a.txt");
  editor.buffers.set(path, "unsaved\n");
  await editor.open();
  await editor.prompt("look", [
    [call("Read", { file_path: path })],
    [call("Edit", { file_path: path, old_string: "unsaved", new_string: "changed" })],
    [call("Write", { file_path: join(editor.cwd, "deep/new.txt"), content: "new\n" })], [{ text: "Done." }]]);
  assert.match(JSON.stringify(gemini.requests[1].contents), /unsaved/);
  assert.equal(editor.buffers.get(path), "changed\n");
  assert.equal(editor.read("deep/new.txt"), "new\n");
  assert.deepEqual(editor.calls().map((one) => one.status), ["completed", "completed", "completed"]);
  assert.ok(editor.fileRequests.includes(`write ${path}`));
}, editsFiles);

scenario("a file that the editor does not have is the disk's", async (editor) => {
  editor.write("a.txt", "saved\n");
  await editor.open();
  await editor.prompt("look", [[call("Read", { file_path: "a.txt" })], [{ text: "Done." }]]);
  assert.match(JSON.stringify(gemini.requests[1].contents), /saved/);
  assert.equal(editor.calls()[0].status, "completed");
}, editsFiles);

scenario("a new file is shown to the byte", async (editor) => {
  editor.choose = () => "allow_once";
  await editor.open();
  await editor.prompt("write", [[call("Write", { file_path: "new.txt", content: "no end" })], [{ text: "Done." }]]);
  const diff = { type: "diff", path: join(editor.cwd, "new.txt"), oldText: null, newText: "no end" };
  assert.deepEqual(editor.questions[0].toolCall.content, [diff]);
  assert.deepEqual(editor.calls()[0].content, [diff]);
});

const steps = (editor) => editor.terminalRequests.map((one) => one.step);

scenario("a command runs in a terminal of the editor", async (editor) => {
  editor.choose = () => "allow_once";
  await editor.open();
  await editor.prompt("run", [
    [call("Bash", { command: "echo one > made.txt; cd /; echo two; echo $GEMINI_API_KEY$PAGER", description: "Say it" })],
    [{ text: "Done." }]]);
  assert.equal(editor.read("made.txt"), "one\n");
  const [{ command, args, cwd, env }] = editor.terminalRequests;
  assert.match(command, /bash$/);
  assert.match(args.at(-1), /^echo one > made\.txt/);
  assert.equal(cwd, editor.cwd);
  assert.ok(env.some(({ name, value }) => name === "GEMINI_API_KEY" && value === ""));
  assert.deepEqual(steps(editor), ["create", "wait", "output", "release"]);
  const shown = editor.updates.findIndex(({ update }) => update.content?.[0]?.type === "terminal");
  assert.deepEqual(editor.updates[shown].update.content, [{ type: "terminal", terminalId: "t1" }]);
  assert.equal(editor.updates[shown].update.status, "in_progress");
  const [ran] = editor.calls();
  assert.equal(ran.status, "completed");
  assert.deepEqual(ran.content, [{ type: "terminal", terminalId: "t1" }]);
  assert.equal(ran.rawOutput.output, `two\ncat\nShell cwd was reset to ${editor.cwd}`);
  assert.match(JSON.stringify(gemini.requests[1].contents), /two\\ncat/);
}, { terminal: true });

scenario("a command fails in a terminal, another runs too long, and one is killed by others", async (editor) => {
  editor.choose = () => "allow_once";
  await editor.open();
  await editor.prompt("run", [
    [call("Bash", { command: "echo oh >&2; exit 3" })], [call("Bash", { command: "exec sleep 600", timeout: 300 })],
    [call("Bash", { command: "kill -9 $$" })], [{ text: "Done." }]]);
  const calls = editor.calls();
  assert.deepEqual(calls.map((one) => one.status), ["failed", "failed", "failed"]);
  assert.equal(calls[0].rawOutput.error, "Exit code 3\noh");
  assert.match(calls[1].rawOutput.error, /^Exit code 143\nCommand timed out after 300ms/);
  assert.match(calls[2].rawOutput.error, /SIGKILL/);
  assert.deepEqual(steps(editor).filter((step) => step === "kill"), ["kill"]);
  await Promise.all([...editor.terminals.values()].map(({ ended }) => ended));
}, { terminal: true });

scenario("cancelled while a command runs in a terminal", async (editor) => {
  editor.choose = () => "allow_once";
  await editor.open();
  const waits = new Promise((done) => (editor.onTerminal = (step) => step === "wait" && done()));
  const turn = editor.prompt("run", [[call("Bash", { command: "exec sleep 600" })]]);
  await waits;
  await editor.cancel();
  assert.equal((await turn).stopReason, "cancelled");
  await editor.terminals.get("t1").ended;
  assert.deepEqual(steps(editor), ["create", "wait", "kill", "output", "release"]);
}, { terminal: true });

scenario("a command runs here where the editor refuses, where it only reads, and behind a wall", async (editor) => {
  editor.choose = () => "allow_once";
  editor.refusesTerminals = true;
  await editor.open();
  await editor.prompt("run", [[call("Bash", { command: "echo one > made.txt" })], [call("Bash", { command: "cat made.txt" })],
                              [{ text: "Done." }]]);
  assert.equal(editor.read("made.txt"), "one\n");
  assert.equal(editor.calls()[1].rawOutput.output, "one");
  assert.deepEqual(steps(editor), ["create"]);
  await editor.start(["--acp", "--auth", "api-key", "--sandbox", "workspace-write"]);
  await editor.open();
  await editor.prompt("run", [[call("Bash", { command: "echo two > more.txt" })], [{ text: "Done." }]]);
  assert.deepEqual(steps(editor), ["create"]);
}, { terminal: true });

scenario("a failure has a text, and the session goes on", async (editor) => {
  await editor.open();
  gemini.expect([[{ text: "Again." }]]);
  gemini.failures.push(400);
  await assert.rejects(editor.prompt("hi"), (failure) => {
    assert.equal(failure.code, -32603);
    assert.match(failure.message, /invalid/i);
    assert.equal(failure.data.status, 400);
    return true;
  });
  assert.equal((await editor.prompt("again")).stopReason, "end_turn");
});

scenario("without credentials a prompt says so, and a key that the client brings helps", async (editor) => {
  await editor.start(["--acp", "--auth", "api-key"], { GEMINI_API_KEY: "" });
  await editor.open();
  await assert.rejects(editor.prompt("hi", [[{ text: "Hi." }]]), fails(-32000));
  await editor.request("authenticate", { methodId: "gemini-api-key", _meta: { "api-key": "brought-by-the-editor" } });
  await editor.open();
  assert.equal((await editor.prompt("hi")).stopReason, "end_turn");
});

scenario("wrong requests are answered, and the connection lives", async (editor) => {
  const open = (params) => editor.request("session/new", params);
  await assert.rejects(open({ cwd: "relative", mcpServers: [] }), fails(-32602));
  await assert.rejects(open({ cwd: join(editor.root, "nowhere"), mcpServers: [] }), fails(-32602));
  await assert.rejects(editor.request("session/load", { sessionId: "none", cwd: editor.cwd, mcpServers: [] }), fails(-32002));
  await assert.rejects(editor.request("session/prompt", { sessionId: "none", prompt: [] }), fails(-32002));
  await assert.rejects(editor.request("_vendor/thing", {}), fails(-32601));
  editor.agent.notify("_vendor/said", {});
  editor.child.stdin.write("{not json\n[]\n\n17\n");
  await editor.open();
});

scenario("stdin ends in the middle of a turn: the program ends well", async (editor) => {
  await editor.open();
  const begun = editor.next("agent_message_chunk");
  editor.prompt("talk", [[{ text: "Once " }, forever()]]).catch(() => {});
  await begun;
  assert.equal(await editor.stop(), 0);
});

scenario("as gemini, and by the older name of the flag", async (editor) => {
  const noGcloud = { YUME_GCLOUD: "/nowhere" };
  for (const args of [["--experimental-acp"], ["--acp", "--stdio"], ["--as", "gemini", "--acp"],
                      ["--as", "gemini", "--experimental-acp", "-m", "gemini-3.8-flash"]]) {
    await editor.start(args, noGcloud);
    await editor.open();
    assert.equal((await editor.prompt("hi", [[{ text: "Hi." }]])).stopReason, "end_turn", args.join(" "));
  }
});
