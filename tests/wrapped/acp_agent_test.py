#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`--strategy acp-agent` with an agent that says what a test wants it to say.

    acp_agent_test.py BINARY
"""

import json
import os
import shlex
import subprocess
import sys
import unittest

from wrapped_world import PATIENCE, World, interrupt_when

BINARY = None

# An agent: `turn(params)` is what a test adds; it returns the stop reason or an error.
PRELUDE = """
import itertools, json, os, pathlib, signal, subprocess, sys, time
world = pathlib.Path(os.environ["WORLD"])
ids = itertools.count()
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

    def hosted(self, body, answer):
        """A turn with a host that gives this answer to every question: (the inputs of the calls
        that it was asked about, the lines)."""
        child = self.world.start(*self.wrap(body), "--input-format", "stream-json",
                                 "--permission-prompt-tool", "stdio", stdin=-1)
        child.stdin.write(json.dumps(
            {"type": "user", "message": {"role": "user", "content": "go"}}) + "\n")
        child.stdin.flush()
        lines = []
        for text in child.stdout:
            line = json.loads(text)
            lines.append(line)
            if line["type"] == "control_request":
                given = {"updatedInput": line["request"]["input"], **answer}
                child.stdin.write(json.dumps({"type": "control_response", "response": {
                    "subtype": "success", "request_id": line["request_id"],
                    "response": given}}) + "\n")
                child.stdin.flush()
            if line["type"] == "result":
                child.stdin.close()
        child.stdout.close()
        child.stderr.close()
        self.assertEqual(child.wait(PATIENCE), 0)
        return [line["request"]["input"] for line in lines
                if line["type"] == "control_request"], lines

    def test_the_host_is_asked(self):
        asked, lines = self.hosted(self.WRITES, {"behavior": "allow"})
        self.assertEqual((len(asked), (self.world.work / "a.txt").read_text()), (1, "new\n"))
        (self.world.work / "a.txt").unlink()
        asked, lines = self.hosted(self.WRITES, {"behavior": "deny", "message": "not now"})
        self.assertEqual((len(asked), (self.world.work / "a.txt").exists()), (1, False))
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
        ask("fs/read_text_file", path=w + "/none.txt")["error"]["code"]]))
    return "end_turn"
serve(turn)
"""), "go")
        self.assertEqual(json.loads(run.text()), [{"content": "two\n"}, True, -32002])
        self.assertEqual(outside.read_text(), "secret")

    TERMINAL = """
def turn(params):
    call = {"toolCallId": "b1", "title": COMMAND, "kind": "execute", "status": "pending",
            "rawInput": {"command": COMMAND}}
    if may(call):
        reply = ask("terminal/create", command=COMMAND, cwd=str(world / "work"))
        if "error" in reply:
            update("tool_call_update", toolCallId="b1", status="failed", content=[
                {"type": "content", "content": {"type": "text", "text": reply["error"]["message"]}}])
            return "end_turn"
        terminal = reply["result"]["terminalId"]
        update("tool_call_update", toolCallId="b1", status="in_progress",
               content=[{"type": "terminal", "terminalId": terminal}])
        end = ask("terminal/wait_for_exit", terminalId=terminal)["result"]
        out = ask("terminal/output", terminalId=terminal)["result"]
        ask("terminal/release", terminalId=terminal)
        update("tool_call_update", toolCallId="b1",
               status="completed" if end["exitCode"] == 0 else "failed")
        say(json.dumps([end, out, "error" in ask("terminal/output", terminalId=terminal)]))
    return "end_turn"
serve(turn)
"""

    def test_a_command_that_the_mode_allows_runs_through_us(self):
        command = "echo x > made.txt; echo hi; exit 0"
        run = self.world.run(*self.wrap(f"COMMAND = {command!r}\n" + self.TERMINAL),
                             "--permission-mode", "bypassPermissions", "go")
        self.assertEqual((self.world.work / "made.txt").read_text(), "x\n")
        self.assertEqual(json.loads(run.text()), [
            {"exitCode": 0, "signal": None},
            {"output": "hi\n", "truncated": False, "exitStatus": {"exitCode": 0, "signal": None}},
            True])
        self.assertEqual(run.pairs(), [("Bash", {"command": command}, "hi\n", False)])

    def test_a_command_that_was_allowed_is_not_asked_for_again(self):
        # The answer to the permission is for the terminal that follows, and for no other command.
        asked, _ = self.hosted("""
def turn(params):
    may({"toolCallId": "b1", "title": "t", "kind": "execute", "rawInput": {"command": "touch a"}})
    w = str(world / "work")
    for more in ({"command": "touch a"}, {"command": "bash", "args": ["-c", "touch a"]},
                 {"command": "touch a", "env": [{"name": "PATH", "value": "/tmp/x y"}]},
                 {"command": "touch", "args": ["b", "it's"]}):
        terminal = ask("terminal/create", cwd=w, **more)["result"]["terminalId"]
        ask("terminal/wait_for_exit", terminalId=terminal)
    return "end_turn"
