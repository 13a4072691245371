// SPDX-License-Identifier: MIT
// agent-cli-sdk's loadMessages(), detectCli() and getCapabilities(), which are commands of the
// program: a stand-in answers for what they read, the real program for whether it has them.

import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { detectCli, getCapabilities, loadMessages } from "yume-cli";
import { recordedSessions } from "./support/recorded.mjs";
import { BINARY, scene, temporaryFolder } from "./support/scene.mjs";
import { NOT_ON_WINDOWS, STAND_IN, doing } from "./support/stand_in_path.mjs";

const STAND = { skip: NOT_ON_WINDOWS };

// A program that has `command` and answers it.
function program(command, answer, help = `Usage: yume-cli ${command} [options]\n`) {
  const answers = {
    [`${command} --help`]: { out: help },
    "--version": { out: "2.1.325 (Claude Code) yume-cli 0.0.9\n" },
    [command]: answer,
  };
  return { binary: STAND_IN, env: doing(["commands", answers]) };
}

const json = (value) => ({ out: JSON.stringify(value) });
const GEMINI = { name: "gemini", installed: true, path: "/opt/gemini", version: "0.61.0" };

test("detectCli: the path, whatever form the answer has", STAND, async () => {
  const claude = { name: "claude", installed: false };
  for (const answer of [
    GEMINI,
    [claude, GEMINI],
    { claude, gemini: GEMINI },
    { agents: [GEMINI] },
  ]) {
    assert.equal(await detectCli("gemini", program("detect", json(answer))), "/opt/gemini");
  }
  assert.equal(await detectCli("claude", program("detect", json([claude, GEMINI]))), null);
  assert.equal(await detectCli("claude", program("detect", json(claude))), null);
  assert.equal(await detectCli("codex", program("detect", json([]))), null);
});

test("detectCli: asks for one agent, gemini if none is named", STAND, async () => {
  const said = async (...agent) => {
    const answers = { "detect --help": { out: "Usage: yume-cli detect\n" } };
    for (const name of ["gemini", "claude"]) {
      answers[`detect ${name} --json`] = json({ installed: true, path: `/opt/${name}` });
    }
    return detectCli(agent[0], { binary: STAND_IN, env: doing(["commands", answers]) });
  };
  assert.deepEqual([await said(), await said("claude")], ["/opt/gemini", "/opt/claude"]);
});

test("getCapabilities: agent-cli-sdk's fields", STAND, async () => {
  const gemini = {
    installed: true,
    path: "/opt/gemini",
    supportsSlashCommands: false,
    supportsModels: true,
    models: [{ id: "gemini-3.8-flash", name: "Gemini 3.8 Flash", more: 1 }, { id: "x" }],
    supportsWebSearch: true,
    supportsThinking: true,
  };
  const expected = {
    installed: true,
    cliPath: "/opt/gemini",
    supportsSlashCommands: false,
    supportsModels: true,
    models: [
      { id: "gemini-3.8-flash", name: "Gemini 3.8 Flash" },
      { id: "x", name: "x" },
    ],
    supportsWebSearch: true,
    supportsThinking: true,
  };
  assert.deepEqual(
    await getCapabilities("gemini", program("capabilities", json({ gemini }))),
    expected,
  );
  const unknown = await getCapabilities("cursor", program("capabilities", json([])));
  assert.deepEqual([unknown.installed, unknown.models, "cliPath" in unknown], [false, [], false]);
});

test("loadMessages: one message a line", STAND, async () => {
  const messages = ["w\u00f6rld", [{ type: "text", text: "\u2028" }]].map((content, index) => ({
    id: String(index),
    role: "assistant",
    content,
    timestamp: index,
    tool: "gemini",
    _original: { index },
  }));
  const out = messages.map((message) => `${JSON.stringify(message)}\n`).join("\n");
  assert.deepEqual(await loadMessages(program("sessions convert", { out })), messages);
});

test("loadMessages: which session", STAND, async () => {
  const asked = async (options) => {
    const { binary, env } = program("sessions convert", {});
    const steps = [...JSON.parse(env.STAND_IN), ["argv"]];
    const [{ argv }] = await loadMessages({ binary, env: doing(...steps), ...options });
    return argv.join(" ");
  };
  const convert = "sessions convert";
  const to = "--to unified --jsonl";
  assert.equal(await asked({ projectPath: "/p" }), `${convert} --cwd /p --from auto ${to}`);
  assert.equal(
    await asked({ tool: "gemini", sessionId: "x", projectPath: "/p" }),
    `${convert} --session x --cwd /p --from gemini-cli ${to}`,
  );
  assert.equal(
    await asked({ tool: "claude", sessionPath: "/s.jsonl" }),
    `${convert} /s.jsonl --from claude ${to}`,
  );
  await assert.rejects(asked({ tool: "codex" }), { code: "YUME_BAD_ARGUMENT" });
});

