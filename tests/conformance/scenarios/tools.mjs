// SPDX-License-Identifier: MIT
// Each built-in tool, as a host sees its call and its result.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { call } from "../support/gemini_server.mjs";
import { LoopbackServer } from "../support/loopback_server.mjs";

const everything = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true };
const done = [{ text: "Done." }];

// The results of a turn's calls: [{name, text, is_error, details}], by the order of the calls.
function results(messages) {
  const made = messages.filter((m) => m.type === "assistant").flatMap((m) => m.message.content)
    .filter((block) => block.type === "tool_use");
  const ended = new Map(messages.filter((m) => m.type === "user" && Array.isArray(m.message.content))
    .flatMap((m) => m.message.content.map((block) => [block.tool_use_id, { block, details: m.tool_use_result }])));
  return made.map(({ id, name }) => {
    const { block, details } = ended.get(id);
    const text = typeof block.content === "string" ? block.content : JSON.stringify(block.content);
    return { name, text, is_error: block.is_error ?? false, details };
  });
}

class Page extends LoopbackServer {
  answer(_request, _body, response) {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    response.end("<html><head><title>Notes</title></head><body><h1>Version 2</h1></body></html>");
  }
}

export function toolScenarios(scenario) {
  // One call, and what its result says.
  const tool = (name, input, expected, { prepare = () => {}, check = () => {}, options = {}, reads, more = [] } = {}) =>
    scenario(`the tool ${name}`, async (scene) => {
      prepare(scene);
      const parts = typeof input === "function" ? input(scene) : input;
      const first = reads ? [[call("Read", { file_path: reads })]] : [];
      const { messages, result } = await scene.turn("go", [...first, [call(name, parts)], ...more, done],
                                                    { ...everything, ...options });
      assert.equal(result.result, "Done.");
      const made = results(messages)[reads ? 1 : 0];
      assert.equal(made.is_error, false, made.text);
      assert.match(made.text, expected);
      check(scene, made);
    });
  const alpha = (scene) => scene.write("a.txt", "alpha\nbeta\n");

  tool("Read", { file_path: "a.txt" }, /alpha/, {
    prepare: alpha, check: (_, made) => assert.equal(made.details.file.numLines >= 2, true) });
  tool("Write", { file_path: "new.txt", content: "one\n" }, /created/, {
    check: (scene, made) => {
      assert.equal(scene.read("new.txt"), "one\n");
      assert.equal(made.details.type, "create");
    } });
  tool("Edit", { file_path: "a.txt", old_string: "beta", new_string: "gamma" }, /updated/, {
    prepare: alpha, reads: "a.txt", check: (scene) => assert.equal(scene.read("a.txt"), "alpha\ngamma\n") });
  tool("MultiEdit", { file_path: "a.txt", edits: [{ old_string: "alpha", new_string: "one" },
                                                  { old_string: "beta", new_string: "two" }] }, /./, {
    prepare: alpha, reads: "a.txt",
    check: (scene) => assert.equal(scene.read("a.txt"), "one\ntwo\n") });
  tool("NotebookEdit", (scene) => ({ notebook_path: join(scene.cwd, "n.ipynb"), cell_id: "c1", new_source: "print(2)" }),
       /c1/, {
         reads: "n.ipynb",
         prepare: (scene) => scene.write("n.ipynb", JSON.stringify({
           nbformat: 4, nbformat_minor: 5, metadata: { language_info: { name: "python" } },
           cells: [{ id: "c1", cell_type: "code", source: ["print(1)"], metadata: {}, outputs: [],
                     execution_count: null }] })),
         check: (scene) => assert.match(scene.read("n.ipynb"), /print\(2\)/) });
  tool("Glob", { pattern: "*.txt" }, /a\.txt/, { prepare: alpha });
  tool("Grep", { pattern: "beta", output_mode: "content" }, /a\.txt:2:beta/, { prepare: alpha });
  tool("LS", (scene) => ({ path: scene.cwd }), /a\.txt/, { prepare: alpha });
  tool("Bash", { command: "printf o; echo ne" }, /^one$/, {
    check: (_, made) => assert.equal(made.details.stdout, "one") });
  tool("TodoWrite", { todos: [{ content: "Look", status: "pending", activeForm: "Looking" }] },
       /Todos have been modified/, { check: (_, made) => assert.equal(made.details.newTodos.length, 1) });
  tool("WebSearch", { query: "newest version" }, /It is 2/, { more: [[{ text: "It is 2." }]] });
  tool("Task", { description: "Look", prompt: "look around", subagent_type: "general-purpose",
                 run_in_background: false }, /Nothing there/, { more: [[{ text: "Nothing there." }]] });
  tool("Skill", { skill: "greet" }, /greet/i, {
    prepare: (scene) => {
      const folder = join(scene.world.home, ".claude/skills/greet");
      mkdirSync(folder, { recursive: true });
      scene.writeAt(join(folder, "SKILL.md"), "---\nname: greet\ndescription: Greets\n---\nSay hello.\n");
    },
    options: { settingSources: ["user"] } });

  scenario("the tool WebFetch", async (scene) => {
    const page = await new Page().start();
    try {
      const { messages } = await scene.turn(
        "go", [[call("WebFetch", { url: `${page.url}/notes`, prompt: "what is new" })], done],
        { allowedTools: ["WebFetch(domain:127.0.0.1)"] });
      assert.match(results(messages)[0].text, /Version 2/);
    } finally {
      page.stop();
    }
  });

  scenario("the tools for commands in the background", async (scene) => {
    const { messages } = await scene.turn("go", [
      [call("Bash", { command: "echo begun; sleep 300", run_in_background: true })],
      [call("BashOutput", { bash_id: "bash_1" })], [call("KillShell", { shell_id: "bash_1" })], done, done],
      everything);
    const [begun, output, killed] = results(messages);
    assert.match(begun.text, /bash_1/);
    assert.equal(begun.details.backgroundTaskId, "bash_1");
    assert.equal(output.is_error, false);
    assert.equal(killed.is_error, false, killed.text);
  });

  scenario("the tool AskUserQuestion", async (scene) => {
    const questions = [{ question: "Which?", header: "Which", multiSelect: false,
                         options: [{ label: "One", description: "1" }, { label: "Two", description: "2" }] }];
    const { messages } = await scene.turn("go", [[call("AskUserQuestion", { questions })], done], {
      canUseTool: async (_name, input) => ({
        behavior: "allow", updatedInput: { ...input, answers: { "Which?": "Two" } } }) });
    assert.match(results(messages)[0].text, /"Which\?"="Two"/);
  });

  scenario("the tool ExitPlanMode", async (scene) => {
    const asked = [];
    await scene.turn("go", [[call("ExitPlanMode", { plan: "Write it." })],
                            [call("Write", { file_path: "new.txt", content: "one\n" })], done], {
      permissionMode: "plan",
      canUseTool: async (name, input) => (asked.push(name), { behavior: "allow", updatedInput: input }) });
    assert.equal(asked[0], "ExitPlanMode");
    assert.equal(scene.read("new.txt"), "one\n");
  });

  scenario("an answer to a schema", async (scene) => {
    const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const { result } = await scene.turn("give", [[call("StructuredOutput", { name: "Ada" })]], {
      outputFormat: { type: "json_schema", schema } });
    assert.deepEqual(result.structured_output, { name: "Ada" });
  });
}
