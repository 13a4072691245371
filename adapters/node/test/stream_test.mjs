// SPDX-License-Identifier: MIT
// What may happen on stdout: bad lines, long lines, many lines, slow readers.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { ShimAdapter, readEvents } from "yume-cli";
import { text } from "./support/gemini_server.mjs";
import { until } from "./support/processes.mjs";
import { eventsOf, scene, types } from "./support/scene.mjs";
import { NOT_ON_WINDOWS, STAND_IN, doing } from "./support/stand_in_path.mjs";

const MANY = 100_000;
const PER_SECOND = 10_000;

function standIn(...steps) {
  return spawn(process.execPath, [STAND_IN], { env: { ...process.env, ...doing(...steps) } });
}

test("a bad line is an event, and the rest is read", async () => {
  const bad = 'not json\n[1]\nnull\n{"no":"type"}\n\n   \n{"type":"cut';
  const child = standIn(["out", `{"type":"a"}\n${bad}`]);
  const events = await eventsOf(readEvents(child.stdout));
  assert.deepEqual(types(events), ["a", ...Array(5).fill("adapter_error")]);
  assert.ok(events.slice(1).every((event) => event.subtype === "malformed_line"));
  assert.deepEqual(
    events.map((event) => event.start),
    [undefined, "not json", "[1]", "null", '{"no":"type"}', '{"type":"cut'],
  );
  assert.match(events[1].message, /was left out: .* If this happens again/);
});

test("a long line is an event, and the rest is read", async () => {
  const child = standIn(["out", `{"type":"a","x":"${"x".repeat(5000)}"}\n{"type":"b"}\n`]);
  const [long, next, ...more] = await eventsOf(readEvents(child.stdout, { maxLineBytes: 1000 }));
  assert.deepEqual(more, []);
  assert.equal(next.type, "b");
  assert.deepEqual([long.subtype, long.bytes], ["line_too_long", 5019]);
  assert.match(long.message, /5019 bytes, and at most 1000 are read\. Raise maxLineBytes/);
});

test("bytes that come one by one", async () => {
  const line = '{"type":"a","text":"w\u00f6rld \u{1f600}"}';
  const events = await eventsOf(readEvents(standIn(["slowly", `${line}\r\n${line}`]).stdout));
  assert.deepEqual(events, [JSON.parse(line), JSON.parse(line)]);
});

test("a reader who comes late, after the program has ended, gets everything", async () => {
  const child = standIn(["count", 1000], ["result"]);
  const events = readEvents(child.stdout);
  await new Promise((resolve) => child.once("exit", resolve));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal((await eventsOf(events)).length, 1001);
});

test("a slow reader stops the program, not the memory", async () => {
  const child = standIn(["count", 200_000, 200], ["result"]);
  const events = readEvents(child.stdout);
  assert.equal((await events.next()).value.number, 0);
  await until("the pipe is not read any more", () => child.stdout.isPaused());
  assert.ok(child.stdout.bytesRead < 1024 * 1024, `${child.stdout.bytesRead} bytes were read`);
  let number = 0;
  for await (const event of events) {
    number += 1;
    if (event.type === "result") break;
    assert.equal(event.number, number);
  }
  assert.equal(number, 200_000);
});

test("a few long lines are enough for a slow reader", async () => {
  const child = standIn(["count", 64, 1_000_000]);
  const events = readEvents(child.stdout);
  await events.next();
  await until("the pipe is not read any more", () => child.stdout.isPaused());
  assert.ok(child.stdout.bytesRead < 12_000_000, `${child.stdout.bytesRead} bytes were read`);
  assert.equal((await eventsOf(events)).length, 63);
});

for (const persistent of [false, true]) {
  const how = persistent ? "a session's process" : "a process per turn";
  test(`${how}: 10,000 events a second and more`, { skip: NOT_ON_WINDOWS }, async (t) => {
    const env = doing(["count", MANY, 200], ["result"], ...(persistent ? [["wait"]] : []));
    const adapter = new ShimAdapter({ binary: STAND_IN, env });
    const session = persistent ? adapter.session() : undefined;
    const turn = session?.send("go") ?? adapter.run("go");
    let number = 0;
    let started;
    for await (const event of turn) {
      started ??= performance.now();
      if (event.type !== "result") assert.equal(event.number, number++);
    }
    const rate = Math.round(MANY / ((performance.now() - started) / 1000));
    assert.equal(number, MANY);
    t.diagnostic(`${rate} events a second`);
    assert.ok(rate >= PER_SECOND, `${rate} events a second`);
    await session?.kill();
  });
}

test("many pieces of the real program, in order", async (t) => {
  const host = await scene(t);
  const pieces = Array.from({ length: 5000 }, (_, number) => text(`${number} `));
  host.server.expect(pieces);
  const context = { ...host.context, includePartialMessages: true };
  const started = performance.now();
  let answer = "";
  let events = 0;
  for await (const event of host.adapter().run("count", context)) {
    events += 1;
    const delta = event.type === "stream_event" ? event.event.delta : undefined;
    if (delta?.type === "text_delta") answer += delta.text;
  }
  t.diagnostic(`${Math.round(events / ((performance.now() - started) / 1000))} events a second`);
  assert.equal(answer, pieces.map((piece) => piece.text).join(""));
});
