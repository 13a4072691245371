// SPDX-License-Identifier: MIT
// Real MCP servers from npm: each tool of server-everything over stdio, streamable HTTP and SSE, a
// turn with server-filesystem and one with server-memory, and what five idle servers cost.
//
//     node mcp_servers_test.mjs BINARY NODE_MODULES

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { GeminiServer, call } from "./support/gemini_server.mjs";

const [binary, modules] = process.argv.slice(2).map((path) => resolve(path));
const everything = join(modules, "@modelcontextprotocol/server-everything/dist/index.js");
const scripted = join(dirname(fileURLToPath(import.meta.url)), "../support/mcp_server.py");
const home = realpathSync(mkdtempSync(join(tmpdir(), "mcp-home-")));
const gemini = new GeminiServer();

before(() => gemini.start());
after(() => {
  gemini.stop();
  rmSync(home, { recursive: true, force: true, maxRetries: 20 });
});

// A process that stays, and the host that writes its lines.
class Host {
  constructor(servers, cwd = home) {
    this.lines = [];
    this.process = spawn(
      binary,
      ["--output-format", "stream-json", "--input-format", "stream-json", "--verbose", "--model",
        "gemini-3.8-flash", "--auth", "api-key", "--permission-mode", "bypassPermissions",
        "--mcp-config", JSON.stringify({ mcpServers: servers })],
      {
        cwd, stdio: ["pipe", "pipe", "inherit"],
        env: {
          HOME: home, PATH: process.env.PATH, GEMINI_API_KEY: "key", IS_SANDBOX: "1",
          METADATA_SERVER_DETECTION: "none", GOOGLE_GEMINI_BASE_URL: gemini.url,
        },
      });
    this.input = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  write(line) {
    this.process.stdin.write(JSON.stringify(line) + "\n");
  }

  // Answers what is asked on the way.
  async turn(text, answers) {
    gemini.expect(answers);
    this.lines = [];
    this.write({ type: "user", message: { role: "user", content: text } });
    for (;;) {
      const { value, done } = await this.input.next();
      assert(!done, "stdout has ended");
      const line = JSON.parse(value);
      this.lines.push(line);
      if (line.type === "control_request") this.answer(line);
      if (line.type === "result") return line;
    }
  }

  answer({ request_id, request }) {
    assert.equal(request.subtype, "elicitation");
    const response = { action: "accept", content: { name: "Ada" } };
    this.write({ type: "control_response", response: { subtype: "success", request_id, response } });
  }

  get init() {
    return this.lines.find((line) => line.subtype === "init");
  }

  results() {
    return this.lines
      .filter((line) => line.type === "user")
      .map((line) => line.message.content[0])
      .map(({ content, is_error }) => ({
        text: typeof content === "string" ? content
          : content.map((block) => block.text ?? block.type).join("\n"),
        is_error: is_error ?? false,
      }));
  }

  async close() {
    const ended = new Promise((done) => this.process.on("exit", done));
    this.process.stdin.end();
    assert.equal(await ended, 0);
  }
}

const done = [{ text: "Done." }];

// What each tool is called with, and what must be in its result.
const calls = {
  "echo": [{ message: "hello" }, "Echo: hello"],
  "get-annotated-message": [{ messageType: "success", includeImage: true }, "image"],
  "get-env": [{}, "PATH"],
  "get-resource-links": [{ count: 2 }, "Resource link"],
  "get-resource-reference": [{ resourceType: "Text", resourceId: 1 }, "Resource from demo://"],
  "get-structured-content": [{ location: "Chicago" }, "temperature"],
  "get-sum": [{ a: 2, b: 3 }, "5"],
  "get-tiny-image": [{}, "image"],
  "gzip-file-as-resource": [
    { name: "x.gz", data: "data:text/plain;base64,aGVsbG8=", outputType: "resource" }, "x.gz"],
  "get-roots-list": [{}, "file://"],
  "toggle-simulated-logging": [{}, "logging"],
  "toggle-subscriber-updates": [{}, "ubscri"],
  "trigger-elicitation-request": [{}, "Ada"],
  "trigger-elicitation-request-async": [{}, ""],
  "trigger-url-elicitation": [{ url: "https://example.com/" }, ""],
  "trigger-long-running-operation": [{ duration: 0.1, steps: 2 }, "completed"],
  "simulate-research-query": [{ topic: "rain" }, "rain"],
};

async function callEverything(server) {
  const host = new Host({ every: server });
  await host.turn("hello", [done]);
  assert.equal(host.init.mcp_servers[0].status, "connected");
  // Some are offered only after the handshake.
  await host.turn("hello", [done]);
  const offered = host.init.tools
    .filter((name) => name.startsWith("mcp__every__"))
    .map((name) => name.slice("mcp__every__".length));
  assert(offered.length >= 13, `only ${offered}`);
  for (const name of offered) {
    assert(name in calls, `there is a new tool: ${name}`);
    const [args, words] = calls[name];
    await host.turn(`call ${name}`, [[call(`mcp__every__${name}`, args)], done]);
    const [result] = host.results();
    assert.equal(result.is_error, false, `${name}: ${result.text}`);
    assert(result.text.includes(words), `${name}: ${result.text}`);
  }
  await host.turn("resources", [[call("ListMcpResourcesTool", {})], done]);
  assert(host.results()[0].text.includes("demo://"), host.results()[0].text);
  await host.close();
  return offered;
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((ready) => server.on("listening", ready));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

// Runs server-everything over HTTP while `use` does.
async function overHttp(transport, use) {
  const port = await freePort();
  const server = spawn(process.execPath, [everything, transport],
    { env: { ...process.env, PORT: String(port) }, stdio: ["ignore", "pipe", "pipe"] });
  try {
    await new Promise((ready, failed) => {
      let said = "";
      const look = (bytes) => {
        said += bytes;
        if (/(listening|running) on/i.test(said)) ready();
      };
      server.stdout.on("data", look);
      server.stderr.on("data", look);
      server.on("exit", () => failed(new Error(`it has ended: ${said}`)));
    });
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    server.removeAllListeners("exit");
    server.kill("SIGKILL");
  }
}

test("every tool of server-everything over stdio", async () => {
  await callEverything({ command: process.execPath, args: [everything] });
});

test("every tool of server-everything over streamable HTTP", async () => {
  await overHttp("streamableHttp", (url) => callEverything({ type: "http", url: `${url}/mcp` }));
});

test("every tool of server-everything over SSE", async () => {
  await overHttp("sse", (url) => callEverything({ type: "sse", url: `${url}/sse` }));
});

test("server-filesystem works in a turn", async () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "mcp-files-")));
  writeFileSync(join(cwd, "a.txt"), "alpha\n");
  const program = join(modules, "@modelcontextprotocol/server-filesystem/dist/index.js");
  const host = new Host({ files: { command: process.execPath, args: [program, cwd] } }, cwd);
  await host.turn("go", [
    [call("mcp__files__read_text_file", { path: join(cwd, "a.txt") })],
    [call("mcp__files__write_file", { path: join(cwd, "b.txt"), content: "beta\n" })],
    [call("mcp__files__list_directory", { path: cwd })],
    done]);
  const results = host.results();
  assert.deepEqual(results.map((one) => one.is_error), [false, false, false]);
  assert(results[0].text.includes("alpha"));
  assert(results[2].text.includes("b.txt"));
  assert.equal(readFileSync(join(cwd, "b.txt"), "utf8"), "beta\n");
  await host.close();
  rmSync(cwd, { recursive: true, force: true, maxRetries: 20 });
});

