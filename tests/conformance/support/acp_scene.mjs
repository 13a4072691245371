// SPDX-License-Identifier: MIT
// claude-agent-acp, unchanged, on top of the program, and an editor that speaks ACP with it.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";

export class AcpScene {
  constructor(acp, adapter, binary, gemini) {
    this.acp = acp;
    this.adapter = adapter;
    this.binary = binary;
    this.gemini = gemini;
    this.root = realpathSync(mkdtempSync(join(tmpdir(), "acp-")));
    this.cwd = join(this.root, "work");
    this.home = join(this.root, "home");
    mkdirSync(this.cwd);
    mkdirSync(this.home);
    this.updates = [];
    this.questions = [];
    this.choose = () => "reject";
    this.watchers = [];
    this.said = "";
  }

  write(name, text) {
    writeFileSync(join(this.cwd, name), text);
  }

  read(name) {
    return readFileSync(join(this.cwd, name), "utf8");
  }

  has(name) {
    return existsSync(join(this.cwd, name));
  }

  // Starts the adapter, or starts it anew, as an editor does that was closed and opened again.
  async start() {
    await this.stop();
    this.child = spawn(process.execPath, [this.adapter], {
      cwd: this.cwd,
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        HOME: this.home, PATH: process.env.PATH, CLAUDE_CONFIG_DIR: join(this.home, ".claude"),
        CLAUDE_CODE_EXECUTABLE: this.binary, IS_SANDBOX: "1",
        GEMINI_API_KEY: "key", METADATA_SERVER_DETECTION: "none",
        GOOGLE_GEMINI_BASE_URL: this.gemini.url,
        ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.includes("SAN_OPTIONS"))),
      },
    });
    this.child.stderr.on("data", (piece) => (this.said += piece));
    this.ended = new Promise((done) => this.child.on("exit", done));
    const { methods } = this.acp;
    this.connection = this.acp.client({ name: "editor" })
      .onNotification(methods.client.session.update, ({ params }) => this.#take(params))
      .onRequest(methods.client.session.requestPermission, ({ params }) => this.#answer(params))
      .connect(this.acp.ndJsonStream(Writable.toWeb(this.child.stdin), Readable.toWeb(this.child.stdout)));
    this.agent = this.connection.agent;
    this.hello = await this.agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientInfo: { name: "editor", version: "1" },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false } },
    });
  }

  async open(more = {}) {
    this.session = await this.agent.request(this.acp.methods.agent.session.new,
                                            { cwd: this.cwd, mcpServers: [], ...more });
    return this.session;
  }

  // A whole turn; what it brought is in `updates`.
  async prompt(text, answers) {
    if (answers) this.gemini.expect(answers);
    this.updates.length = 0;
    const prompt = typeof text === "string" ? [{ type: "text", text }] : text;
    return await this.agent.request(this.acp.methods.agent.session.prompt,
                                    { sessionId: this.session.sessionId, prompt });
  }

  cancel() {
    return this.agent.notify(this.acp.methods.agent.session.cancel, { sessionId: this.session.sessionId });
  }

  // Resolves with the first update, from now on, that is wanted.
  next(wanted) {
    return new Promise((found) => this.watchers.push({ wanted, found }));
  }

  of(kind) {
    return this.updates.filter((update) => update.sessionUpdate === kind);
  }

  text(kind = "agent_message_chunk") {
    return this.of(kind).map((update) => update.content.text).join("");
  }

  // Each tool call as its last update shows it.
  calls() {
    const calls = new Map();
    for (const update of this.updates) {
      if (!/^tool_call/.test(update.sessionUpdate)) continue;
      const known = Object.fromEntries(Object.entries(update).filter(([, value]) => value != null));
      calls.set(update.toolCallId, { ...calls.get(update.toolCallId), ...known });
    }
    return [...calls.values()];
  }

  async stop() {
    if (!this.child) return;
    this.connection.close();
    this.child.stdin.end();
    await this.ended;
    this.child = undefined;
  }

  async end() {
    await this.stop();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 20 });
  }

  #take({ update }) {
    this.updates.push(update);
    for (const watcher of this.watchers.filter((one) => one.wanted(update))) {
      this.watchers.splice(this.watchers.indexOf(watcher), 1);
      watcher.found(update);
    }
  }

  // Offered are kinds of answers: allow_once, allow_always, reject_once.
  async #answer(params) {
    this.questions.push(params);
    const kind = await this.choose(params);
    const option = params.options.find((one) => one.kind.startsWith(kind));
    if (!option) return { outcome: { outcome: "cancelled" } };
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  }
}
