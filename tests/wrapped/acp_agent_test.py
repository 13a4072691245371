#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`--strategy acp-agent` with an agent that says what a test wants it to say.

    acp_agent_test.py BINARY
"""

import json
import os
import shlex
import sys
import unittest

from wrapped_world import PATIENCE, World, interrupt_when

BINARY = None

# An agent: `turn(params)` is what a test adds; it returns the stop reason or an error.
PRELUDE = """
import json, os, pathlib, signal, subprocess, sys, time
world = pathlib.Path(os.environ["WORLD"])
ids = iter(range(1000))
held = []
def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
def receive():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    message = json.loads(line)
    with open(world / "heard", "a") as file:
        file.write(line)
    return message
def ask(method, **params):
    id = next(ids)
    send(id=id, method=method, params={"sessionId": "s1", **params})
    while True:
        message = receive()
        if message.get("id") == id and "method" not in message:
            return message
        held.append(message)
def update(which, **fields):
    send(method="session/update", params={"sessionId": "s1", "update": {"sessionUpdate": which, **fields}})
def say(text):
    update("agent_message_chunk", content={"type": "text", "text": text})
def may(call):
    reply = ask("session/request_permission", toolCall=call, options=[
        {"optionId": "a", "kind": "allow_once", "name": "Allow"},
        {"optionId": "r", "kind": "reject_once", "name": "Reject"}])
    return reply["result"]["outcome"].get("optionId") == "a"
def until_cancelled():
    while True:
        message = held.pop(0) if held else receive()
        if message.get("method") == "session/cancel":
            return "cancelled"
NEW = {"sessionId": "s1", "modes": {"currentModeId": "default", "availableModes": [
    {"id": "default", "name": "Default"}, {"id": "plan", "name": "Plan"}]}}
def serve(turn, hello=None, new=None):
    while True:
        message = held.pop(0) if held else receive()
        method = message.get("method")
        if method == "initialize":
            send(id=message["id"], result=hello or {"protocolVersion": 1, "agentInfo": {
                "name": "scripted", "version": "1"}, "agentCapabilities": {}, "authMethods": []})
        elif method == "session/new":
            send(id=message["id"], **(new or {"result": NEW}))
        elif method == "session/prompt":
            end = turn(message["params"])
            send(id=message["id"], **(end if isinstance(end, dict) else {"result": {"stopReason": end}}))
        elif "id" in message and method:
            send(id=message["id"], result={})
"""


class AcpAgent(unittest.TestCase):
    def setUp(self):
        self.world = World(BINARY)
        self.addCleanup(self.world.close)

    def tearDown(self):
        self.assertEqual(self.world.processes(), [])

    def wrap(self, body):
        path = self.world.program("agent", PRELUDE + body)
        return ["--strategy", "acp-agent", "--agent-command", f"{shlex.quote(path)} --acp"]

    def heard(self, method):
        lines = (self.world.root / "heard").read_text().splitlines()
        return [one.get("params") for one in map(json.loads, lines) if one.get("method") == method]

    def test_text_and_thoughts_become_a_turn(self):
        run = self.world.run(*self.wrap("""
def turn(params):
    update("agent_thought_chunk", content={"type": "text", "text": "Hm."})
    say("Hel"); say("lo.")
    return {"result": {"stopReason": "end_turn", "usage": {"inputTokens": 20, "outputTokens": 8,
            "cachedReadTokens": 10, "totalTokens": 38}}}
serve(turn)
"""), "hi")
        self.assertEqual((run.code, run.stderr, run.text()), (0, "", "Hello."))
        self.assertEqual(run.blocks("assistant", "thinking")[0]["thinking"], "Hm.")
        result = run.result()
        self.assertEqual((result["subtype"], result["result"], result["num_turns"]),
                         ("success", "Hello.", 1))
        self.assertEqual((result["usage"]["input_tokens"], result["usage"]["output_tokens"]), (20, 8))
        (opened,) = self.heard("session/new")
        self.assertEqual(opened, {"cwd": str(self.world.work), "mcpServers": []})
        (asked,) = self.heard("session/prompt")
        self.assertEqual(asked["prompt"], [{"type": "text", "text": "hi"}])

    WRITES = """
