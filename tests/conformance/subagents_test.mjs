// SPDX-License-Identifier: MIT
// Subagents as hosts of the Claude Agent SDK see them.
//
//     node subagents_test.mjs BINARY NODE_MODULES

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { call } from "./support/gemini_server.mjs";
import { Gate, TaskServer } from "./support/task_server.mjs";

const [binary, modules] = process.argv.slice(2).map((path) => resolve(path));
const home = realpathSync(mkdtempSync(join(tmpdir(), "agents-home-")));
process.env.CLAUDE_CONFIG_DIR = join(home, ".claude");
const sdk = await import(pathToFileURL(join(modules, "@anthropic-ai/claude-agent-sdk/sdk.mjs")));

const gemini = new TaskServer();
before(() => gemini.start());
after(() => {
  gemini.stop();
  rmSync(home, { recursive: true, force: true, maxRetries: 20 });
});

const agent = (prompt, more = {}) =>
  call("Agent", { description: `Do ${prompt}`, prompt, ...more });
const say = (text) => [{ text }];

class Scene {
  constructor() {
    this.cwd = realpathSync(mkdtempSync(join(tmpdir(), "agents-work-")));
  }

  write(name, text) {
    mkdirSync(join(this.cwd, name, ".."), { recursive: true });
    writeFileSync(join(this.cwd, name), text);
  }

  query(prompt, options = {}) {
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
        ...options,
        extraArgs: { auth: "api-key", ...options.extraArgs },
      },
    });
  }

  async turn(prompt, options = {}) {
    const messages = [];
    for await (const message of this.query(prompt, options)) messages.push(message);
    const result = messages.at(-1);
    assert.equal(result.type, "result");
    return { messages, result, id: messages.find((m) => m.subtype === "init").session_id };
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

const blocks = (message) => (Array.isArray(message.message?.content) ? message.message.content : []);
const uses = (messages) => messages.flatMap((m) => blocks(m).filter((b) => b.type === "tool_use"));
const results = (messages) => messages.flatMap((m) => blocks(m).filter((b) => b.type === "tool_result"));
const ofTask = (messages, subtype) =>
  messages.filter((m) => m.type === "system" && m.subtype === subtype);

function assertPaired(messages) {
  assert.deepEqual(results(messages).map((b) => b.tool_use_id).sort(),
                   uses(messages).map((b) => b.id).sort());
}

// Prompts that are sent when the test wants it.
class Prompts {
  #waiting = [];
  #wake = () => {};

  send(text) {
    this.#waiting.push({ type: "user", message: { role: "user", content: text },
                         parent_tool_use_id: null });
    this.#wake();
  }

  end() {
    this.ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.#waiting.length > 0) yield this.#waiting.shift();
      if (this.ended) return;
      await new Promise((wake) => (this.#wake = wake));
    }
  }
}

scenario("three subagents of one reply work side by side", async (scene) => {
  for (const name of ["one", "two", "three"]) scene.write(`${name}.txt`, name);
  const gate = new Gate(3);
  const look = (name) => async () => {
    await gate.pass();
    return [{ text: "I look." }, call("Read", { file_path: `${name}.txt` })];
  };
  gemini.expect({
    "task one": [look("one"), say("One is one.")],
    "task two": [look("two"), say("Two is two.")],
    "task three": [look("three"), say("Three is three.")],
    "look at all": [[agent("task one"), agent("task two"), agent("task three")], say("All read.")],
  });
  const { messages, result, id } = await scene.turn("look at all three");
  assert.equal(result.result, "All read.");
  assert.equal(gemini.mostWorking, 3);
  assertPaired(messages);

  const tasks = uses(messages.filter((m) => m.parent_tool_use_id === null));
  assert.deepEqual(tasks.map((b) => b.name), ["Agent", "Agent", "Agent"]);
  for (const task of tasks) {
    const lines = messages.filter((m) => m.parent_tool_use_id === task.id);
    assert.deepEqual(lines.map((m) => m.type), ["assistant", "user"]);
    assert.equal(lines[0].subagent_type, "general-purpose");
    assert.equal(lines[1].tool_use_result, undefined);
  }
  const reports = messages.filter((m) => m.tool_use_result?.status === "completed");
  assert.deepEqual(reports.map((m) => m.tool_use_result.content[0].text),
                   ["One is one.", "Two is two.", "Three is three."]);
  assert.equal(reports[0].tool_use_result.totalToolUseCount, 1);
  assert.equal(ofTask(messages, "task_started").length, 3);
  assert.equal(ofTask(messages, "task_notification").every((m) => m.status === "completed"), true);

  // Two requests of the parent, two of each subagent.
  assert.equal(result.usage.input_tokens, 200);
  assert.equal(result.modelUsage["gemini-3.8-flash"].inputTokens, 800);

  const transcripts = await sdk.listSubagents(id, { dir: scene.cwd });
  assert.deepEqual([...transcripts].sort(), ofTask(messages, "task_started").map((m) => m.task_id).sort());
  const told = await sdk.getSubagentMessages(id, transcripts[0], { dir: scene.cwd });
  assert.deepEqual(told.map((m) => m.type), ["user", "assistant", "assistant", "user", "assistant"]);
  // The parent's own conversation has none of it.
  const own = await sdk.getSessionMessages(id, { dir: scene.cwd });
  assert.equal(JSON.stringify(own).includes("I look."), false);
});

