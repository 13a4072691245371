// SPDX-License-Identifier: MIT
// The Claude Agent SDK drives the program, unchanged, and reads the sessions it leaves.
//
//     node agent_sdk_test.mjs BINARY NODE_MODULES
//
// Each test has a working directory of its own and runs alone, too (--test-name-pattern).

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { GeminiServer, call, texts } from "./support/gemini_server.mjs";

const [binary, modules] = process.argv.slice(2).map((path) => resolve(path));
const home = realpathSync(mkdtempSync(join(tmpdir(), "sdk-home-")));
// The SDK's own readers look here, too.
process.env.CLAUDE_CONFIG_DIR = join(home, ".claude");
const sdk = await import(pathToFileURL(join(modules, "@anthropic-ai/claude-agent-sdk/sdk.mjs")));

const gemini = new GeminiServer();
const { requests } = gemini;

before(() => gemini.start());
after(() => {
  gemini.stop();
  rmSync(home, { recursive: true, force: true, maxRetries: 20 });
});

class Scene {
  constructor() {
    this.cwd = realpathSync(mkdtempSync(join(tmpdir(), "sdk-work-")));
  }

  write(name, text) {
    writeFileSync(join(this.cwd, name), text);
  }

  read(name) {
    return readFileSync(join(this.cwd, name), "utf8");
  }

  query(prompt, options) {
    return sdk.query({
      prompt,
      options: {
        pathToClaudeCodeExecutable: binary,
        cwd: this.cwd,
        model: "gemini-3.8-flash",
        env: {
          HOME: home, PATH: process.env.PATH, CLAUDE_CONFIG_DIR: process.env.CLAUDE_CONFIG_DIR,
          GEMINI_API_KEY: "key", METADATA_SERVER_DETECTION: "none",
          GOOGLE_GEMINI_BASE_URL: gemini.url,
        },
        extraArgs: { auth: "api-key" },
        ...options,
      },
    });
  }

  async turn(prompt, answers, options = {}) {
    gemini.expect(answers);
    const messages = [];
    for await (const message of this.query(prompt, options)) messages.push(message);
    const result = messages.at(-1);
    assert.equal(result.type, "result");
    return { messages, result, id: messages.find((m) => m.subtype === "init").session_id };
  }

  // A session to go on with.
  async begun() {
    this.write("a.txt", "alpha\n");
    return await this.turn(
      "look at the file",
      [[{ text: "Looking. " }, call("Read", { file_path: "a.txt" })], [{ text: "It says alpha." }]]);
  }

  // A session that is worth a summary.
  async filled() {
    this.write("long.txt", "a line of some length, and more of it\n".repeat(400));
    return await this.turn("read the long file",
                           [[call("Read", { file_path: "long.txt" })], [{ text: "Read." }]]);
  }

  sessions() {
    return sdk.listSessions({ dir: this.cwd });
  }

  messages(id) {
    return sdk.getSessionMessages(id, { dir: this.cwd });
  }
}

function scenario(name, body) {
  test(name, async () => {
    const scene = new Scene();
    try {
      await body(scene);
    } finally {
      rmSync(scene.cwd, { recursive: true, force: true, maxRetries: 20 });
    }
  });
}

const uuids = (messages) =>
  messages.filter((m) => m.type === "assistant" || m.type === "user").map((m) => m.uuid);

scenario("a turn with a tool that the host allows", async (scene) => {
  scene.write("a.txt", "alpha\n");
  const asked = [];
  const { result } = await scene.turn(
    "change the file",
    [[{ text: "Looking. " }, call("Read", { file_path: "a.txt" })],
     [call("Edit", { file_path: "a.txt", old_string: "alpha", new_string: "beta" })],
     [{ text: "Changed." }]],
    { canUseTool: async (name, input) => (asked.push(name), { behavior: "allow", updatedInput: input }) });
  assert.equal(result.result, "Changed.");
  assert.deepEqual(asked, ["Edit"]);
  assert.equal(scene.read("a.txt"), "beta\n");
});