def turn(params):
    call = {"toolCallId": "w1", "title": "Write a.txt", "kind": "edit", "status": "pending",
            "content": [{"type": "diff", "path": str(world / "work/a.txt"), "oldText": None,
                         "newText": "new\\n"}]}
    if may(call):
        reply = ask("fs/write_text_file", path=str(world / "work/a.txt"), content="new\\n")
        update("tool_call_update", toolCallId="w1", status="completed" if "result" in reply else "failed")
    say("Done.")
    return "end_turn"
serve(turn)
"""

    def test_a_call_that_the_mode_allows_runs_through_us(self):
        run = self.world.run(*self.wrap(self.WRITES), "--permission-mode", "acceptEdits", "go")
        path = str(self.world.work / "a.txt")
        self.assertEqual(run.pairs(), [("Write", {"file_path": path, "content": "new\n"}, "", False)])
        self.assertEqual((self.world.work / "a.txt").read_text(), "new\n")
        self.assertEqual((run.code, run.result()["files_written"]), (0, [path]))

    def test_a_call_that_nobody_allows_does_not_run(self):
        run = self.world.run(*self.wrap(self.WRITES), "go")
        self.assertFalse((self.world.work / "a.txt").exists())
        ((_, _, text, failed),) = run.pairs()
        self.assertTrue(failed)
        self.assertIn("--permission-mode", text)
        self.assertEqual([denial["tool_name"] for denial in run.result()["permission_denials"]],
                         ["Write"])
        self.assertEqual(run.code, 0)

    def test_the_host_is_asked(self):
        for behavior, written in (("allow", True), ("deny", False)):
            wrapped = self.wrap(self.WRITES)
            child = self.world.start(*wrapped, "--input-format", "stream-json",
                                     "--permission-prompt-tool", "stdio", stdin=-1)
            child.stdin.write(json.dumps(
                {"type": "user", "message": {"role": "user", "content": "go"}}) + "\n")
            child.stdin.flush()
            lines = []
            for text in child.stdout:
                line = json.loads(text)
                lines.append(line)
                if line["type"] == "control_request":
                    answer = ({"behavior": "allow", "updatedInput": line["request"]["input"]}
                              if behavior == "allow" else {"behavior": "deny", "message": "not now"})
                    child.stdin.write(json.dumps({"type": "control_response", "response": {
                        "subtype": "success", "request_id": line["request_id"],
                        "response": answer}}) + "\n")
                    child.stdin.flush()
                if line["type"] == "result":
                    child.stdin.close()
            child.stdout.close()
            child.stderr.close()
            self.assertEqual(child.wait(PATIENCE), 0)
            kinds = [line["type"] for line in lines]
            self.assertEqual(kinds.count("control_request"), 1)
            self.assertEqual((self.world.work / "a.txt").exists(), written)
            if written:
                (self.world.work / "a.txt").unlink()
            else:
                self.assertIn("not now", json.dumps(lines))

    def test_files_are_read_and_written_behind_our_guards(self):
        (self.world.work / "in.txt").write_text("one\ntwo\nthree\n")
        outside = self.world.root / "secret.txt"
        outside.write_text("secret")
        run = self.world.run(*self.wrap("""
def turn(params):
    w = str(world / "work")
    say(json.dumps([
        ask("fs/read_text_file", path=w + "/in.txt", line=2, limit=1).get("result"),
        "error" in ask("fs/write_text_file", path=str(world / "secret.txt"), content="x"),
        ask("fs/read_text_file", path=w + "/none.txt")["error"]["code"],
        ask("terminal/create", command="ls")["error"]["code"]]))
    return "end_turn"
