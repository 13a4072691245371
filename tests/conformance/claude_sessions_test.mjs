// SPDX-License-Identifier: MIT
// Conversations move between the real `claude` and this program, both ways, and lose no text.
//
//     node claude_sessions_test.mjs BINARY CLAUDE
//
// Both talk to scripted servers on loopback. Each test has a home and a working directory of its own.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { ClaudeServer, text, thinking, use } from "./support/claude_server.mjs";
import { GeminiServer, call, texts } from "./support/gemini_server.mjs";

const [binary, claude] = process.argv.slice(2).map((path) => resolve(path));
const anthropic = new ClaudeServer();
const gemini = new GeminiServer();
before(() => Promise.all([anthropic.start(), gemini.start()]));
after(() => {
  anthropic.stop();
  gemini.stop();
});

// A real picture of one pixel.
const k_pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

class Scene {
  constructor() {
    this.home = realpathSync(mkdtempSync(join(tmpdir(), "claude-home-")));
    this.cwd = realpathSync(mkdtempSync(join(tmpdir(), "claude-work-")));
  }

  path(name) {
    return join(this.cwd, name);
  }

  // Lines of stdout, parsed.
  async #run(program, args, env, stdin) {
    const child = spawn(program, [...args, "--output-format", "stream-json", "--verbose"], {
      cwd: this.cwd,
      env: { PATH: process.env.PATH, HOME: this.home, CLAUDE_CONFIG_DIR: join(this.home, ".claude"), ...env },
    });
    let out = "";
    let err = "";
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (err += data));
    child.stdin.end(stdin);
    const code = await new Promise((done) => child.on("close", done));
    assert.equal(code, 0, `${program} ${args.join(" ")}\n${err}\n${out}`);
    return out.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  }

  async claude(args, script, stdin = "") {
    anthropic.expect(script);
    const lines = await this.#run(claude, ["--dangerously-skip-permissions", ...args], {
      ANTHROPIC_BASE_URL: anthropic.url, ANTHROPIC_API_KEY: "key", IS_SANDBOX: "1",
      DISABLE_TELEMETRY: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }, stdin);
    return lines.find((line) => line.subtype === "init").session_id;
  }

  async yume(args, script) {
    gemini.expect(script);
    const lines = await this.#run(binary, ["--auth", "api-key", "--model", "gemini-3.8-flash", ...args], {
      GEMINI_API_KEY: "key", METADATA_SERVER_DETECTION: "none", GOOGLE_GEMINI_BASE_URL: gemini.url,
    }, "");
    return lines.find((line) => line.subtype === "init").session_id;
  }

  // The contents that this program sends when it goes on with a session of claude's.
  async resumed(id) {
    const same = await this.yume(["-p", "and now?", "--resume", id], [[{ text: "Going on." }]]);
    assert.equal(same, id);
    return gemini.requests[0].contents;
  }

  transcript(id) {
    const projects = join(this.home, ".claude", "projects");
    const [project] = readdirSync(projects);
    return join(projects, project, `${id}.jsonl`);
  }

  remove() {
    for (const folder of [this.home, this.cwd]) rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

function scenario(name, body) {
  test(name, async () => {
    const scene = new Scene();
    try {
      await body(scene);
    } finally {
      scene.remove();
    }
  });
}

const roles = (contents) => contents.map((content) => content.role);
const parts = (contents, key) => contents.flatMap((content) => content.parts.map((part) => part[key]).filter(Boolean));

scenario("claude's text is resumed", async (scene) => {
  const id = await scene.claude(["-p", "hello"], [[text("Hello from Claude.")]]);
  const contents = await scene.resumed(id);
  assert.deepEqual(texts(contents), ["hello", "Hello from Claude.", "and now?"]);
  assert.deepEqual(roles(contents), ["user", "model", "user"]);
});

scenario("claude's text is imported as a history", async (scene) => {
  const id = await scene.claude(["-p", "hello"], [[text("Hello from Claude.")]]);
  await scene.yume(["-p", "and now?", "--history-file", scene.transcript(id)], [[{ text: "Going on." }]]);
  assert.deepEqual(texts(gemini.requests[0].contents), ["hello", "Hello from Claude.", "and now?"]);
});

scenario("claude's thinking is left out, and what it said with it stays", async (scene) => {
  const id = await scene.claude(["-p", "think"], [[thinking("a secret thought"), text("Thought about it.")]]);
  const contents = await scene.resumed(id);
  assert.deepEqual(texts(contents), ["think", "Thought about it.", "and now?"]);
});

scenario("claude's tool calls are resumed with the texts around them", async (scene) => {
  writeFileSync(scene.path("a.txt"), "alpha\n");
  const id = await scene.claude(["-p", "look"], [
    [text("Reading two."), use("toolu_1", "Read", { file_path: scene.path("a.txt") }),
     use("toolu_2", "Bash", { command: "echo beta", description: "say beta" })],
    [text("They say alpha and beta.")],
  ]);
  const contents = await scene.resumed(id);
  assert.deepEqual(texts(contents), ["look", "Reading two.", "They say alpha and beta.", "and now?"]);
  assert.deepEqual(parts(contents, "functionCall").map((one) => one.name), ["Read", "Bash"]);
  const answers = JSON.stringify(parts(contents, "functionResponse"));
  assert.match(answers, /alpha/);
  assert.match(answers, /beta/);
});

scenario("claude's images are resumed", async (scene) => {
  const message = {
    type: "user",
    message: { role: "user", content: [
      { type: "text", text: "what is this?" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: k_pixel } }] },
  };
  const id = await scene.claude(["-p", "--input-format", "stream-json"], [[text("A dot.")]],
                                JSON.stringify(message) + "\n");
  const contents = await scene.resumed(id);
  // claude adds a line that says where it keeps the picture.
  const said = texts(contents).filter((one) => !one.startsWith("[Image: source: "));
  assert.deepEqual(said, ["what is this?", "A dot.", "and now?"]);
  assert.deepEqual(parts(contents, "inlineData").map((one) => one.mimeType), ["image/png"]);
});

