// SPDX-License-Identifier: MIT
// agent-cli-sdk's execute(), the real program and a scripted server.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { test } from "node:test";
import { execute } from "yume-cli";
import { Gate, call, text, thought } from "./support/gemini_server.mjs";
import { MODEL, scene, types } from "./support/scene.mjs";
import { NOT_ON_WINDOWS, STAND_IN, doing } from "./support/stand_in_path.mjs";

const { extractJson } = createRequire(import.meta.url)("../src/agent_cli/extract_json.js");

async function prepared(t) {
  const host = await scene(t);
  // An empty PATH has no gcloud whose login would have to be looked at first.
  const env = { ...host.env, PATH: host.home };
  return { host, options: { prompt: "go", workingDir: host.cwd, model: MODEL, env } };
}

test("messages, data and callbacks of a turn with a tool", async (t) => {
  const { host, options } = await prepared(t);
  host.write("a.txt", "alpha\n");
  host.server.expect(
    [thought("Hm."), text("Reading. "), call("Read", { file_path: "a.txt" })],
    [text("It says alpha.")],
  );
  const log = { events: [], closed: [], errors: [], stderr: [] };
  const result = await execute({
    ...options,
    onStart: (child) => (log.pid = child.pid),
    onEvent: (data) => log.events.push(data),
    onStdout: (data) => (log.stdout = data),
    onStderr: (chunk) => log.stderr.push(chunk),
    onError: (error) => log.errors.push(error),
    onClose: (code) => log.closed.push(code),
  });
  assert.deepEqual([result.success, result.exitCode, result.error], [true, 0, undefined]);
  assert.equal(result.data, "Reading. \nIt says alpha.");
  assert.ok(result.duration > 0);
  assert.equal(result.process.pid, log.pid);
  assert.match(result.sessionId, /^[0-9a-f-]{36}$/);
  assert.deepEqual(
    result.messages.map((message) => [
      message.role,
      message.tool,
      message.content.map((b) => b.type),
    ]),
    [
      ["assistant", "gemini", ["thinking"]],
      ["assistant", "gemini", ["text"]],
      ["assistant", "gemini", ["tool_use"]],
      ["user", "gemini", ["tool_result"]],
      ["assistant", "gemini", ["text"]],
    ],
  );
  const [, , use, answer, last] = result.messages;
  assert.equal(answer.content[0].tool_use_id, use.content[0].id);
  assert.deepEqual(
    [last.usage.inputTokens, last.usage.input_tokens, last.usage.totalTokens],
    [100, 100, 110],
  );
  assert.equal(last.id, last._original.uuid);
  assert.equal(Number.isInteger(last.timestamp), true);

  assert.equal(
    types(log.events.map(({ event }) => event)).join(),
    "system,assistant,assistant,assistant,user,assistant,result",
  );
  assert.deepEqual(log.events.map(({ message }) => message).filter(Boolean), result.messages);
  assert.deepEqual(
    log.events.map(({ raw }) => JSON.parse(raw)),
    log.stdout.events,
  );
  assert.equal(log.stdout.raw, log.events.map(({ raw }) => `${raw}\n`).join(""));
  assert.deepEqual([log.closed, log.errors, log.stderr], [[0], [], []]);
});

test("a session is begun under an id and resumed by it", async (t) => {
  const { host, options } = await prepared(t);
  host.server.expect([text("One.")], [text("Two.")], [text("Three.")]);
  const sessionId = randomUUID();
  assert.equal((await execute({ ...options, sessionId })).sessionId, sessionId);
  assert.equal(
    (await execute({ ...options, prompt: "more", sessionId, resume: true })).data,
    "Two.",
  );
  assert.deepEqual(host.server.lastTexts, ["go", "One.", "more"]);
  assert.equal(
    (await execute({ ...options, prompt: "last", continue: true })).sessionId,
    sessionId,
  );
});

test("json takes the value out of the answer", async (t) => {
  const { host, options } = await prepared(t);
  host.server.expect([text('Here:\n```json\n{"files":["a.ts"]}\n```\n')], [text("none")]);
  assert.deepEqual((await execute({ ...options, json: true })).data, { files: ["a.ts"] });
  assert.equal((await execute({ ...options, json: true })).data, "none");
});

test("JSON in an answer", () => {
  assert.deepEqual(extractJson(' {"a":1} '), { a: 1 });
  assert.deepEqual(extractJson('See [1]. The value: {"a":"}\\""} (done)'), [1]);
  assert.deepEqual(extractJson('Use [ here: {"a":"}\\""} ok'), { a: '}"' });
  assert.deepEqual(extractJson("```\nno\n```\n```json\n[1,\n2]\n```"), [1, 2]);
  assert.equal(extractJson("no value { at all"), undefined);
  assert.equal(extractJson("[".repeat(100_000)), undefined);
});

