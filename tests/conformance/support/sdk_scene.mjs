// SPDX-License-Identifier: MIT
// What a test needs to drive the program through one generation of the Claude Agent SDK: a working
// directory of its own, a scripted Gemini, prompts that are sent one by one.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { GeminiServer } from "./gemini_server.mjs";

const folder = (name) => realpathSync(mkdtempSync(join(tmpdir(), name)));

// Prompts of a conversation: each goes out when the test says so, the end of input, too.
export class Prompts {
  #waiting = [];
  #wake = () => {};

  say(content, more = {}) {
    this.#waiting.push({ type: "user", message: { role: "user", content },
                         parent_tool_use_id: null, session_id: "", ...more });
    this.#wake();
  }

  end() {
    this.#waiting.push(null);
    this.#wake();
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.#waiting.length === 0) await new Promise((wake) => (this.#wake = wake));
      const next = this.#waiting.shift();
      if (next === null) return;
      yield next;
    }
  }
}

class Scene {
  constructor(world) {
    this.world = world;
    this.gemini = world.gemini;
    this.cwd = folder("sdk-work-");
    this.queries = [];
  }

  // Nothing of a test that has failed may go on.
  async end() {
    for (const query of this.queries) await (query.close ? query.close() : query.return?.());
    rmSync(this.cwd, { recursive: true, force: true, maxRetries: 20 });
  }

  write(name, text) {
    writeFileSync(join(this.cwd, name), text);
  }

  writeAt(path, text) {
    writeFileSync(path, text);
  }

  read(name) {
    return readFileSync(join(this.cwd, name), "utf8");
  }

  has(name) {
    return existsSync(join(this.cwd, name));
  }

  query(prompt, { env = {}, ...options } = {}) {
    const { binary, home, sdk, gemini } = this.world;
    const query = sdk.query({
      prompt,
      options: {
        pathToClaudeCodeExecutable: binary,
        cwd: this.cwd,
        model: "gemini-3.8-flash",
        env: {
          HOME: home, PATH: process.env.PATH, CLAUDE_CONFIG_DIR: join(home, ".claude"),
          GEMINI_API_KEY: "key", METADATA_SERVER_DETECTION: "none",
          GOOGLE_GEMINI_BASE_URL: gemini.url, ...env,
        },
        extraArgs: { auth: "api-key" },
        ...options,
      },
    });
    this.queries.push(query);
    return query;
  }

  // A whole conversation of one prompt. An error result ends in an exception of the SDK, which the
  // messages before it outlive.
  async turn(prompt, answers, options = {}) {
    this.gemini.expect(answers);
    const messages = [];
    let thrown;
    try {
      for await (const message of this.query(prompt, options)) messages.push(message);
    } catch (failure) {
      thrown = failure;
    }
    const result = messages.findLast((message) => message.type === "result");
    assert.ok(result, `no result; thrown: ${thrown}`);
    return { messages, result, thrown, requests: this.gemini.requests };
  }
}

export class SdkWorld {
  constructor(sdk, binary) {
    this.sdk = sdk;
    this.binary = binary;
    this.home = folder("sdk-home-");
    this.gemini = new GeminiServer();
  }

  start() {
    return this.gemini.start();
  }

  stop() {
    this.gemini.stop();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20 });
  }

  scenario(name, body) {
    test(name, async () => {
      const scene = new Scene(this);
      try {
        await body(scene);
      } finally {
        await scene.end();
      }
    });
  }
}
