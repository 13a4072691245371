// SPDX-License-Identifier: MIT
// Sessions whose process is kept between turns, the real program and a scripted server.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { Gate, text, thought } from "./support/gemini_server.mjs";
import { isAlive, until } from "./support/processes.mjs";
import { eventsOf, scene, types } from "./support/scene.mjs";

const PERSISTENT = { persistent: true };

test("three turns in one warm process", async (t) => {
  const host = await scene(t);
  const adapter = host.adapter(PERSISTENT);
  host.server.expect([text("One.")], [text("Two.")], [text("Three.")]);
  const session = adapter.session(host.context);
  const { pid } = session;
  assert.ok(pid > 0, "it is warm before the first prompt");
  for (const [prompt, answer] of [
    ["first", "One."],
    ["second", "Two."],
    ["third", "Three."],
  ]) {
    const events = await eventsOf(session.send(prompt));
    assert.deepEqual(types(events), ["system", "assistant", "result"]);
    assert.equal(events[2].result, answer);
    assert.equal(session.pid, pid);
  }
  assert.deepEqual(host.server.lastTexts, ["first", "One.", "second", "Two.", "third"]);
});

test("the adapter finds a session's process by its id", async (t) => {
  const host = await scene(t);
  const adapter = host.adapter(PERSISTENT);
  host.server.expect([text("One.")], [text("Other.")], [text("Two.")]);
  const first = adapter.run("first", host.context);
  await first.result();
  const other = adapter.run("other", host.context);
  await other.result();
  assert.notEqual(other.sessionId, first.sessionId);
  const again = { ...host.context, resume: first.sessionId };
  const { pid } = adapter.session(again);
  await adapter.run("second", again).result();
  assert.equal(adapter.session(again).pid, pid);
  assert.deepEqual(host.server.lastTexts, ["first", "One.", "second"]);
});

test("a process that was warmed for a session is the one that its turns run in", async (t) => {
  const host = await scene(t);
  const adapter = host.adapter(PERSISTENT);
  const sessionId = randomUUID();
  host.server.expect([text("One.")], [text("Two.")], [text("Three.")]);
  const begun = adapter.session({ ...host.context, sessionId });
  const { pid } = begun;
  for (const name of [{ sessionId }, { sessionId }, { resume: sessionId }]) {
    const session = adapter.session({ ...host.context, ...name });
    assert.equal(session, begun);
    await adapter.run("go", { ...host.context, ...name }).result();
    assert.equal(session.pid, pid);
  }
  await adapter.close();
  const resume = { ...host.context, resume: sessionId };
  const again = adapter.session(resume);
  assert.notEqual(again.pid, pid);
  assert.equal(adapter.session(resume), again, "also before it has said its id");
});

test("an interrupt ends the turn and keeps the process", async (t) => {
  const host = await scene(t);
  const session = host.adapter(PERSISTENT).session(host.context);
  const { pid } = session;
  host.server.expect([thought("Hm."), text("One two"), new Gate()], [text("Back.")]);
  const turn = session.send("count");
  let result;
  for await (const event of turn) {
    if (event.type === "assistant" && !event.aborted) await turn.interrupt();
    if (event.type === "result") result = event;
  }
  assert.equal(result.terminal_reason, "aborted_streaming");
  assert.deepEqual(await turn.exit, { code: 0, signal: null });
  assert.equal((await session.send("again").result()).result, "Back.");
  assert.equal(session.pid, pid);
  await session.interrupt(); // of nothing
});

test("leaving the loop interrupts the turn", async (t) => {
  const host = await scene(t);
  const session = host.adapter(PERSISTENT).session(host.context);
  host.server.expect([thought("Hm."), text("One two"), new Gate()], [text("Back.")]);
  for await (const event of session.send("count")) if (event.type === "assistant") break;
  assert.equal(session.busy, false);
  assert.equal((await session.send("again").result()).result, "Back.");
});

test("after a kill the next prompt goes on in a new process", async (t) => {
  const host = await scene(t);
  const session = host.adapter(PERSISTENT).session(host.context);
  const { pid } = session;
  const gate = new Gate();
  host.server.expect([thought("Hm."), gate], [text("Back.")]);
  const turn = session.send("wait");
  const events = turn[Symbol.asyncIterator]();
  assert.equal((await events.next()).value.subtype, "init");
  await gate.reached;
  await turn.kill();
  await assert.rejects(turn.result(), { code: "YUME_NO_RESULT", message: /SIGKILL/ });
  const { id } = session;
  assert.equal((await session.send("and now?").result()).result, "Back.");
  assert.equal(session.id, id);
  assert.notEqual(session.pid, pid);
  assert.ok(host.server.lastTexts.includes("wait"));
});

test("a kill before the first line leaves a session that works", async (t) => {
  const host = await scene(t);
  const session = host.adapter(PERSISTENT).session(host.context);
  const turn = session.send("wait");
  await turn.kill();
  await assert.rejects(turn.result(), { code: "YUME_NO_RESULT" });
  host.server.script = [[text("Works.")]];
  assert.equal((await session.send("and now?").result()).result, "Works.");
});

test("a process that dies between two turns is started again", async (t) => {
  const host = await scene(t);
  const session = host.adapter(PERSISTENT).session(host.context);
  host.server.expect([text("One.")], [text("Two.")]);
  await session.send("first").result();
  const { pid } = session;
  process.kill(pid, "SIGKILL");
  await until("it is noticed", () => session.pid === undefined);
  assert.equal((await session.send("second").result()).result, "Two.");
  assert.deepEqual(host.server.lastTexts, ["first", "One.", "second"]);
});

