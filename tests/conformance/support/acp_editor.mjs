// SPDX-License-Identifier: MIT
// An editor that starts the program as its agent and speaks ACP with it by the real SDK.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";

export class AcpEditor {
  // `abilities`: what the editor offers as clientCapabilities.
  constructor(acp, binary, gemini, abilities = {}) {
    this.acp = acp;
    this.binary = binary;
    this.gemini = gemini;
    this.abilities = abilities;
    this.root = realpathSync(mkdtempSync(join(tmpdir(), "acp-")));
    this.cwd = this.folder("work");
    this.home = this.folder("home");
    this.updates = []; // of all sessions, in their order
    this.questions = [];
    this.fileRequests = [];
    this.buffers = new Map(); // unsaved texts by path
    this.terminals = new Map();
    this.terminalRequests = [];
    this.refusesTerminals = false;
    this.onTerminal = () => {};
    this.choose = () => "reject_once";
    this.watchers = [];
    this.said = "";
  }

  folder(name) {
    const path = join(this.root, name);
    mkdirSync(path, { recursive: true });
    return path;
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

  // Starts the agent, or starts it anew, as an editor does that was closed and opened again.
  async start(args = ["--acp", "--auth", "api-key"], env = {}) {
    await this.stop();
    this.child = spawn(this.binary, args, {
      cwd: this.root,
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        HOME: this.home, PATH: process.env.PATH, GEMINI_API_KEY: "key", METADATA_SERVER_DETECTION: "none",
        GOOGLE_GEMINI_BASE_URL: this.gemini.url, ...env,
        ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.includes("SAN_OPTIONS"))),
      },
    });
    this.child.stderr.on("data", (piece) => (this.said += piece));
    this.ended = new Promise((done) => this.child.on("exit", (code, signal) => done(signal ?? code)));
    const { methods } = this.acp;
    this.connection = this.acp.client({ name: "editor" })
      .onNotification(methods.client.session.update, ({ params }) => this.#take(params))
      .onRequest(methods.client.session.requestPermission, ({ params }) => this.#answer(params))
      .onRequest(methods.client.fs.readTextFile, ({ params }) => this.#readFile(params))
      .onRequest(methods.client.fs.writeTextFile, ({ params }) => this.#writeFile(params))
      .onRequest(methods.client.terminal.create, ({ params }) => this.#createTerminal(params))
      .onRequest(methods.client.terminal.output, ({ params }) => this.#terminal(params, "output").said())
      .onRequest(methods.client.terminal.waitForExit, ({ params }) => this.#terminal(params, "wait").ended)
      .onRequest(methods.client.terminal.kill, ({ params }) => (this.#terminal(params, "kill").child.kill(), {}))
      .onRequest(methods.client.terminal.release, ({ params }) => this.#releaseTerminal(params))
      .connect(this.acp.ndJsonStream(Writable.toWeb(this.child.stdin), Readable.toWeb(this.child.stdout)));
    this.agent = this.connection.agent;
    this.hello = await this.request("initialize", {
      protocolVersion: 1,
      clientInfo: { name: "editor", version: "1" },
      clientCapabilities: this.abilities,
    });
  }

  request(method, params) {
    return this.agent.request(method, params);
  }

  async open(more = {}) {
    const session = await this.request("session/new", { cwd: this.cwd, mcpServers: [], ...more });
    this.session = session;
    return session;
  }

  // A whole turn.
  async prompt(text, answers, sessionId = this.session.sessionId) {
    if (answers) this.gemini.expect(answers);
    const prompt = typeof text === "string" ? [{ type: "text", text }] : text;
    return await this.request("session/prompt", { sessionId, prompt });
  }

  cancel(sessionId = this.session.sessionId) {
    return this.agent.notify("session/cancel", { sessionId });
  }

  // Resolves with the first update, from now on, that is wanted.
  next(wanted) {
    const kind = typeof wanted === "string" ? (update) => update.sessionUpdate === wanted : wanted;
    return new Promise((found) => this.watchers.push({ wanted: kind, found }));
  }

  of(kind, sessionId) {
    return this.updates.filter((one) => one.update.sessionUpdate === kind &&
                                        (!sessionId || one.sessionId === sessionId)).map((one) => one.update);
  }

  text(kind = "agent_message_chunk", sessionId = undefined) {
    return this.of(kind, sessionId).map((update) => update.content.text).join("");
  }

  // Each tool call as its last update shows it.
  calls(sessionId = undefined) {
    const calls = new Map();
    for (const { sessionId: id, update } of this.updates) {
      if (!/^tool_call/.test(update.sessionUpdate) || (sessionId && id !== sessionId)) continue;
      const known = Object.fromEntries(Object.entries(update).filter(([, value]) => value != null));
      calls.set(update.toolCallId, { ...calls.get(update.toolCallId), ...known });
    }
    return [...calls.values()];
  }

  async stop() {
    if (!this.child) return undefined;
    this.child.stdin.end();
    const code = await this.ended;
    this.child = undefined;
    return code;
  }

  async end() {
    await this.stop();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 20 });
  }

  #take({ sessionId, update }) {
    this.updates.push({ sessionId, update });
    for (const watcher of this.watchers.filter((one) => one.wanted(update, sessionId))) {
      this.watchers.splice(this.watchers.indexOf(watcher), 1);
      watcher.found(update);
    }
  }

  // `choose` names an option's kind, or nothing, which is cancelled.
  async #answer(params) {
    this.questions.push(params);
    const kind = await this.choose(params);
    const option = params.options.find((one) => one.kind === kind || one.optionId === kind);
    if (!option) return { outcome: { outcome: "cancelled" } };
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  }

  #readFile({ path }) {
    this.fileRequests.push(`read ${path}`);
    if (!this.buffers.has(path)) throw this.acp.RequestError.resourceNotFound(path);
    return { content: this.buffers.get(path) };
  }

  #writeFile({ path, content }) {
    this.fileRequests.push(`write ${path}`);
    this.buffers.set(path, content);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return {};
  }

  #createTerminal(params) {
    this.terminalRequests.push({ step: "create", ...params });
    if (this.refusesTerminals) throw this.acp.RequestError.internalError({}, "no terminals today");
    const env = { ...process.env, ...Object.fromEntries(params.env.map(({ name, value }) => [name, value])) };
    const child = spawn(params.command, params.args, { cwd: params.cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (piece) => (output += String(piece).replaceAll("\n", "\r\n")));
    }
    let exitStatus;
    const ended = new Promise((done) => child.on("close", (exitCode, signal) => {
      exitStatus = { exitCode, signal };
      done(exitStatus);
    }));
    const terminalId = `t${this.terminals.size + 1}`;
    this.terminals.set(terminalId, { child, ended, said: () => ({ output, truncated: false, exitStatus }) });
    return { terminalId };
  }

  #terminal({ terminalId }, step) {
    this.terminalRequests.push({ step, terminalId });
    this.onTerminal(step);
    return this.terminals.get(terminalId);
  }

  #releaseTerminal(params) {
    this.#terminal(params, "release").child.kill();
    return {};
  }
}
