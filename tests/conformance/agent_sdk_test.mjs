// SPDX-License-Identifier: MIT
// The Claude Agent SDK drives the program, unchanged, and reads the sessions it leaves.
//
//     node agent_sdk_test.mjs BINARY NODE_MODULES
//
// A scripted Gemini on loopback answers in order and keeps what it was sent.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const [binary, modules] = process.argv.slice(2).map((path) => resolve(path));
const home = realpathSync(mkdtempSync(join(tmpdir(), "sdk-home-")));
const cwd = realpathSync(mkdtempSync(join(tmpdir(), "sdk-work-")));
// The SDK's own readers look here, too.
process.env.CLAUDE_CONFIG_DIR = join(home, ".claude");
const sdk = await import(pathToFileURL(join(modules, "@anthropic-ai/claude-agent-sdk/sdk.mjs")));

const requests = [];
let script = [];
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    requests.push(JSON.parse(body));
    const parts = script.shift() ?? [{ text: "nothing is scripted" }];
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const [index, part] of parts.entries()) {
      const last = index === parts.length - 1;
      const event = {
        candidates: [{ content: { role: "model", parts: [part] }, ...(last && { finishReason: "STOP" }) }],
        usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
      };
      response.write(`data: ${JSON.stringify(event)}\r\n\r\n`);
    }
    response.end();
  });
});

before(() => new Promise((done) => server.listen(0, "127.0.0.1", done)));
after(() => {
  server.close();
  server.closeAllConnections();
  for (const folder of [home, cwd]) rmSync(folder, { recursive: true, force: true });
});

const call = (name, args) => ({ functionCall: { name, args }, thoughtSignature: "c2ln" });