scenario("a session that claude compacted is resumed from its summary on", async (scene) => {
  const id = await scene.claude(["-p", "the beginning"], [[text("Begun.")]]);
  await scene.claude(["-p", "more of it", "--resume", id], [[text("More done.")]]);
  await scene.claude(["-p", "/compact", "--resume", id], [[text("SUMMARY OF ALL")]]);
  await scene.claude(["-p", "after it", "--resume", id], [[text("Afterwards.")]]);
  const sent = texts(await scene.resumed(id));
  assert.match(sent[0], /SUMMARY OF ALL/);
  assert.ok(!sent.includes("the beginning"), sent.join("\n"));
  assert.deepEqual(sent.slice(-3), ["after it", "Afterwards.", "and now?"]);
});

scenario("a subagent's report is resumed, its own conversation is not", async (scene) => {
  const id = await scene.claude(["-p", "delegate"], [
    [text("Delegating."), use("toolu_1", "Agent",
      { description: "look", prompt: "look around", subagent_type: "general-purpose", run_in_background: false })],
    [text("REPORT OF THE SUBAGENT")],
    [text("It is done.")],
  ]);
  const contents = await scene.resumed(id);
  assert.deepEqual(texts(contents), ["delegate", "Delegating.", "It is done.", "and now?"]);
  assert.match(JSON.stringify(parts(contents, "functionResponse")), /REPORT OF THE SUBAGENT/);
});

scenario("claude goes on with what this program wrote", async (scene) => {
  writeFileSync(scene.path("a.txt"), "alpha\n");
  const id = await scene.yume(["-p", "look"], [
    [{ text: "Reading." }, call("Read", { file_path: "a.txt" })], [{ text: "It says alpha." }]]);
  const same = await scene.claude(["-p", "and you?", "--resume", id], [[text("I see it too.")]]);
  assert.equal(same, id);
  const sent = JSON.stringify(anthropic.requests[0].messages);
  for (const said of ["look", "Reading.", "alpha", "It says alpha.", "and you?"]) {
    assert.ok(sent.includes(said), said);
  }
  const back = texts(await scene.resumed(id));
  assert.deepEqual(back, ["look", "Reading.", "It says alpha.", "and you?", "I see it too.", "and now?"]);
});

scenario("claude writes its members in an order of its own", async (scene) => {
  const id = await scene.claude(["-p", "hello"], [[text("Hello from Claude.")]]);
  assert.match(readFileSync(scene.transcript(id), "utf8"), /"message":.*"type":"assistant"/);
});

scenario("claude's session can be looked at", async (scene) => {
  const id = await scene.claude(["-p", "hello"], [[text("Hello from Claude.")]]);
  const shown = execFileSync(binary, ["sessions", "show", id], {
    cwd: scene.cwd, encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: scene.home, CLAUDE_CONFIG_DIR: join(scene.home, ".claude") },
  });
  assert.match(shown, /hello[^]*Hello from Claude\./);
});
