// SPDX-License-Identifier: MIT
// Functions of the host that are called at a session's steps.

import assert from "node:assert/strict";
import { call } from "../support/gemini_server.mjs";

const writes = () => [[call("Write", { file_path: "new.txt", content: "one\n" })], [{ text: "Done." }]];

// A hook that answers with what `say` makes of its input, and remembers what it was asked.
function hook(say = () => ({}), matcher = undefined) {
  const asked = [];
  return { asked, groups: [{ matcher, hooks: [async (input) => (asked.push(input), say(input))] }] };
}

export function hookScenarios(scenario) {
  scenario("a PreToolUse hook denies", async (scene) => {
    const pre = hook(() => ({ hookSpecificOutput: {
      hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "not here" } }), "Write");
    const { result, requests } = await scene.turn("write", writes(), {
      permissionMode: "acceptEdits", hooks: { PreToolUse: pre.groups } });
    assert.equal(pre.asked.length, 1);
    assert.equal(scene.has("new.txt"), false);
    assert.match(JSON.stringify(requests[1]), /not here/);
    assert.equal(result.permission_denials.length, 1);
  });

  scenario("a PreToolUse hook changes the input, PostToolUse sees it", async (scene) => {
    const pre = hook(({ tool_input }) => ({ hookSpecificOutput: {
      hookEventName: "PreToolUse", permissionDecision: "allow",
      updatedInput: { ...tool_input, content: "two\n" } } }));
    const post = hook();
    await scene.turn("write", writes(), { hooks: { PreToolUse: pre.groups, PostToolUse: post.groups } });
    assert.equal(scene.read("new.txt"), "two\n");
    assert.equal(post.asked[0].tool_input.content, "two\n");
  });

  scenario("a UserPromptSubmit hook tells the model something", async (scene) => {
    const prompt = hook(() => ({ hookSpecificOutput: {
      hookEventName: "UserPromptSubmit", additionalContext: "it is Monday" } }));
    const { requests } = await scene.turn("which day?", [[{ text: "Monday." }]],
                                          { hooks: { UserPromptSubmit: prompt.groups } });
    assert.equal(prompt.asked[0].prompt, "which day?");
    assert.match(JSON.stringify(requests[0].contents), /it is Monday/);
  });

  scenario("a UserPromptSubmit hook stops a prompt", async (scene) => {
    const prompt = hook(() => ({ decision: "block", reason: "not that" }));
    const { requests } = await scene.turn("secret", [[{ text: "never" }]],
                                          { hooks: { UserPromptSubmit: prompt.groups } });
    assert.equal(requests.length, 0);
  });

  scenario("a Stop hook sends the model on", async (scene) => {
    const stop = hook((input) => (input.stop_hook_active ? {} : { decision: "block", reason: "say more" }));
    const { result } = await scene.turn("go", [[{ text: "Short." }], [{ text: "Longer." }]],
                                        { hooks: { Stop: stop.groups } });
    assert.equal(result.result, "Longer.");
  });

  scenario("a SubagentStop hook sees the end of a subagent", async (scene) => {
    const stop = hook();
    const { result } = await scene.turn("go", [
      [call("Task", { description: "Look", prompt: "look", subagent_type: "general-purpose", run_in_background: false })],
      [{ text: "Nothing there." }], [{ text: "Done." }]], { hooks: { SubagentStop: stop.groups } });
    assert.equal(result.result, "Done.");
    assert.equal(stop.asked.length, 1);
    assert.equal(stop.asked[0].hook_event_name, "SubagentStop");
  });

  scenario("hooks of several events see one turn", async (scene) => {
    const hooks = Object.fromEntries(
      ["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"].map((event) => [event, hook()]));
    await scene.turn("write", writes(), {
      permissionMode: "acceptEdits",
      hooks: Object.fromEntries(Object.entries(hooks).map(([event, { groups }]) => [event, groups])) });
    for (const [event, { asked }] of Object.entries(hooks)) {
      assert.deepEqual(asked.map((input) => input.hook_event_name), [event]);
      assert.equal(asked[0].cwd, scene.cwd);
    }
  });
}