scenario("agents of the host have their prompt and no other tools", async (scene) => {
  gemini.expect({
    "count the words": [say("Seven words.")],
    "have it counted": [[agent("count the words", { subagent_type: "counter" })], say("Seven.")],
  });
  const { messages } = await scene.turn("have it counted", {
    agents: {
      counter: { description: "Counts words", prompt: "You count words.", tools: ["Read", "Grep"] },
    },
  });
  assert.ok(messages.find((m) => m.subtype === "init").agents.includes("counter"));
  const [request] = gemini.of("count the words");
  assert.deepEqual(request.tools[0].functionDeclarations.map((f) => f.name).sort(), ["Grep", "Read"]);
  assert.match(request.systemInstruction.parts[0].text, /^You count words\./);
  const [parents] = gemini.of("have it counted");
  assert.match(JSON.stringify(parents.tools), /counter: Counts words \(Tools: Read, Grep\)/);
});

scenario("the host is asked about a subagent's call and knows whose it is", async (scene) => {
  gemini.expect({
    "write it": [[call("Write", { file_path: "a.txt", content: "a" })], say("Not allowed.")],
    "have it written": [[agent("write it")], say("It could not.")],
  });
  const asked = [];
  const { messages, result } = await scene.turn("have it written", {
    canUseTool: async (name, _input, { agentID }) => {
      asked.push([name, agentID]);
      return { behavior: "deny", message: "not today" };
    },
  });
  assert.deepEqual(asked, [["Write", ofTask(messages, "task_started")[0].task_id]]);
  assert.equal(result.result, "It could not.");
  assertPaired(messages);
});

scenario("an interrupt ends all subagents, and the next turn works", async (scene) => {
  const gate = new Gate(4); // three subagents and the test
  const wait = async () => {
    await gate.pass();
    await new Promise(() => {}); // for good
  };
  const bash = [call("Bash", { command: "sleep 1000" })];
  gemini.expect({
    "task one": [wait], "task two": [wait],
    "task three": [async () => { await gate.pass(); return bash; }],
    "begin": [[agent("task one"), agent("task two"), agent("task three")], say("Going on.")],
  });
  const prompts = new Prompts();
  const query = scene.query(prompts, { permissionMode: "bypassPermissions",
                                       allowDangerouslySkipPermissions: true });
  prompts.send("begin");
  const messages = [];
  for await (const message of query) {
    messages.push(message);
    const sleeps = uses([message]).some((b) => b.name === "Bash");
    if (ofTask(messages, "task_started").length === 3 && message.subtype === "task_started") {
      gate.pass();
    }
    if (sleeps) await query.interrupt();
    if (message.type !== "result") continue;
    if (messages.filter((m) => m.type === "result").length === 2) break;
    assert.equal(message.subtype, "error_during_execution");
    assertPaired(messages);
    prompts.send("and now");
  }
  prompts.end();
  const [first, second] = messages.filter((m) => m.type === "result");
  assert.equal(first.terminal_reason, "aborted_tools");
  assert.equal(second.result, "Going on.");
  assert.deepEqual(ofTask(messages, "task_notification").map((m) => m.status),
                   ["stopped", "stopped", "stopped"]);
});

scenario("hooks of the host see subagents begin, call and end", async (scene) => {
  scene.write("a.txt", "alpha");
  gemini.expect({
    "read it": [[call("Read", { file_path: "a.txt" })], say("Alpha."), say("Alpha, really.")],
    "have it read": [[agent("read it", { subagent_type: "Explore" })], say("Alpha.")],
  });
  const seen = [];
  const note = async (input) => {
    seen.push([input.hook_event_name, input.agent_type, Boolean(input.agent_id)]);
    const again = input.hook_event_name === "SubagentStop" && !input.stop_hook_active;
    if (again) assert.ok(input.agent_transcript_path.endsWith(`agent-${input.agent_id}.jsonl`));
    return again ? { decision: "block", reason: "are you sure?" } : {};
  };
  const hooks = Object.fromEntries(
    ["SubagentStart", "PreToolUse", "SubagentStop"].map((event) => [event, [{ hooks: [note] }]]));
  const { messages } = await scene.turn("have it read", { hooks });
  assert.deepEqual(seen, [["PreToolUse", undefined, false], ["SubagentStart", "Explore", true],
                          ["PreToolUse", "Explore", true], ["SubagentStop", "Explore", true],
                          ["SubagentStop", "Explore", true]]);
  assert.equal(messages.find((m) => m.tool_use_result?.agentId).tool_use_result.content[0].text,
               "Alpha, really.");
});