async function turn(prompt, answers, options = {}) {
  script = answers;
  requests.length = 0;
  const messages = [];
  const query = sdk.query({
    prompt,
    options: {
      pathToClaudeCodeExecutable: binary,
      cwd,
      model: "gemini-3.8-flash",
      env: {
        HOME: home, PATH: process.env.PATH, CLAUDE_CONFIG_DIR: process.env.CLAUDE_CONFIG_DIR,
        GEMINI_API_KEY: "key", METADATA_SERVER_DETECTION: "none",
        GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${server.address().port}`,
      },
      extraArgs: { auth: "api-key" },
      ...options,
    },
  });
  for await (const message of query) messages.push(message);
  const result = messages.at(-1);
  assert.equal(result.type, "result");
  return { messages, result, id: messages.find((m) => m.subtype === "init").session_id };
}

const texts = (contents) => contents.flatMap((c) => c.parts.map((p) => p.text).filter(Boolean));
const uuids = (messages) =>
  messages.filter((m) => m.type === "assistant" || m.type === "user").map((m) => m.uuid);

let first;

test("a turn with a tool that the host allows", async () => {
  writeFileSync(join(cwd, "a.txt"), "alpha\n");
  const asked = [];
  first = await turn(
    "change the file",
    [[{ text: "Looking. " }, call("Read", { file_path: "a.txt" })],
     [call("Edit", { file_path: "a.txt", old_string: "alpha", new_string: "beta" })],
     [{ text: "Changed." }]],
    { canUseTool: async (name, input) => (asked.push(name), { behavior: "allow", updatedInput: input }) });
  assert.equal(first.result.result, "Changed.");
  assert.deepEqual(asked, ["Edit"]);
  assert.equal(readFileSync(join(cwd, "a.txt"), "utf8"), "beta\n");
});

test("listSessions finds it by its first prompt", async () => {
  const sessions = await sdk.listSessions({ dir: cwd });
  assert.deepEqual(sessions.map((s) => [s.sessionId, s.firstPrompt, s.cwd]),
                   [[first.id, "change the file", cwd]]);
});

test("getSessionMessages returns every line the host saw, in order, under its uuid", async () => {
  const stored = await sdk.getSessionMessages(first.id, { dir: cwd });
  const [prompt, ...rest] = stored;
  assert.deepEqual([prompt.type, prompt.message.content], ["user", "change the file"]);
  assert.deepEqual(rest.map((m) => m.uuid), uuids(first.messages));
  const seen = first.messages.filter((m) => m.type === "assistant").map((m) => m.message.content);
  assert.deepEqual(rest.filter((m) => m.type === "assistant").map((m) => m.message.content), seen);
});

test("resume goes on with everything that was said", async () => {
  const second = await turn("and now?", [[{ text: "Still here." }]], { resume: first.id });
  assert.equal(second.id, first.id);
  const [request] = requests;
  assert.deepEqual(texts(request.contents), ["change the file", "Looking. ", "Changed.", "and now?"]);
  assert.equal(request.contents[1].parts.at(-1).thoughtSignature, "c2ln");
  const stored = await sdk.getSessionMessages(first.id, { dir: cwd });
  assert.deepEqual(stored.slice(-1).map((m) => m.uuid), uuids(second.messages).slice(-1));
});

test("continue takes this directory's newest session", async () => {
  const third = await turn("go on", [[{ text: "Gone on." }]], { continue: true });
  assert.equal(third.id, first.id);
});

test("forkSession leaves the original alone", async () => {
  const before = (await sdk.getSessionMessages(first.id, { dir: cwd })).length;
  const fork = await turn("another way", [[{ text: "Another." }]],
                          { resume: first.id, forkSession: true });
  assert.notEqual(fork.id, first.id);
  assert.equal((await sdk.getSessionMessages(first.id, { dir: cwd })).length, before);
  assert.equal((await sdk.getSessionMessages(fork.id, { dir: cwd })).length, before + 2);
  assert.equal((await sdk.listSessions({ dir: cwd })).length, 2);
});

test("an unknown session is an error that hosts know", async () => {
  const missing = "00000000-0000-4000-8000-000000000000";
  await assert.rejects(turn("hi", [], { resume: missing }),
                       /No conversation found with session ID: 00000000-0000-4000-8000-000000000000/);
});

test("a compacted session is read back from its summary on", async () => {
  writeFileSync(join(cwd, "long.txt"), "a line of some length, and more of it\n".repeat(400));
  const filled = await turn("read the long file",
                            [[call("Read", { file_path: "long.txt" })], [{ text: "Read." }]]);
  const heard = [];
  const PreCompact = [{ hooks: [async (input) => (heard.push(input), { systemMessage: "saved" })], onFailure: "block" }];
  const compacted = await turn("/compact the names", [[{ text: "GOAL: read the long file. DONE: read." }]],
                               { resume: filled.id, hooks: { PreCompact } });
  assert.deepEqual(heard.map((input) => [input.hook_event_name, input.trigger, input.custom_instructions, input.session_id]),
                   [["PreCompact", "manual", "the names", filled.id]]);
  assert.ok(readFileSync(heard[0].transcript_path, "utf8").includes("read the long file"));
  assert.ok(compacted.messages.some((m) => m.subtype === "informational" && m.content === "saved"));
  assert.equal(compacted.result.num_turns, 0);
  assert.ok(compacted.messages.some((m) => m.subtype === "compact_boundary"));
  const next = await turn("what was it?", [[{ text: "A long file." }]], { resume: filled.id });
  assert.match(texts(requests[0].contents)[0], /GOAL: read the long file/);
  assert.ok(JSON.stringify(requests[0].contents).length < 3000, "the long file is gone");
  const stored = await sdk.getSessionMessages(filled.id, { dir: cwd });
  assert.deepEqual(stored.slice(-1).map((m) => m.uuid), uuids(next.messages).slice(-1));
});

test("a hook of the host stops a compaction", async () => {
  const filled = await turn("read the long file again",
                            [[call("Read", { file_path: "long.txt" })], [{ text: "Read." }]]);
  const PreCompact = [{ matcher: "manual", hooks: [async () => ({ decision: "block", reason: "not today" })] }];
  await assert.rejects(turn("/compact", [], { resume: filled.id, hooks: { PreCompact } }), /not today/);
  assert.equal(requests.length, 0);
});