test("a failed turn resolves, with its reason", async (t) => {
  const { options } = await prepared(t);
  const result = await execute({ ...options, sessionId: randomUUID(), resume: true });
  assert.deepEqual([result.success, result.exitCode], [false, 1]);
  assert.match(result.error, /No conversation found with session ID/);
});

test("too late: the program is ended and the result says so", async (t) => {
  const { host, options } = await prepared(t);
  host.server.expect([thought("Hm."), new Gate()]);
  const errors = [];
  const result = await execute({
    ...options,
    timeout: 300,
    onError: (error) => errors.push(error),
  });
  assert.deepEqual([result.success, result.exitCode], [false, -1]);
  assert.equal(
    result.error,
    "the turn was stopped: it took longer than 300 ms. Raise `timeout`, or ask for less; the session can be resumed",
  );
  assert.deepEqual(
    errors.map((error) => error.code),
    ["YUME_TIMEOUT"],
  );
  await host.nothingLeft();
});

test("a callback that throws ends the turn with its error", async (t) => {
  const { host, options } = await prepared(t);
  host.server.expect([thought("Hm."), new Gate()]);
  const mine = new Error("mine");
  const onEvent = () => {
    throw mine;
  };
  await assert.rejects(execute({ ...options, onEvent }), mine);
  await host.nothingLeft();
});

test("images go with the prompt", async (t) => {
  const { host, options } = await prepared(t);
  const data =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  host.write("dot.PNG", Buffer.from(data, "base64"));
  host.server.expect([text("A dot.")]);
  assert.equal((await execute({ ...options, images: [{ path: "dot.PNG" }] })).data, "A dot.");
  const { parts } = host.server.requests[0].contents[0];
  assert.equal(parts.find((part) => part.inlineData)?.inlineData.data, data);
  for (const path of ["dot.txt", "missing.png"]) {
    await assert.rejects(execute({ ...options, images: [{ path }] }), {
      code: "YUME_BAD_ARGUMENT",
    });
  }
});

test("a tool that yume-cli cannot stand for", async (t) => {
  const { options } = await prepared(t);
  await assert.rejects(execute({ ...options, tool: "codex" }), {
    code: "YUME_BAD_ARGUMENT",
    message:
      'cannot execute a prompt for the tool "codex": yume-cli serves gemini, claude. Choose one of these, or leave `tool` out',
  });
});

test("a program that cannot be started", async (t) => {
  const { host, options } = await prepared(t);
  const errors = [];
  const binary = `${host.cwd}/nothing`;
  await assert.rejects(execute({ ...options, binary, onError: (error) => errors.push(error) }), {
    code: "YUME_NOT_STARTED",
    message: /there is no such file/,
  });
  assert.equal(errors.length, 1);
});

test("the options become a command line", { skip: NOT_ON_WINDOWS }, async () => {
  const argv = async (options) => {
    const env = doing(["argv"], ["result"]);
    let seen;
    await execute({
      prompt: "x",
      binary: STAND_IN,
      env,
      ...options,
      onEvent: ({ event }) => (seen ??= event.argv),
    });
    return seen.slice(6); // behind what asks for Claude's lines
  };
  assert.deepEqual(await argv({}), []);
  assert.deepEqual(
    await argv({
      permissionMode: "acceptEdits",
      systemPrompt: "s",
      appendSystemPrompt: "a",
      toolSettings: { allowedTools: ["Read"], disallowedTools: ["Bash"] },
      mcpConfig: ["one.json", "two.json"],
      resume: true,
    }),
    [
      "--permission-mode=acceptEdits",
      "--system-prompt=s",
      "--append-system-prompt=a",
      "--allowed-tools=Read",
      "--disallowed-tools=Bash",
      "--mcp-config=one.json",
      "--mcp-config=two.json",
      "--continue",
    ],
  );
  assert.deepEqual(await argv({ dangerouslySkipPermissions: true }), [
    "--permission-mode=bypassPermissions",
  ]);
});

test(
  "an end without a result is no success, whatever the exit code",
  { skip: NOT_ON_WINDOWS },
  async () => {
    const env = doing(["err", "out of luck"], ["exit", 0]);
    const result = await execute({ prompt: "x", binary: STAND_IN, env });
    assert.equal(result.success, false);
    assert.match(
      result.error,
      /ended with code 0 before the turn had a result: out of luck\. Try again/,
    );
  },
);
