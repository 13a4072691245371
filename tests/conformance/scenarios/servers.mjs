// SPDX-License-Identifier: MIT
// MCP servers inside the host, as child processes and by HTTP.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { call } from "../support/gemini_server.mjs";
import { LoopbackServer } from "../support/loopback_server.mjs";
import { Prompts } from "../support/sdk_scene.mjs";

const script = join(dirname(fileURLToPath(import.meta.url)), "../../support/mcp_server.py");
const outside = { type: "stdio", command: "python3", args: [script, "good"] };
const done = [{ text: "Done." }];
const said = (messages) => messages.filter((m) => m.type === "user")
  .map((m) => JSON.stringify(m.message.content[0].content));

// Streamable HTTP, without a stream of its own.
class HttpServer extends LoopbackServer {
  answer(request, body, response) {
    const { id, method, params } = request.method === "POST" ? JSON.parse(body) : {};
    if (id === undefined) {
      response.writeHead(request.method === "POST" ? 202 : 405);
      return response.end();
    }
    const results = {
      initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} },
                    serverInfo: { name: "far", version: "1" } },
      "tools/list": { tools: [{ name: "echo", description: "Says it back",
                                inputSchema: { type: "object", properties: { text: { type: "string" } } } }] },
      "tools/call": { content: [{ type: "text", text: `far: ${params?.arguments?.text}` }] },
    };
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
  }
}

export function serverScenarios(scenario, sdk) {
  // Its schema library is the SDK's own: a server without arguments needs none.
  const inside = (seen) => sdk.createSdkMcpServer({
    name: "inside", tools: [sdk.tool("hello", "Greets", {}, async () => {
      seen?.push("hello");
      return { content: [{ type: "text", text: "hello from inside" }] };
    })] });

  scenario("a server inside the host", async (scene) => {
    const seen = [];
    const { messages } = await scene.turn("greet", [[call("mcp__inside__hello", {})], done], {
      mcpServers: { inside: inside(seen) }, allowedTools: ["mcp__inside__hello"] });
    assert.deepEqual(seen, ["hello"]);
    assert.match(said(messages)[0], /hello from inside/);
  });

  scenario("a server that is a child process", async (scene) => {
    const { messages } = await scene.turn("echo", [[call("mcp__outside__echo", { text: "hi" })], done], {
      mcpServers: { outside }, allowedTools: ["mcp__outside__echo"] });
    assert.match(said(messages)[0], /echo: hi/);
  });

  scenario("a server by HTTP", async (scene) => {
    const far = await new HttpServer().start();
    try {
      const { messages } = await scene.turn("echo", [[call("mcp__far__echo", { text: "hi" })], done], {
        mcpServers: { far: { type: "http", url: `${far.url}/mcp` } }, allowedTools: ["mcp__far"] });
      assert.match(said(messages)[0], /far: hi/);
    } finally {
      far.stop();
    }
  });

  scenario("a server of the options is replaced while the program runs", async (scene) => {
    scene.gemini.expect([[{ text: "One." }], [call("mcp__outside__echo", { text: "hi" })], done]);
    const prompts = new Prompts();
    prompts.say("first");
    const bare = { ...outside, args: [script, "bare"] };
    const query = scene.query(prompts, { mcpServers: { outside: bare }, allowedTools: ["mcp__outside"] });
    if (!query.setMcpServers) return prompts.end(); // this SDK cannot ask for it
    const messages = [];
    let results = 0;
    for await (const message of query) {
      messages.push(message);
      if (message.type !== "result") continue;
      if (++results === 2) prompts.end();
      if (results !== 1) continue;
      assert.deepEqual((await query.setMcpServers({ outside })).errors, {});
      prompts.say("second");
    }
    assert.match(said(messages)[0], /echo: hi/);
  });

  scenario("servers that are set while the program runs", async (scene) => {
    scene.gemini.expect([[{ text: "One." }], [call("mcp__outside__echo", { text: "hi" })], done]);
    const prompts = new Prompts();
    prompts.say("first");
    const query = scene.query(prompts, { allowedTools: ["mcp__outside"] });
    if (!query.setMcpServers) return prompts.end(); // this SDK cannot ask for it
    const messages = [];
    let results = 0;
    for await (const message of query) {
      messages.push(message);
      if (message.type !== "result") continue;
      if (++results === 2) prompts.end();
      if (results !== 1) continue;
      const { added } = await query.setMcpServers({ outside });
      assert.deepEqual(added, ["outside"]);
      const statuses = await query.mcpServerStatus();
      assert.deepEqual(statuses.map(({ name, status }) => [name, status]), [["outside", "connected"]]);
      prompts.say("second");
    }
    assert.match(said(messages)[0], /echo: hi/);
  });
}
