// SPDX-License-Identifier: MIT
// MCP through the Claude Agent SDK, unchanged: tools inside the host's own process, servers that are
// set while a session runs, and their status.
//
//     node sdk_mcp_test.mjs BINARY NODE_MODULES

import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { GeminiServer, call } from "./support/gemini_server.mjs";

const [binary, modules] = process.argv.slice(2).map((path) => resolve(path));
const scripted = join(dirname(fileURLToPath(import.meta.url)), "../support/mcp_server.py");
const home = realpathSync(mkdtempSync(join(tmpdir(), "sdk-mcp-")));
const load = (name) => import(pathToFileURL(join(modules, name)));
const sdk = await load("@anthropic-ai/claude-agent-sdk/sdk.mjs");
const { z } = await load("zod/index.js");

const gemini = new GeminiServer();

before(() => gemini.start());
after(() => {
  gemini.stop();
  rmSync(home, { recursive: true, force: true, maxRetries: 20 });
});

const options = (more) => ({
  pathToClaudeCodeExecutable: binary,
  cwd: home,
  model: "gemini-3.8-flash",
  env: {
    HOME: home, PATH: process.env.PATH, GEMINI_API_KEY: "key",
    METADATA_SERVER_DETECTION: "none", GOOGLE_GEMINI_BASE_URL: gemini.url,
  },
  extraArgs: { auth: "api-key" },
  ...more,
});

const done = [{ text: "Done." }];
const python = (mode) => ({ type: "stdio", command: "python3", args: [scripted, mode] });

function calculator(seen = []) {
  return sdk.createSdkMcpServer({
    name: "calculator",
    version: "1.0.0",
    tools: [
      sdk.tool("add", "Adds two numbers", { a: z.number(), b: z.number() }, async ({ a, b }) => {
        seen.push([a, b]);
        return { content: [{ type: "text", text: `The sum is ${a + b}` }] };
      }),
      sdk.tool("fail", "Fails", {}, async () => {
        throw new Error("no luck");
      }),
    ],
  });
}

const results = (messages) =>
  messages.filter((m) => m.type === "user").map((m) => m.message.content[0]);

test("tools inside the host are listed, called and answered", async () => {
  const seen = [];
  gemini.expect([[call("mcp__calculator__add", { a: 2, b: 3 })], done]);
  const messages = [];
  for await (const message of sdk.query({
    prompt: "add",
    options: options({
      mcpServers: { calculator: calculator(seen) }, allowedTools: ["mcp__calculator__add"],
    }),
  })) messages.push(message);
  const init = messages.find((m) => m.subtype === "init");
  assert.deepEqual(init.mcp_servers.map(({ name, status }) => ({ name, status })),
    [{ name: "calculator", status: "connected" }]);
  assert(init.tools.includes("mcp__calculator__add"));
  assert.deepEqual(seen, [[2, 3]]);
  assert.deepEqual(results(messages)[0].content, [{ type: "text", text: "The sum is 5" }]);
  assert.equal(messages.at(-1).subtype, "success");
});

test("a tool inside the host that throws is a failed call", async () => {
  gemini.expect([[call("mcp__calculator__fail", {})], done]);
  const messages = [];
  for await (const message of sdk.query({
    prompt: "fail",
    options: options({
      mcpServers: { calculator: calculator() }, allowedTools: ["mcp__calculator"],
    }),
  })) messages.push(message);
  assert.equal(results(messages)[0].is_error, true);
  assert.match(JSON.stringify(results(messages)[0].content), /no luck/);
});

test("servers inside and outside the host in one turn, with canUseTool", async () => {
  gemini.expect([
    [call("mcp__calculator__add", { a: 1, b: 1 }), call("mcp__outside__echo", { text: "x" })],
    done]);
  const asked = [];
  const messages = [];
  for await (const message of sdk.query({
    prompt: "go",
    options: options({
      mcpServers: { calculator: calculator(), outside: python("good") },
      canUseTool: async (name, input) => {
        asked.push(name);
        return { behavior: "allow", updatedInput: input };
      },
    }),
  })) messages.push(message);
  assert.deepEqual(asked, ["mcp__calculator__add", "mcp__outside__echo"]);
  assert.deepEqual(results(messages).map((r) => r.content[0].text), ["The sum is 2", "echo: x"]);
});

test("servers are set, reported, switched off and on, and connected anew", async () => {
  let next;
  const turns = [];
  async function* prompts() {
    for (;;) {
      const text = await new Promise((go) => { next = go; turns.shift()?.(); });
      if (text === null) return;
      yield { type: "user", message: { role: "user", content: text }, parent_tool_use_id: null };
    }
  }
  const query = sdk.query({
    prompt: prompts(),
    options: options({
      mcpServers: { outside: python("good") }, permissionMode: "bypassPermissions",
      allowDangerouslySkipPermissions: true,
    }),
  });
  const messages = query[Symbol.asyncIterator]();
  const turn = async (text, answers) => {
    gemini.expect(answers);
    while (!next) await new Promise((soon) => setImmediate(soon));
    next(text);
    next = undefined;
    const lines = [];
    for (;;) {
      const { value } = await messages.next();
      lines.push(value);
      if (value.type === "result") return lines;
    }
  };
  const statuses = async () =>
    Object.fromEntries((await query.mcpServerStatus()).map(({ name, status }) => [name, status]));

  await turn("hello", [done]);
  assert.deepEqual(await statuses(), { outside: "connected" });
  const [outside] = await query.mcpServerStatus();
  assert.deepEqual(outside.serverInfo, { name: "scripted", version: "1.2.3" });
  assert(outside.tools.some(({ name }) => name === "echo"));

  const set = await query.setMcpServers({ calculator: calculator(), broken: python("no-start") });
  assert.deepEqual([...set.added].sort(), ["broken", "calculator"]);
  assert.match(set.errors.broken, /configuration is missing/);
  const lines = await turn("add", [[call("mcp__calculator__add", { a: 20, b: 1 })], done]);
  assert.equal(results(lines)[0].content[0].text, "The sum is 21");
  assert.deepEqual(await statuses(),
    { outside: "connected", calculator: "connected", broken: "failed" });

  await query.toggleMcpServer("outside", false);
  assert.equal((await statuses()).outside, "disabled");
  await query.toggleMcpServer("outside", true);
  await query.reconnectMcpServer("outside");
  assert.equal((await statuses()).outside, "connected");
  await assert.rejects(query.reconnectMcpServer("nobody"), /not found/);

  const gone = await query.setMcpServers({});
  assert.deepEqual([...gone.removed].sort(), ["broken", "calculator"]);
  const init = (await turn("bye", [done])).find((line) => line.subtype === "init");
  assert.deepEqual(init.mcp_servers.map(({ name }) => name), ["outside"]);
  while (!next) await new Promise((soon) => setImmediate(soon));
  next(null);
  for (;;) if ((await messages.next()).done) break;
});