test("a command that fails says what the program said", STAND, async () => {
  const err = "Error: No Gemini session found for project: /p.\n";
  await assert.rejects(loadMessages(program("sessions convert", { err, code: 1 })), {
    code: "YUME_COMMAND_FAILED",
    message:
      "yume-cli sessions convert failed: Error: No Gemini session found for project: /p. " +
      "`yume-cli sessions convert --help` says what it takes",
  });
  await assert.rejects(getCapabilities("gemini", program("capabilities", { out: "oops" })), {
    code: "YUME_COMMAND_FAILED",
    message: /it is no JSON: oops\./,
  });
});

test("a command that the program does not have is not tried", STAND, async (t) => {
  const binary = join(temporaryFolder(t), "old.mjs");
  copyFileSync(STAND_IN, binary);
  const general = "Usage: yume-cli [options] [prompt]\n       yume-cli models [--json]\n";
  const old = { ...program("detect", json(GEMINI), general), binary };
  await assert.rejects(detectCli("gemini", old), {
    code: "YUME_NO_COMMAND",
    message:
      "cannot run `yume-cli detect`: this version (2.1.325 (Claude Code) yume-cli 0.0.9) does not have " +
      `that command. Update yume-cli, or set YUME_CLI_BINARY to a newer one than ${binary}`,
  });
  const listed = program(
    "detect",
    json(GEMINI),
    `${general}       yume-cli detect [name] [--json]\n`,
  );
  assert.equal(await detectCli("gemini", listed), "/opt/gemini");
});

// The program as it is: its commands work, and the model is never asked.
test("the real program: detectCli finds a program by its variable, and starts nothing", async (t) => {
  const host = await scene(t);
  const gemini = join(temporaryFolder(t), "gemini");
  copyFileSync(BINARY, gemini);
  const env = { ...host.env, GEMINI_CLI_PATH: gemini };
  assert.equal(await detectCli("gemini", { env }), gemini);
  await assert.rejects(detectCli("gemni", { env }), {
    code: "YUME_COMMAND_FAILED",
    message: /the agent 'gemni' is not known/,
  });
  assert.deepEqual(host.server.requests, []);
});

test("the real program: getCapabilities", async (t) => {
  const host = await scene(t);
  const gemini = await getCapabilities("gemini", { env: host.env });
  const { supportsSlashCommands, supportsModels, supportsWebSearch, supportsThinking } = gemini;
  assert.deepEqual(
    [supportsSlashCommands, supportsModels, supportsWebSearch, supportsThinking],
    [false, true, true, true],
  );
  assert.ok(gemini.models.some(({ id, name }) => id === "gemini-3.8-flash" && name !== id));
  const claude = await getCapabilities("claude", { env: host.env });
  assert.equal(claude.supportsSlashCommands, true);
  assert.deepEqual(host.server.requests, []);
});

test("the real program: a project without sessions", async (t) => {
  const host = await scene(t);
  await assert.rejects(loadMessages({ env: host.env, projectPath: host.cwd }), {
    code: "YUME_COMMAND_FAILED",
    message: /No Gemini session found for project: /,
  });
  assert.deepEqual(host.server.requests, []);
});

test("the real program: every recorded session becomes messages", async (t) => {
  const files = recordedSessions();
  if (files.length === 0) return t.skip("there are no recorded sessions here");
  const host = await scene(t);
  let count = 0;
  for (const sessionPath of files) {
    const messages = await loadMessages({ tool: "gemini", sessionPath, env: host.env });
    messages.forEach((message) => checkMessage(message, sessionPath));
    count += messages.length;
  }
  assert.ok(count > files.length, "sessions have messages");
  t.diagnostic(`${files.length} sessions, ${count} messages`);
});

function checkMessage(message, where) {
  assert.ok(["user", "assistant", "system"].includes(message.role), where);
  assert.equal(message.tool, "gemini", where);
  assert.ok(Number.isInteger(message.timestamp), where);
  assert.equal(typeof message._original, "object", where);
  if (typeof message.content === "string") return;
  const kinds = message.content.map((block) => block.type);
  const afterThoughts = kinds.slice(kinds.findIndex((kind) => kind !== "thinking"));
  assert.ok(
    kinds.every((kind) => kind === "thinking") || !afterThoughts.includes("thinking"),
    where,
  );
  for (const [index, block] of message.content.entries()) {
    if (block.type !== "tool_result") continue;
    assert.equal(
      message.content[index - 1].id,
      block.tool_use_id,
      `${where}: a result follows its call`,
    );
  }
}
