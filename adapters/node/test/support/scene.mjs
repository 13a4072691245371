// SPDX-License-Identifier: MIT
// What a test of the real program needs: a server, a home and a working directory of its own, all
// gone after the test, and no process left.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ShimAdapter, binaryPath } from "yume-cli";
import { GeminiServer } from "./gemini_server.mjs";
import { CAN_LOOK, processesOf, until } from "./processes.mjs";

// Throws at once when there is no program to test.
export const BINARY = binaryPath();
export const MODEL = "gemini-3.8-flash";

export function temporaryFolder(t, name = "yume-node-") {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), name)));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

export async function scene(t) {
  const made = new Scene(temporaryFolder(t), await new GeminiServer().start());
  t.after(() => made.end());
  return made;
}

class Scene {
  #adapters = [];

  constructor(folder, server) {
    this.server = server;
    this.home = join(folder, "home");
    this.cwd = join(folder, "work");
    mkdirSync(this.home);
    mkdirSync(this.cwd);
  }

  get env() {
    return {
      HOME: this.home,
      GEMINI_API_KEY: "test-key",
      GOOGLE_GEMINI_BASE_URL: this.server.url,
      METADATA_SERVER_DETECTION: "none",
      CLAUDE_CONFIG_DIR: undefined,
      YUME_CLI_DIALECT: undefined,
    };
  }

  get context() {
    return { cwd: this.cwd, model: MODEL, args: ["--auth=api-key"] };
  }

  adapter(options = {}) {
    const adapter = new ShimAdapter({ env: this.env, ...options });
    this.#adapters.push(adapter);
    return adapter;
  }

  write(name, content) {
    writeFileSync(join(this.cwd, name), content);
  }

  read(name) {
    return readFileSync(join(this.cwd, name), "utf8");
  }

  async end() {
    await Promise.all(this.#adapters.map((adapter) => adapter.close()));
    this.server.stop();
    await this.nothingLeft();
  }

  async nothingLeft() {
    if (!CAN_LOOK) return;
    await until("no process of the test is left", () => processesOf(this.home).length === 0);
    assert.deepEqual(processesOf(this.home), []);
  }
}

export async function eventsOf(turn) {
  const events = [];
  for await (const event of turn) events.push(event);
  return events;
}

export const types = (events) => events.map((event) => event.type);