serve(turn)
""", {"behavior": "allow"})
        self.assertEqual(asked, [{"command": "touch a"}, {"command": "PATH='/tmp/x y' touch a"},
                                 {"command": "touch b 'it'\\''s'"}])
        self.assertEqual(sorted(path.name for path in self.world.work.iterdir()),
                         ["a", "b", "it's"])

    def test_a_command_that_nobody_allows_does_not_run(self):
        run = self.world.run(*self.wrap("""
def turn(params):
    say(ask("terminal/create", command="touch a")["error"]["message"])
    return "end_turn"
serve(turn)
"""), "go")
        self.assertIn("--permission-mode", run.text())
        self.assertEqual(list(self.world.work.iterdir()), [])

    def test_terminals_are_limited_killed_and_answered(self):
        run = self.world.run(*self.wrap("""
def turn(params):
    w = str(world / "work")
    def make(command, **more):
        return ask("terminal/create", command=command, cwd=w, **more)["result"]["terminalId"]
    long = make("printf 0123456789; echo \u00e4; sleep 600", outputByteLimit=4)
    while not ask("terminal/output", terminalId=long)["result"]["output"].endswith("\u00e4\\n"):
        pass
    cut = ask("terminal/output", terminalId=long)["result"]
    ask("terminal/kill", terminalId=long)
    killed = ask("terminal/wait_for_exit", terminalId=long)["result"]
    shown = ask("terminal/output", terminalId=long)["result"]["output"]
    nowhere = make("true", args=[])
    bad = [ask("terminal/create", command="")["error"]["code"],
           ask("terminal/create", command="ls", cwd="there")["error"]["code"],
           ask("terminal/create", command="ls", env=[{"name": "A;b", "value": ""}])["error"]["code"],
           ask("terminal/wait_for_exit", terminalId="none")["error"]["code"],
           ask("terminal/other", terminalId=long)["error"]["code"]]
    make("sleep 600")
    say(json.dumps([cut, killed, shown, bad]))
    return "end_turn"
serve(turn)
"""), "--permission-mode", "bypassPermissions", "go")
        cut, killed, shown, bad = json.loads(run.text())
        self.assertEqual(cut, {"output": "9\u00e4\n", "truncated": True})
        self.assertEqual((killed["exitCode"], shown), (None, "9\u00e4\n"))
        self.assertEqual(bad, [-32602, -32602, -32602, -32602, -32601])

    def test_an_interrupt_ends_the_commands_of_the_agent(self):
        self.world.expect_ready()
        child = self.world.start(*self.wrap("""
def turn(params):
    terminal = ask("terminal/create", command="echo x > ready; sleep 600")["result"]["terminalId"]
    ask("terminal/wait_for_exit", terminalId=terminal)
    return until_cancelled()
serve(turn)
"""), "--permission-mode", "bypassPermissions", "hi")
        interrupt_when(child, self.world.ready)
        stdout, _ = child.communicate(timeout=PATIENCE)
        self.assertEqual(stdout.count('"type":"result"'), 1)
        self.assertEqual(self.world.processes(), [])

    def test_an_editor_that_rejects_for_always_is_not_asked_again(self):
        wrapped = self.wrap("""
def turn(params):
    for id in ("b1", "b2"):
        may({"toolCallId": id, "title": "t", "kind": "execute", "rawInput": {"command": "touch a"}})
    return "end_turn"
serve(turn)
""")
        child = subprocess.Popen([BINARY, "--acp", *wrapped], cwd=self.world.work, text=True,
                                 env=self.world.environment, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE)

        def send(**message):
            child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            child.stdin.flush()

        send(id=0, method="initialize", params={"protocolVersion": 1})
        send(id=1, method="session/new", params={"cwd": str(self.world.work), "mcpServers": []})
        asked = 0
        for message in map(json.loads, child.stdout):
            if message.get("id") == 1:
                send(id=2, method="session/prompt", params={
                    "sessionId": message["result"]["sessionId"],
                    "prompt": [{"type": "text", "text": "go"}]})
            if message.get("method") == "session/request_permission":
                asked += 1
                (never,) = [one["optionId"] for one in message["params"]["options"]
                            if one["kind"] == "reject_always"]
                send(id=message["id"], result={"outcome": {"outcome": "selected",
                                                           "optionId": never}})
            if message.get("id") == 2:
                child.stdin.close()
        child.stdout.close()
        self.assertEqual((child.wait(PATIENCE), asked), (0, 1))

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