test("server-memory works in a turn", async () => {
  const program = join(modules, "@modelcontextprotocol/server-memory/dist/index.js");
  const host = new Host({
    memory: {
      command: process.execPath, args: [program],
      env: { MEMORY_FILE_PATH: join(home, "memory.jsonl") },
    },
  });
  const entity = { name: "Ada", entityType: "person", observations: ["likes engines"] };
  await host.turn("go", [
    [call("mcp__memory__create_entities", { entities: [entity] })],
    [call("mcp__memory__search_nodes", { query: "engines" })],
    done]);
  const results = host.results();
  assert.deepEqual(results.map((one) => one.is_error), [false, false]);
  assert(results[1].text.includes("Ada"), results[1].text);
  await host.close();
});

test("five idle servers cost a turn next to nothing", async () => {
  const timed = async (servers) => {
    const host = new Host(servers);
    await host.turn("warm", [done]);
    const times = [];
    for (let i = 0; i < 30; ++i) {
      const start = process.hrtime.bigint();
      await host.turn("go", [done]);
      times.push(Number(process.hrtime.bigint() - start));
    }
    await host.close();
    return times.sort((a, b) => a - b)[times.length >> 2];
  };
  // Without tools, which would make every request longer.
  const idle = Object.fromEntries(
    [1, 2, 3, 4, 5].map((n) => [`s${n}`, { command: "python3", args: [scripted, "bare"] }]));
  const ratios = [];
  for (let round = 0; round < 3; ++round) ratios.push((await timed(idle)) / (await timed({})));
  console.log(`ratios: ${ratios.map((one) => one.toFixed(2))}`);
  // Wide, because tests run side by side with others and with sanitizers.
  assert(Math.min(...ratios) < 1.5, String(ratios));
});