scenario("listSessions finds a session by its first prompt", async (scene) => {
  const { id } = await scene.begun();
  assert.deepEqual((await scene.sessions()).map((s) => [s.sessionId, s.firstPrompt, s.cwd]),
                   [[id, "look at the file", scene.cwd]]);
});

scenario("getSessionMessages returns every line the host saw, in order, under its uuid", async (scene) => {
  const { id, messages } = await scene.begun();
  const [prompt, ...rest] = await scene.messages(id);
  assert.deepEqual([prompt.type, prompt.message.content], ["user", "look at the file"]);
  assert.deepEqual(rest.map((m) => m.uuid), uuids(messages));
  const seen = messages.filter((m) => m.type === "assistant").map((m) => m.message.content);
  assert.deepEqual(rest.filter((m) => m.type === "assistant").map((m) => m.message.content), seen);
});

scenario("resume goes on with everything that was said", async (scene) => {
  const { id } = await scene.begun();
  const second = await scene.turn("and now?", [[{ text: "Still here." }]], { resume: id });
  assert.equal(second.id, id);
  const [request] = requests;
  assert.deepEqual(texts(request.contents),
                   ["look at the file", "Looking. ", "It says alpha.", "and now?"]);
  assert.equal(request.contents[1].parts.at(-1).thoughtSignature, "c2ln");
  const stored = await scene.messages(id);
  assert.deepEqual(stored.slice(-1).map((m) => m.uuid), uuids(second.messages).slice(-1));
});

scenario("continue takes this directory's newest session", async (scene) => {
  await scene.turn("an older one", [[{ text: "Old." }]]);
  const { id } = await scene.begun();
  const next = await scene.turn("go on", [[{ text: "Gone on." }]], { continue: true });
  assert.equal(next.id, id);
});

scenario("forkSession leaves the original alone", async (scene) => {
  const { id } = await scene.begun();
  const before = (await scene.messages(id)).length;
  const fork = await scene.turn("another way", [[{ text: "Another." }]],
                                { resume: id, forkSession: true });
  assert.notEqual(fork.id, id);
  assert.equal((await scene.messages(id)).length, before);
  assert.equal((await scene.messages(fork.id)).length, before + 2);
  assert.equal((await scene.sessions()).length, 2);
});

scenario("an unknown session is an error that hosts know", async (scene) => {
  const missing = "00000000-0000-4000-8000-000000000000";
  await assert.rejects(scene.turn("hi", [], { resume: missing }),
                       /No conversation found with session ID: 00000000-0000-4000-8000-000000000000/);
});

scenario("a compacted session is read back from its summary on", async (scene) => {
  const { id } = await scene.filled();
  const asked = [];
  const PreCompact = [{ hooks: [async (input) => (asked.push(input), { systemMessage: "saved" })], onFailure: "block" }];
  const compacted = await scene.turn("/compact the names", [[{ text: "GOAL: read the long file. DONE: read." }]],
                                     { resume: id, hooks: { PreCompact } });
  assert.deepEqual(asked.map((input) => [input.hook_event_name, input.trigger, input.custom_instructions, input.session_id]),
                   [["PreCompact", "manual", "the names", id]]);
  assert.ok(readFileSync(asked[0].transcript_path, "utf8").includes("read the long file"));
  assert.ok(compacted.messages.some((m) => m.subtype === "informational" && m.content === "saved"));
  assert.equal(compacted.result.num_turns, 0);
  assert.ok(compacted.messages.some((m) => m.subtype === "compact_boundary"));
  const next = await scene.turn("what was it?", [[{ text: "A long file." }]], { resume: id });
  assert.match(texts(requests[0].contents)[0], /GOAL: read the long file/);
  assert.ok(JSON.stringify(requests[0].contents).length < 3000, "the long file is gone");
  const stored = await scene.messages(id);
  assert.deepEqual(stored.slice(-1).map((m) => m.uuid), uuids(next.messages).slice(-1));
});

