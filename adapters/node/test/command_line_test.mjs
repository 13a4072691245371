// SPDX-License-Identifier: MIT
// What arrives at the program: arguments and environment.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { ShimAdapter, execute } from "yume-cli";
import { eventsOf } from "./support/scene.mjs";
import { NOT_ON_WINDOWS, STAND_IN, doing } from "./support/stand_in_path.mjs";

const require = createRequire(import.meta.url);
const { mergeEnvironment } = require("../src/environment.js");

const LINES = ["--print", "--output-format", "stream-json", "--verbose", "--dialect", "claude"];

test("getArgs without a context asks for Claude's lines", () => {
  assert.deepEqual(new ShimAdapter().getArgs(), LINES);
});

test("getArgs with everything", () => {
  const context = {
    cwd: "elsewhere",
    model: "sonnet",
    resume: "one",
    sessionId: "two",
    permissionMode: "plan",
    allowedTools: ["Read", "Bash(git diff:*)"],
    disallowedTools: ["WebFetch"],
    systemPrompt: "--not a flag",
    appendSystemPrompt: "",
    addDirs: ["a b"],
    maxTurns: 3,
    historyFile: "h.json",
    gcloudPath: "/opt/gcloud",
    includePartialMessages: true,
    args: ["--effort", "low"],
  };
  assert.deepEqual(new ShimAdapter().getArgs(context), [
    ...LINES,
    "--model=sonnet",
    "--permission-mode=plan",
    "--system-prompt=--not a flag",
    "--append-system-prompt=",
    "--max-turns=3",
    "--history-file=h.json",
    "--gcloud-path=/opt/gcloud",
    "--allowed-tools=Read",
    "--allowed-tools=Bash(git diff:*)",
    "--disallowed-tools=WebFetch",
    "--add-dir=a b",
    "--include-partial-messages",
    "--effort",
    "low",
    "--resume=one",
  ]);
});

test("which session", () => {
  const adapter = new ShimAdapter();
  const session = (context) => adapter.getArgs(context).slice(LINES.length);
  assert.deepEqual(session({ sessionId: "x" }), ["--session-id=x"]);
  assert.deepEqual(session({ continue: true, sessionId: "x" }), ["--continue"]);
  for (const resume of ["", null, 7]) {
    assert.throws(() => session({ resume }), { code: "YUME_BAD_ARGUMENT", message: /resume out/ });
  }
});

test("a prompt that is none is an error", async () => {
  for (const prompt of [undefined, null, 7, {}]) {
    const wrong = {
      code: "YUME_BAD_ARGUMENT",
      message: /cannot send the prompt: it is .* Pass a text/,
    };
    const adapter = new ShimAdapter({ binary: STAND_IN });
    assert.throws(() => adapter.run(prompt), wrong);
    assert.throws(() => adapter.spawn(prompt), wrong);
    await assert.rejects(execute({ prompt, binary: STAND_IN }), wrong);
  }
});

test("every argument arrives as it is", { skip: NOT_ON_WINDOWS }, async () => {
  const args = [
    "",
    " ",
    'a"b',
    "a\\",
    'a\\"b',
    "a b\\",
    "%PATH%",
    "^&|<>()!",
    "$HOME",
    "`id`",
    "*",
    "'",
    "new\nline",
    "w\u00f6rld \u{1f600}",
  ];
  const adapter = new ShimAdapter({ binary: STAND_IN, env: doing(["argv"]) });
  const [event] = await eventsOf(adapter.run("hi", { args }));
  assert.deepEqual(event.argv, [...LINES, ...args]);
});

test("an argument that no system can pass on is an error", () => {
  const adapter = new ShimAdapter({ binary: STAND_IN });
  assert.throws(() => adapter.run("hi", { appendSystemPrompt: "a\0b" }), {
    code: "YUME_NOT_STARTED",
  });
});

test(
  "the environment: the host's, the adapter's, the context's",
  { skip: NOT_ON_WINDOWS },
  async () => {
    process.env.YUME_NODE_TEST = "host";
    const seen = async (ofAdapter, ofContext) => {
      const env = { ...doing(["env", "YUME_NODE_TEST"]), ...ofAdapter };
      const adapter = new ShimAdapter({ binary: STAND_IN, env });
      return (await eventsOf(adapter.run("hi", { env: ofContext })))[0].value;
    };
    assert.equal(await seen({}, {}), "host");
    assert.equal(await seen({ YUME_NODE_TEST: "adapter" }, {}), "adapter");
    assert.equal(
      await seen({ YUME_NODE_TEST: "adapter" }, { YUME_NODE_TEST: "context" }),
      "context",
    );
    assert.equal(await seen({}, { YUME_NODE_TEST: undefined }), null);
  },
);

test("on Windows a variable replaces one that is written differently", () => {
  const base = { Path: "C:\\old", HOME: "h" };
  assert.deepEqual(mergeEnvironment(base, { PATH: "C:\\new" }, "win32"), {
    HOME: "h",
    PATH: "C:\\new",
  });
  assert.deepEqual(mergeEnvironment(base, { PATH: undefined }, "win32"), { HOME: "h" });
  assert.deepEqual(mergeEnvironment(base, { PATH: "/new" }, "linux"), { ...base, PATH: "/new" });
});