scenario("the project's agents count where it is trusted, and a person's own everywhere", async (scene) => {
  mkdirSync(join(home, ".claude/agents"), { recursive: true });
  writeFileSync(join(home, ".claude/agents/mine.md"),
                "---\nname: mine\ndescription: Mine\ntools: Read\n---\nYou are mine.\n");
  scene.write(".claude/agents/theirs.md", "---\nname: theirs\ndescription: Theirs\n---\nTheirs.\n");
  const agentsWith = async (extraArgs) => {
    gemini.expect({ hello: [say("hi")] });
    const { messages } = await scene.turn("hello", { settingSources: ["user", "project"], extraArgs });
    return messages.find((m) => m.subtype === "init").agents;
  };
  assert.deepEqual(await agentsWith({}), ["general-purpose", "Explore", "Plan", "mine"]);
  assert.deepEqual(await agentsWith({ "trust-workspace": null }),
                   ["general-purpose", "Explore", "Plan", "mine", "theirs"]);
  rmSync(join(home, ".claude/agents"), { recursive: true });
});

scenario("a subagent in the background reports in a turn of its own", async (scene) => {
  const gate = new Gate(2);
  gemini.expect({
    "long task": [async () => { await gate.pass(); return say("Found it."); }],
    "begin": [[agent("long task", { run_in_background: true })], say("It works."), say("It is found.")],
  });
  const prompts = new Prompts();
  prompts.send("begin");
  const messages = [];
  for await (const message of scene.query(prompts)) {
    messages.push(message);
    if (message.type !== "result") continue;
    if (messages.filter((m) => m.type === "result").length === 2) break;
    gate.pass(); // the turn is over, and the subagent still works
  }
  prompts.end();
  const [first, second] = messages.filter((m) => m.type === "result");
  assert.deepEqual([first.result, second.result], ["It works.", "It is found."]);
  const launched = messages.find((m) => m.tool_use_result?.isAsync).tool_use_result;
  assert.equal(launched.status, "async_launched");
  const [notice] = ofTask(messages, "task_notification");
  assert.deepEqual([notice.task_id, notice.status], [launched.agentId, "completed"]);
  assert.match(JSON.stringify(gemini.of("begin").at(-1).contents.at(-1)), /<result>Found it\.<\/result>/);
});

scenario("a program with one prompt waits for what works in the background", async (scene) => {
  const gate = new Gate(2);
  gemini.expect({
    "long task": [async () => { await gate.pass(); return say("Found it."); }],
    "begin": [[agent("long task", { run_in_background: true })],
              async () => { gate.pass(); return say("It works."); }, say("It is found.")],
  });
  const { messages } = await scene.turn("begin");
  assert.equal(messages.filter((m) => m.type === "result").at(-1).result, "It is found.");
});

scenario("the model waits for a subagent and stops another, the host a third", async (scene) => {
  const forGood = () => new Promise(() => {});
  const idOf = (request) =>
    JSON.stringify(request.contents.at(-1)).match(/agentId: (a[0-9a-f]{16})/)[1];
  gemini.expect({
    "short task": [say("Short.")],
    "second task": [forGood], "third task": [forGood],
    "begin": [
      [agent("short task", { run_in_background: true })],
      (request) => [call("TaskOutput", { task_id: idOf(request), block: true, timeout: 60000 })],
      [agent("second task", { run_in_background: true })],
      (request) => [call("TaskStop", { task_id: idOf(request) })],
      [agent("third task")],
      say("All ended."),
    ],
  });
  const query = scene.query("begin");
  const messages = [];
  for await (const message of query) {
    messages.push(message);
    if (message.subtype === "task_started" && message.prompt === "third task") {
      await query.stopTask(message.task_id);
    }
  }
  assert.equal(messages.at(-1).result, "All ended.");
  assertPaired(messages);
  const texts = results(messages).map((b) => JSON.stringify(b.content));
  assert.match(texts[1], /<status>completed<\/status>.*<output>.*Short\./);
  assert.match(texts[3], /Successfully stopped task/);
  assert.match(texts[4], /was stopped/);
  assert.deepEqual(ofTask(messages, "task_notification").map((m) => m.status),
                   ["completed", "stopped", "stopped"]);
});