serve(turn)
"""), "go")
        self.assertEqual(json.loads(run.text()), [{"content": "two\n"}, True, -32002, -32601])
        self.assertEqual(outside.read_text(), "secret")

    def test_every_dialect_ends_with_one_result(self):
        wrapped = self.wrap(self.WRITES)
        for dialect in ("claude", "gemini", "yume", "yume-app"):
            run = self.world.run(*wrapped, "go", dialect=dialect)
            self.assertEqual((run.code, len(run.results())), (0, 1), dialect)

    def test_the_model_is_the_agents_too_where_it_has_it(self):
        offers = {"sessionId": "s1", "configOptions": [
            {"id": "model", "name": "Model", "type": "select", "category": "model",
             "currentValue": "x", "options": [{"value": "x"}, {"value": "gemini-3.8-flash"}]}]}
        self.world.run(*self.wrap(
            f"serve(lambda params: 'end_turn', new={{'result': {offers!r}}})\n"), "hi")
        self.assertEqual(self.heard("session/set_config_option"),
                         [{"sessionId": "s1", "configId": "model", "value": "gemini-3.8-flash"}])

    def test_plan_mode_is_the_agents_too(self):
        self.world.run(*self.wrap("serve(lambda params: 'end_turn')\n"), "--permission-mode",
                       "plan", "hi")
        self.assertEqual(self.heard("session/set_mode"), [{"sessionId": "s1", "modeId": "plan"}])

    def test_stop_reasons_and_errors(self):
        for end, subtype, words in (
                ("'max_turn_requests'", "error_max_turns", ""),
                ("'refusal'", "success", "refused"),
                ("{'error': {'code': 429, 'message': 'Quota exceeded'}}", "success",
                 "Quota exceeded"),
                ("{'result': {}}", "success", "did not say")):
            run = self.world.run(*self.wrap(f"serve(lambda params: {end})\n"), "hi")
            self.assertEqual((run.code, run.result()["is_error"]), (1, True), end)
            self.assertIn(words, json.dumps(run.lines), end)

    def test_an_agent_that_wants_a_login(self):
        run = self.world.run(*self.wrap(
            "serve(None, new={'error': {'code': -32000, 'message': 'Authentication required'}})\n"),
            "hi")
        self.assertEqual((run.code, run.result()["is_error"]), (1, True))
        self.assertIn("sign in", run.result()["result"])

    def test_a_program_that_is_not_there(self):
        run = self.world.run("--strategy", "acp-agent", "--agent-command", "nowhere --acp", "hi")
        self.assertEqual((run.code, run.result()["is_error"]), (1, True))
        self.assertIn("`nowhere`", run.result()["result"])

    def test_an_agent_that_is_killed(self):
        run = self.world.run(*self.wrap("""
def turn(params):
    say("a")
    os.kill(os.getpid(), signal.SIGKILL)
serve(turn)
"""), "hi")
        self.assertEqual((run.code, run.result()["is_error"], run.text()[:1]), (1, True, "a"))
        self.assertIn("SIGKILL", json.dumps(run.lines))

    def test_an_interrupt_is_passed_on(self):
        self.world.expect_ready()
        child = self.world.start(*self.wrap("""
def turn(params):
    say("a")
    (world / "work/ready").write_text("x")
    return until_cancelled()
serve(turn)
"""), "hi")
        interrupt_when(child, self.world.ready)
        stdout, _ = child.communicate(timeout=PATIENCE)
        self.assertEqual(stdout.count('"type":"result"'), 1)
        self.assertIn("[Request interrupted by user]", stdout)
        self.assertEqual(len(self.heard("session/cancel")), 1)

    def test_an_agent_that_does_not_stop_is_killed_with_all_it_started(self):
        self.world.expect_ready()
        child = self.world.start(*self.wrap("""
def turn(params):
    update("tool_call", toolCallId="t", title="sleep 600", kind="execute", status="in_progress")
    subprocess.Popen(["/bin/sh", "-c", "sleep 600 & sleep 600"])
    (world / "work/ready").write_text("x")
    time.sleep(600)
serve(turn)
"""), "hi")
        interrupt_when(child, self.world.ready)
        stdout, _ = child.communicate(timeout=PATIENCE)
        self.assertEqual(stdout.count('"type":"result"'), 1)
        self.assertIn("[Request interrupted by user for tool use]", stdout)
        self.assertEqual(self.world.processes(), [])


if __name__ == "__main__":
    BINARY = os.path.realpath(sys.argv.pop(1))
    unittest.main()
