// SPDX-License-Identifier: MIT
// ShimAdapter with a process per turn, the real program and a scripted server.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { Gate, call, text, thought } from "./support/gemini_server.mjs";
import { CAN_LOOK, processesOf, until } from "./support/processes.mjs";
import { eventsOf, scene, types } from "./support/scene.mjs";

const SHELL = { permissionMode: "bypassPermissions" };

test("three turns are one conversation", async (t) => {
  const host = await scene(t);
  host.server.expect([text("One.")], [text("Two.")], [text("Three.")]);
  const adapter = host.adapter();
  const first = adapter.run("first", host.context);
  assert.equal((await first.result()).result, "One.");
  for (const [prompt, answer] of [
    ["second", "Two."],
    ["third", "Three."],
  ]) {
    const turn = adapter.run(prompt, { ...host.context, resume: first.sessionId });
    assert.equal((await turn.result()).result, answer);
    assert.equal(turn.sessionId, first.sessionId);
    assert.deepEqual(await turn.exit, { code: 0, signal: null });
  }
  assert.deepEqual(host.server.lastTexts, ["first", "One.", "second", "Two.", "third"]);
});

test("a turn is its lines in order", async (t) => {
  const host = await scene(t);
  host.write("a.txt", "alpha\n");
  host.server.expect(
    [text("Reading. "), call("Read", { file_path: "a.txt" })],
    [text("It says alpha, w\u00f6rld \u{1f600}.")],
  );
  const sessionId = randomUUID();
  const turn = host.adapter().run("read a.txt", { ...host.context, sessionId });
  const events = await eventsOf(turn);
  assert.deepEqual(types(events), [
    "system",
    "assistant",
    "assistant",
    "user",
    "assistant",
    "result",
  ]);
  assert.ok(events.every((event) => event.session_id === sessionId));
  assert.equal(events[5].result, "It says alpha, w\u00f6rld \u{1f600}.");
  assert.equal(await turn.result(), events[5], "the result can be asked for afterwards");
});

test("an interrupt ends the turn with its result, and the session goes on", async (t) => {
  const host = await scene(t);
  const adapter = host.adapter();
  host.server.expect([thought("Hm."), text("One two"), new Gate()], [text("Back.")]);
  const turn = adapter.run("count", host.context);
  let result;
  for await (const event of turn) {
    if (event.type === "assistant" && !event.aborted) await turn.interrupt();
    if (event.type === "result") result = event;
  }
  assert.equal(result.terminal_reason, "aborted_streaming");
  const next = adapter.run("again", { ...host.context, resume: turn.sessionId });
  assert.equal((await next.result()).result, "Back.");
  assert.equal(next.sessionId, turn.sessionId);
});

test("kill ends the program with its tools, and the session can be resumed", async (t) => {
  const host = await scene(t);
  const adapter = host.adapter();
  const command = "sleep 1000 & setsid sleep 1000 & echo started > started; wait";
  host.server.expect([call("Bash", { command })], [text("Still here.")]);
  const turn = adapter.run("wait", { ...host.context, ...SHELL });
  const reading = eventsOf(turn);
  await until("the command runs", () => exists(() => host.read("started")));
  if (CAN_LOOK) assert.ok(processesOf(host.home).length > 1);
  await turn.kill();
  await host.nothingLeft();
  assert.deepEqual(types(await reading), ["system", "assistant"]);
  assert.deepEqual(await turn.exit, { code: null, signal: "SIGKILL" });
  await assert.rejects(turn.result(), { code: "YUME_NO_RESULT", message: /SIGKILL.*resumed/s });
  const next = adapter.run("and now?", { ...host.context, resume: turn.sessionId });
  assert.equal((await next.result()).result, "Still here.");
  assert.ok(host.server.lastTexts.includes("wait"));
});

test("leaving the loop stops the turn", async (t) => {
  const host = await scene(t);
  host.server.expect([thought("Hm."), text("One"), new Gate()]);
  for await (const event of host.adapter().run("count", host.context)) {
    if (event.type === "assistant") break;
  }
  await host.nothingLeft();
});

test("spawn gives a server what it reads from Claude Code", async (t) => {
  const host = await scene(t);
  host.server.expect([text("Hello.")]);
  const adapter = host.adapter();
  const child = adapter.spawn("hi", { ...host.context, env: { CLAUDE_INSTANCE: "1" } });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const closed = once(child, "close");
  const events = [];
  for await (const line of createInterface(child.stdout)) events.push(adapter.parseOutput(line));
  assert.deepEqual(types(events), ["system", "assistant", "result"]);
  assert.deepEqual(await closed, [0, null]);
  assert.equal(stderr, "");
});

test("a prompt may be blocks", async (t) => {
  const host = await scene(t);
  host.server.expect([text("A dot.")]);
  const data =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const turn = host.adapter().run(
    [
      { type: "text", text: "what is this?" },
      { type: "image", source: { type: "base64", media_type: "image/png", data } },
    ],
    host.context,
  );
  assert.equal((await turn.result()).result, "A dot.");
  const { parts } = host.server.requests[0].contents[0];
  assert.equal(parts.find((part) => part.inlineData)?.inlineData.data, data);
});

test("a prompt longer than a command line may be", async (t) => {
  const host = await scene(t);
  host.server.expect([text("Long.")]);
  const prompt = `- ${"x".repeat(300_000)}`;
  assert.equal((await host.adapter().run(prompt, host.context).result()).result, "Long.");
  assert.deepEqual(host.server.lastTexts, [prompt]);
});

test("an unknown session is a result that says so", async (t) => {
  const host = await scene(t);
  const resume = randomUUID();
  const result = await host
    .adapter()
    .run("hi", { ...host.context, resume })
    .result();
  assert.equal(result.is_error, true);
  assert.match(
    JSON.stringify(result),
    new RegExp(`No conversation found with session ID: ${resume}`),
  );
});

test("a program that cannot be started is an error that says why", async (t) => {
  const host = await scene(t);
  host.write("not-a-program", "\0");
  const adapter = host.adapter({ binary: `${host.cwd}/not-a-program` });
  await assert.rejects(adapter.run("hi", host.context).result(), {
    code: "YUME_NOT_STARTED",
    message: /cannot start .*not-a-program: it may not be executed\. Set YUME_CLI_BINARY/,
  });
  await assert.rejects(eventsOf(adapter.run("hi", host.context)), { code: "YUME_NOT_STARTED" });
  const missing = { ...host.context, cwd: `${host.cwd}/nowhere` };
  assert.throws(() => host.adapter().run("hi", missing), {
    code: "YUME_BAD_ARGUMENT",
    message: /nowhere: there is no such directory/,
  });
});

function exists(read) {
  try {
    return read() !== "";
  } catch {
    return false;
  }
}