scenario("a hook of the host stops a compaction", async (scene) => {
  const { id } = await scene.filled();
  const PreCompact = [{ matcher: "manual", hooks: [async () => ({ decision: "block", reason: "not today" })] }];
  await assert.rejects(scene.turn("/compact", [], { resume: id, hooks: { PreCompact } }), /not today/);
  assert.equal(requests.length, 0);
});

// A hook of the SDK that answers with what `say` makes of its input, and remembers what it was asked.
function hook(say, matcher) {
  const asked = [];
  return { asked, groups: [{ matcher, hooks: [async (input) => (asked.push(input), say(input))] }] };
}

const writes = () => [[call("Write", { file_path: "new.txt", content: "one\n" })], [{ text: "Done." }]];
const resultText = (messages) =>
  messages.filter((m) => m.type === "user").map((m) => m.message.content[0].content).join("\n");

scenario("a PreToolUse hook denies a call", async (scene) => {
  const pre = hook(() => ({ hookSpecificOutput: {
    hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "not here" } }), "Write");
  const { messages, result } = await scene.turn("write", writes(),
    { permissionMode: "acceptEdits", hooks: { PreToolUse: pre.groups } });
  assert.equal(pre.asked[0].tool_name, "Write");
  assert.match(resultText(messages), /PreToolUse:Write hook error: not here/);
  assert.equal(result.permission_denials.length, 1);
});

scenario("a PreToolUse hook changes the input, a PostToolUse hook sees it", async (scene) => {
  const pre = hook(() => ({ hookSpecificOutput: {
    hookEventName: "PreToolUse", updatedInput: { file_path: "other.txt", content: "two\n" } } }));
  const post = hook(() => ({ hookSpecificOutput: {
    hookEventName: "PostToolUse", additionalContext: "well done" } }));
  await scene.turn("write", writes(), {
    permissionMode: "acceptEdits", hooks: { PreToolUse: pre.groups, PostToolUse: post.groups } });
  assert.equal(scene.read("other.txt"), "two\n");
  assert.equal(post.asked[0].tool_input.file_path, "other.txt");
  assert.equal(post.asked[0].tool_response.type, "create");
  assert.match(JSON.stringify(requests.at(-1)), /well done/);
});

scenario("a Stop hook sends the model on", async (scene) => {
  const stop = hook((input) => (input.stop_hook_active ? {} : { decision: "block", reason: "say more" }));
  const { result } = await scene.turn("go", [[{ text: "Short." }], [{ text: "Longer." }]],
                                      { hooks: { Stop: stop.groups } });
  assert.equal(result.result, "Longer.");
  assert.deepEqual(stop.asked.map((one) => one.stop_hook_active), [false, true]);
  assert.match(JSON.stringify(requests.at(-1)), /Stop hook feedback:\\nsay more/);
});

scenario("a UserPromptSubmit hook adds to the prompt or stops it", async (scene) => {
  const add = hook(() => ({ hookSpecificOutput: {
    hookEventName: "UserPromptSubmit", additionalContext: "it is Monday" } }));
  await scene.turn("which day?", [[{ text: "Monday." }]], { hooks: { UserPromptSubmit: add.groups } });
  assert.equal(add.asked[0].prompt, "which day?");
  assert.match(JSON.stringify(requests.at(-1)), /it is Monday/);
  const stop = hook(() => ({ decision: "block", reason: "not that" }));
  const { result } = await scene.turn("secret", [], { hooks: { UserPromptSubmit: stop.groups } });
  assert.match(result.result, /not that/);
  assert.equal(requests.length, 0);
});

scenario("setPermissionMode holds from the next call on", async (scene) => {
  gemini.expect(writes());
  async function* prompts() {
    yield { type: "user", message: { role: "user", content: "write" }, parent_tool_use_id: null };
    await ended;
  }
  let end;
  const ended = new Promise((resolve) => (end = resolve));
  const query = scene.query(prompts(), {});
  await query.setPermissionMode("acceptEdits");
  for await (const message of query) {
    if (message.type === "result") end();
  }
  assert.equal(scene.read("new.txt"), "one\n");
});