test("one turn at a time", async (t) => {
  const host = await scene(t);
  const session = host.adapter(PERSISTENT).session(host.context);
  const gate = new Gate();
  host.server.expect([gate, text("One.")]);
  const turn = session.send("first");
  assert.throws(() => session.send("second"), { code: "YUME_BUSY", message: /interrupt\(\)/ });
  gate.open();
  await turn.result();
});

test("a closed session can go on, and waits for the end of its old process", async (t) => {
  const host = await scene(t);
  const session = host.adapter(PERSISTENT).session(host.context);
  const { pid } = session;
  const gate = new Gate();
  host.server.expect([gate, text("One.")], [text("Two.")]);
  const first = session.send("first");
  void session.close();
  gate.open();
  assert.equal((await first.result()).result, "One.", "a turn that runs is not cut");
  const second = session.send("second");
  assert.equal((await second.result()).result, "Two.");
  assert.notEqual(session.pid, pid);
  assert.deepEqual(host.server.lastTexts, ["first", "One.", "second"]);
  void session.close();
  const third = session.send("third");
  await third.kill();
  await assert.rejects(third.result(), { message: /killed before its prompt was sent/ });
});

test("a session that is closing can be interrupted", async (t) => {
  const host = await scene(t);
  const session = host.adapter(PERSISTENT).session(host.context);
  const gate = new Gate();
  host.server.expect([thought("Hm."), text("One"), gate]);
  const turn = session.send("first");
  const closing = session.close();
  await gate.reached;
  await turn.interrupt();
  assert.equal((await turn.result()).terminal_reason, "aborted_streaming");
  await closing;
  assert.equal(session.pid, undefined);
});

test("another model means another process of the same conversation", async (t) => {
  const host = await scene(t);
  const adapter = host.adapter(PERSISTENT);
  host.server.expect([text("One.")], [text("Two.")]);
  const first = adapter.run("first", host.context);
  await first.result();
  const other = { ...host.context, resume: first.sessionId, model: "gemini-3.8-pro" };
  const events = await eventsOf(adapter.run("second", other));
  assert.equal(events[0].model, "gemini-3.8-pro");
  assert.equal(events[0].session_id, first.sessionId);
  assert.deepEqual(host.server.lastTexts, ["first", "One.", "second"]);
});

test("an idle process ends after a while", async (t) => {
  const host = await scene(t);
  const adapter = host.adapter({ ...PERSISTENT, idleTimeoutMs: 1 });
  host.server.expect([text("One.")], [text("Two.")]);
  const session = adapter.session(host.context);
  await session.send("first").result();
  await until("the process ends", () => session.pid === undefined);
  assert.equal((await session.send("second").result()).result, "Two.");
});

test("spawn looks like a process per turn, and the process stays", async (t) => {
  const host = await scene(t);
  const adapter = host.adapter(PERSISTENT);
  host.server.expect([text("One.")], [thought("Hm."), text("Two"), new Gate()], [text("Three.")]);
  const first = await linesOf(adapter, adapter.spawn("first", host.context));
  assert.deepEqual(types(first.events), ["system", "assistant", "result"]);
  assert.deepEqual(first.closed, [0, null]);

  const context = { ...host.context, resume: first.events[0].session_id };
  const child = adapter.spawn("second", context);
  assert.equal(child.pid, first.pid);
  const second = await linesOf(adapter, child, () => child.kill("SIGINT"));
  assert.equal(second.events.at(-1).terminal_reason, "aborted_streaming");
  assert.deepEqual(second.closed, [0, null]);

  const third = await linesOf(adapter, adapter.spawn("third", context));
  assert.equal(third.events.at(-1).result, "Three.");
  assert.equal(third.pid, first.pid);
});

test("a signal to the process of a spawned turn ends that, and the next goes on", async (t) => {
  const host = await scene(t);
  const adapter = host.adapter(PERSISTENT);
  const gate = new Gate();
  host.server.expect([text("One.")], [thought("Hm."), gate], [text("Three.")]);
  const first = await linesOf(adapter, adapter.spawn("first", host.context));
  const context = { ...host.context, resume: first.events[0].session_id };
  const child = adapter.spawn("second", context);
  const reading = linesOf(adapter, child);
  await gate.reached;
  process.kill(-child.pid, "SIGKILL"); // as Yume's server does
  const second = await reading;
  assert.deepEqual(second.closed, [null, "SIGKILL"]);
  const third = await linesOf(adapter, adapter.spawn("third", context));
  assert.equal(third.events.at(-1).result, "Three.");
  assert.equal(isAlive(child.pid), false);
});

test("a spawned turn whose program cannot be started", async (t) => {
  const host = await scene(t);
  const adapter = host.adapter({ ...PERSISTENT, binary: `${host.cwd}/nothing` });
  const child = adapter.spawn("hi", host.context);
  const error = once(child, "error");
  child.stdout.resume();
  assert.equal((await error)[0].code, "YUME_NOT_STARTED");
  const unheard = adapter.spawn("hi", host.context);
  unheard.stdout.resume();
  // Not once(), which would listen to errors as well.
  const closed = new Promise((resolve) => unheard.on("close", (...end) => resolve(end)));
  assert.deepEqual(await closed, [null, null]);
});

// Reads a process as a server does.
async function linesOf(adapter, child, onAssistant = () => {}) {
  const closed = once(child, "close");
  const events = [];
  for await (const line of createInterface(child.stdout)) {
    events.push(adapter.parseOutput(line));
    if (events.at(-1).type === "assistant") onAssistant();
  }
  return { events, pid: child.pid, closed: await closed };
}
