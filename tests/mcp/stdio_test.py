#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""MCP servers that are child processes: what hosts and the model see of good ones, and what becomes
of bad ones (fault R-05).

    stdio_test.py BINARY
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

SUPPORT = Path(__file__).resolve().parent.parent / "support"
sys.path.insert(0, str(SUPPORT))
from loopback_server import Server  # noqa: E402
from scripted_agent import environment  # noqa: E402

BINARY = None


def reply(parts):
    said = {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]}
    return 200, "text/event-stream", f"data: {json.dumps(said)}\r\n\r\n".encode()


def call(name, arguments):
    return {"functionCall": {"name": name, "args": arguments}}


def command_line(binary, model, *flags):
    return [binary, "--output-format", "stream-json", "--verbose", "--model", "gemini-3.8-flash",
            "--auth", "api-key", "--api-base", model.url, *flags]


def server(mode="good", *more, **fields):
    return {"command": sys.executable, "args": [str(SUPPORT / "mcp_server.py"), mode, *more],
            **fields}


def config(**servers):
    return json.dumps({"mcpServers": servers})


class Host:
    """One process, the host that writes its lines, and a model that says what it is given to say."""

    def __init__(self, test, *flags, env=None, cwd=None):
        self.test = test
        self.home = test.home
        self.says = []
        self.requests = []
        self.lines = []
        self.lock = threading.Lock()
        model = Server(self.answer)
        test.addCleanup(model.close)
        self.process = subprocess.Popen(
            command_line(BINARY, model, "--input-format", "stream-json", *flags),
            env={**environment(self.home), **(env or {})}, cwd=cwd or self.home,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        test.addCleanup(self.process.wait)
        test.addCleanup(self.process.kill)
        test.addCleanup(self.process.stdout.close)
        test.addCleanup(self.process.stdin.close)

    def answer(self, _, body):
        with self.lock:
            self.requests.append(json.loads(body))
            return reply(self.says.pop(0))

    def write(self, line):
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()

    def read_until(self, found):
        for line in self.process.stdout:
            parsed = json.loads(line)
            self.lines.append(parsed)
            if found(parsed):
                return parsed
        self.test.fail(f"stdout has ended; the last lines: {self.lines[-3:]}")

    def request(self, subtype, **fields):
        """The body of the answer to a control request."""
        self.write({"type": "control_request", "request_id": "r", "request": {
            "subtype": subtype, **fields}})
        response = self.read_until(lambda line: line["type"] == "control_response")["response"]
        return response

    def wait_for_server(self, name, found):
        """Until its report says so: a server's news come when they come."""
        while True:
            report = self.request("mcp_status")["response"]["mcpServers"]
            if found(next(one for one in report if one["name"] == name)):
                return

    def ask(self, text, *says, until=lambda line: line["type"] == "result"):
        with self.lock:
            self.says.extend(says)
        self.lines.clear()
        self.write({"type": "user", "message": {"role": "user", "content": text}})
        return self.read_until(until)

    def init(self):
        return next(line for line in self.lines if line.get("subtype") == "init")

    def results(self):
        return [line["message"]["content"][0] for line in self.lines
                if line["type"] == "user" and isinstance(line["message"]["content"], list)]

    def status(self):
        return {one["name"]: one["status"] for one in self.init()["mcp_servers"]}

    def declared(self, request=-1):
        return [one["name"] for one in
                self.requests[request]["tools"][0]["functionDeclarations"]]

    def close(self):
        self.process.stdin.close()
        return self.process.wait(timeout=30)


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.home = os.path.realpath(scratch.name)

    def host(self, *flags, **kwargs):
        return Host(self, *flags, **kwargs)

    def bypassing(self, servers, *flags, **kwargs):
        return self.host("--mcp-config", config(**servers), "--permission-mode",
                         "bypassPermissions", *flags, **kwargs)


def done(text="Done."):
    return [{"text": text}]


class GoodServer(Case):
    def test_tools_are_declared_called_and_answered(self):
        host = self.bypassing({"s": server()})
        result = host.ask("go", [call("mcp__s__echo", {"text": "hello"})], done())
        self.assertEqual(result["subtype"], "success")
        self.assertEqual(host.init()["mcp_servers"],
                         [{"name": "s", "status": "connected", "source": "dynamic"}])
        self.assertIn("mcp__s__echo", host.init()["tools"])
        self.assertIn("mcp__s__progress", host.declared(0))
        echo = next(one for one in host.requests[0]["tools"][0]["functionDeclarations"]
                    if one["name"] == "mcp__s__echo")
        self.assertEqual(echo["description"], "Says it back")
        self.assertNotIn("$schema", echo["parametersJsonSchema"])
        self.assertEqual(host.results()[0]["content"], [{"type": "text", "text": "echo: hello"}])
        self.assertIn("echo: hello", json.dumps(host.requests[1]["contents"]))
        self.assertEqual(host.close(), 0)

    def test_results_of_all_kinds(self):
        host = self.bypassing({"s": server()})
        host.ask("go", [call(f"mcp__s__{tool}", {}) for tool in
                        ("picture", "fail", "structured", "long")], done())
        picture, fail, structured, long = host.results()
        self.assertEqual([block["type"] for block in picture["content"]], ["text", "image"])
        self.assertEqual(picture["content"][1]["source"]["media_type"], "image/png")
        self.assertTrue(fail["is_error"])
        self.assertEqual(fail["content"], "it went wrong")
        self.assertEqual(structured["content"], [{"type": "text", "text": '{"degrees":21}'}])
        kept = long["content"][0]["text"]
        self.assertIn("<persisted-output>", kept)
        path = kept.split("saved to: ")[1].split("\n")[0]
        self.assertEqual(Path(path).read_text(), ("line of text\n" * 20_000)[:-1] + "\n")
        self.assertIn("inlineData", json.dumps(host.requests[1]["contents"]))

    def test_the_environment_is_clean_and_variables_are_expanded(self):
        host = self.bypassing(
            {"s": server(env={"OWN": "${WORD}-${NONE:-otherwise}"})},
            env={"WORD": "expanded", "MY_API_KEY": "secret-value"})
        host.ask("go", [call("mcp__s__env", {"names": ["OWN", "MY_API_KEY", "GEMINI_API_KEY"]})],
                 done())
        seen = json.loads(host.results()[0]["content"][0]["text"])
        self.assertEqual(seen, {"OWN": "expanded-otherwise", "MY_API_KEY": None,
                                "GEMINI_API_KEY": None})

    def test_secrets_of_the_configuration_are_shown_nowhere(self):
        secret = "very-secret-value-of-a-token"
        host = self.bypassing({"s": server(env={"SERVICE_TOKEN": "${GIVEN}"})},
                              env={"GIVEN": secret})
        host.ask("go", [call("mcp__s__env", {"names": ["SERVICE_TOKEN"]})], done())
        self.assertIn("[redacted]", json.dumps(host.results()))
        self.assertNotIn(secret, json.dumps(host.lines) + json.dumps(host.requests))
        self.assertNotIn(secret, json.dumps(host.request("mcp_status")))

    def test_tools_that_come_later_are_in_the_next_request(self):
        host = self.bypassing({"s": server()})
        host.ask("go", [call("mcp__s__grow", {})], done())
        host.wait_for_server("s", lambda one: "grown" in [tool["name"] for tool in one["tools"]])
        host.ask("on", done())
        self.assertNotIn("mcp__s__grown", host.declared(0))
        self.assertIn("mcp__s__grown", host.declared())

    def test_roots_resources_and_progress(self):
        host = self.bypassing({"s": server()}, "--debug-file", os.path.join(self.home, "log"))
        host.ask("go", [call("mcp__s__roots", {}), call("mcp__s__progress", {}),
                        call("ListMcpResourcesTool", {}),
                        call("ReadMcpResourceTool", {"server": "s", "uri": "test://one"})], done())
        roots, progress, listed, read = host.results()
        self.assertEqual(json.loads(roots["content"][0]["text"]),
                         {"roots": [{"uri": "file://" + self.home}]})
        self.assertEqual(progress["content"][0]["text"], "done")
        self.assertIn("test://one", listed["content"])
        self.assertIn("the first resource", json.dumps(read["content"]))
        self.assertIn("logged words", Path(self.home, "log").read_text())

    def test_elicitation_is_the_hosts(self):
        host = self.bypassing({"s": server()})
        question = host.ask("go", [call("mcp__s__ask", {})], done(),
                            until=lambda line: line["type"] == "control_request")
        self.assertEqual(question["request"]["subtype"], "elicitation")
        self.assertEqual(question["request"]["mcp_server_name"], "s")
        self.assertEqual(question["request"]["message"], "What colour?")
        host.write({"type": "control_response", "response": {
            "subtype": "success", "request_id": question["request_id"],
            "response": {"action": "accept", "content": {"colour": "blue"}}}})
        host.read_until(lambda line: line["type"] == "result")
        self.assertIn('"colour": "blue"', host.results()[0]["content"][0]["text"])

    def test_an_old_revision_is_spoken_too(self):
        host = self.bypassing({"s": server("old")})
        host.ask("go", [call("mcp__s__echo", {"text": "x"})], done())
        self.assertEqual(host.status(), {"s": "connected"})

    def test_a_turn_of_its_own_process(self):
        model = Server(lambda *_: reply(done("Fine.")))
        self.addCleanup(model.close)
        run = subprocess.run(
            command_line(BINARY, model, "-p", "--mcp-config", config(s=server()), "--", "go"),
            env=environment(self.home), cwd=self.home, capture_output=True, timeout=60,
            stdin=subprocess.DEVNULL)
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual(lines[0]["mcp_servers"][0]["status"], "connected")
        self.assertEqual(lines[-1]["result"], "Fine.")
        self.assertEqual(run.stderr, b"")


class Permissions(Case):
    def test_without_a_rule_it_is_asked_and_refused(self):
        host = self.host("--mcp-config", config(s=server()))
        result = host.ask("go", [call("mcp__s__echo", {"text": "x"})], done())
        self.assertIn("haven't granted it yet", host.results()[0]["content"])
        self.assertEqual(result["permission_denials"][0]["tool_name"], "mcp__s__echo")

    def test_rules_name_the_server_or_the_tool(self):
        for rule in ("mcp__s", "mcp__s__*", "mcp__s__echo"):
            host = self.host("--mcp-config", config(s=server()), "--allowedTools", rule)
            host.ask("go", [call("mcp__s__echo", {"text": "x"})], done())
            self.assertEqual(host.results()[0]["content"],
                             [{"type": "text", "text": "echo: x"}], rule)

    def test_a_denied_tool_is_not_offered(self):
        host = self.bypassing({"s": server()}, "--disallowedTools", "mcp__s__echo")
        host.ask("go", done())
        self.assertNotIn("mcp__s__echo", host.declared())
        self.assertIn("mcp__s__fail", host.declared())


    def test_a_tool_can_be_asked_for_permission(self):
        host = self.host("--mcp-config", config(s=server()), "--permission-prompt-tool",
                         "mcp__s__approve")
        host.ask("go", [call("Bash", {"command": "touch yes"}),
                        call("Bash", {"command": "touch no"})], done())
        self.assertNotIn("mcp__s__approve", host.declared())
        allowed, denied = host.results()
        self.assertFalse(allowed["is_error"])
        self.assertEqual(denied["content"], "no Bash today")
        self.assertEqual([name for name in ("yes", "no", "changed")
                          if Path(self.home, name).exists()], ["changed"])


class Configuration(Case):
    def run_once(self, *flags):
        model = Server(lambda *_: reply(done("Fine.")))
        self.addCleanup(model.close)
        run = subprocess.run(command_line(BINARY, model, "-p", *flags, "--", "go"),
                             env=environment(self.home), cwd=self.home, capture_output=True,
                             timeout=60, stdin=subprocess.DEVNULL)
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        return run, lines

    def servers_of(self, *flags):
        _, lines = self.run_once(*flags)
        return {one["name"]: one.get("source") for one in lines[0]["mcp_servers"]}

    def test_files_texts_and_several_of_them(self):
        Path(self.home, "a.json").write_text(config(a=server()))
        self.assertEqual(self.servers_of("--mcp-config", "a.json", config(b=server())),
                         {"a": "dynamic", "b": "dynamic"})

    def test_settings_count_unless_strict(self):
        folder = Path(self.home, ".yume")
        folder.mkdir()
        Path(folder, "settings.json").write_text(config(u=server()))
        self.assertEqual(self.servers_of(), {"u": "user"})
        self.assertEqual(self.servers_of("--strict-mcp-config"), {})

    def test_the_folders_own_count_only_when_it_is_trusted(self):
        mark = Path(self.home, "started")
        Path(self.home, ".mcp.json").write_text(config(p={
            "command": "/bin/sh", "args": ["-c", f"touch {mark}; cat"]}))
        self.assertEqual(self.servers_of(), {})
        self.assertFalse(mark.exists())
        Path(self.home, ".mcp.json").write_text(config(p=server()))
        self.assertEqual(self.servers_of("--trust-workspace"), {"p": "project"})

    def test_mistakes_are_named(self):
        for text, words in ((config(s={"args": []}), "mcpServers.s: Invalid input: `command`"),
                            (config(s={"type": "ftp"}), "the type 'ftp' is not stdio"),
                            ('{"servers":{}}', "mcpServers: Invalid input"),
                            (config(s=server(env={"A": "${NOT_SET_ANYWHERE}"})),
                             "NOT_SET_ANYWHERE is not set"),
                            ("missing.json", "MCP config file not found")):
            run, lines = self.run_once("--mcp-config", text)
            self.assertEqual(run.returncode, 1, text)
            said = run.stderr.decode() + json.dumps(lines)
            self.assertIn(words, said)
            self.assertIn("Invalid MCP configuration", said)


class BadServers(Case):
    """Each beside a good one, which must not notice."""

    def with_bad(self, mode, *more):
        host = self.bypassing({"bad": server(mode, *more), "good": server()})
        result = host.ask("go", [call("mcp__good__echo", {"text": "x"})], done())
        self.assertEqual(result["subtype"], "success")
        self.assertEqual(host.results()[0]["content"][0]["text"], "echo: x")
        self.assertEqual(host.status()["good"], "connected")
        return host

    def error_of(self, host, name="bad"):
        servers = host.request("mcp_status")["response"]["mcpServers"]
        return next(one for one in servers if one["name"] == name)["error"]

    def test_one_that_does_not_start(self):
        host = self.with_bad("no-start")
        self.assertEqual(host.status()["bad"], "failed")
        self.assertIn("the configuration is missing", self.error_of(host))

    def test_a_program_that_does_not_exist(self):
        host = self.bypassing({"bad": {"command": "no-such-program-anywhere"}})
        host.ask("go", done())
        self.assertEqual(host.status(), {"bad": "failed"})
        self.assertIn("not in PATH", self.error_of(host))

    # The short limits below hold for every server, so there is no good one beside these.

    def test_one_that_never_answers(self):
        host = self.bypassing({"bad": server("silent")}, env={"MCP_TIMEOUT": "300"})
        self.assertEqual(host.ask("go", done())["subtype"], "success")
        self.assertEqual(host.status()["bad"], "failed")
        self.assertIn("did not answer initialize", self.error_of(host))

    def test_one_that_floods(self):
        for mode in ("floods", "long-line"):
            host = self.with_bad(mode)
            self.assertEqual(host.status()["bad"], "failed", mode)
            self.assertIn("no message", self.error_of(host), mode)

    def test_one_that_is_noisy_but_good(self):
        for mode in ("stderr", "greets", "liar"):
            host = self.with_bad(mode)
            self.assertEqual(host.status()["bad"], "connected", mode)
            host.ask("go", [call("mcp__bad__echo", {"text": "y"})], done())
            self.assertEqual(host.results()[0]["content"][0]["text"], "echo: y")

    def test_one_that_dies_in_a_call(self):
        host = self.with_bad("dies")
        host.ask("go", [call("mcp__bad__echo", {"text": "y"})], done())
        self.assertTrue(host.results()[0]["is_error"])
        self.assertIn("ended with exit code 3: out of luck", host.results()[0]["content"])
        host.wait_for_server("bad", lambda one: one["status"] == "failed")
        host.ask("on", done())
        self.assertNotIn("mcp__bad__echo", host.declared())
        self.assertEqual(host.status()["bad"], "failed")
        self.assertEqual(host.request("mcp_reconnect", serverName="bad")["subtype"], "success")
        host.ask("on", done())
        self.assertEqual(host.status()["bad"], "connected")

    def test_a_call_without_an_answer_has_a_limit(self):
        host = self.bypassing({"bad": server("hangs", os.path.join(self.home, "heard"))},
                              env={"MCP_TOOL_TIMEOUT": "300"})
        host.ask("go", [call("mcp__bad__echo", {"text": "y"})], done())
        self.assertTrue(host.results()[0]["is_error"])
        self.assertIn("within 300 ms (MCP_TOOL_TIMEOUT", host.results()[0]["content"])
        self.assertEqual(host.status()["bad"], "connected")

    def test_an_interrupt_ends_a_call_and_the_server_learns_of_it(self):
        heard = Path(self.home, "heard")
        host = self.with_bad("hangs", str(heard))
        host.ask("go", [call("mcp__bad__fail", {})], until=lambda line: "fail" in json.dumps(line))
        while "tools/call" not in (heard.read_text() if heard.exists() else ""):
            pass
        host.write({"type": "control_request", "request_id": "i",
                    "request": {"subtype": "interrupt"}})
        result = host.read_until(lambda line: line["type"] == "result")
        self.assertEqual(result["terminal_reason"], "aborted_tools")
        while "notifications/cancelled" not in heard.read_text():
            pass


class Control(Case):
    def test_status_set_toggle(self):
        host = self.bypassing({"s": server()})
        host.ask("go", done())
        status = host.request("mcp_status")["response"]["mcpServers"]
        self.assertEqual((status[0]["name"], status[0]["status"]), ("s", "connected"))
        self.assertEqual(status[0]["serverInfo"], {"name": "scripted", "version": "1.2.3"})
        self.assertEqual(status[0]["tools"][0],
                         {"name": "echo", "annotations": {"readOnly": True}})
        added = host.request("mcp_set_servers", servers={
            "t": server(), "broken": {"type": "nothing"}, "bad": server("no-start")})["response"]
        self.assertEqual(sorted(added["added"]), ["bad", "t"])
        self.assertIn("the type 'nothing'", added["errors"]["broken"])
        self.assertIn("configuration is missing", added["errors"]["bad"])
        host.ask("go", [call("mcp__t__echo", {"text": "t"})], done())
        self.assertEqual(host.status(), {"s": "connected", "t": "connected", "bad": "failed"})
        self.assertEqual(host.request("mcp_toggle", serverName="s", enabled=False)["subtype"],
                         "success")
        host.ask("go", done())
        self.assertEqual(host.status()["s"], "disabled")
        self.assertNotIn("mcp__s__echo", host.declared())
        host.request("mcp_toggle", serverName="s", enabled=True)
        host.ask("go", done())
        self.assertIn("mcp__s__echo", host.declared())
        removed = host.request("mcp_set_servers", servers={})["response"]
        self.assertEqual(sorted(removed["removed"]), ["bad", "t"])
        self.assertEqual(host.request("mcp_reconnect", serverName="nobody")["subtype"], "error")
        self.assertEqual(host.close(), 0)


    def test_a_server_of_the_flag_is_replaced_by_the_hosts(self):
        host = self.bypassing({"s": server(), "other": server()})
        host.ask("go", done())
        outcome = host.request("mcp_set_servers", servers={"s": server("bare")})["response"]
        self.assertEqual((outcome["added"], outcome["removed"], outcome["errors"]), (["s"], [], {}))
        host.ask("go", done())
        self.assertEqual(host.status(), {"s": "connected", "other": "connected"})
        self.assertNotIn("mcp__s__echo", host.declared())
        self.assertIn("mcp__other__echo", host.declared())
        outcome = host.request("mcp_set_servers", servers={})["response"]
        self.assertEqual(outcome["removed"], ["s"])
        self.assertEqual(host.close(), 0)

    def test_a_server_of_the_user_stays_against_the_hosts(self):
        settings = json.dumps({"mcpServers": {"s": server()}})
        host = self.bypassing({}, "--settings", settings)
        host.ask("go", done())
        outcome = host.request("mcp_set_servers", servers={"s": server("bare")})["response"]
        self.assertIn("configuration", outcome["errors"]["s"])
        host.ask("go", done())
        self.assertIn("mcp__s__echo", host.declared())
        self.assertEqual(host.close(), 0)


class InsideTheHost(Case):
    def test_messages_go_through_the_control_channel(self):
        host = self.host("--permission-mode", "bypassPermissions")
        host.says.extend([[call("mcp__own__add", {"a": 1})], done()])
        host.write({"type": "control_request", "request_id": "1", "request": {
            "subtype": "initialize", "sdkMcpServers": ["own"]}})
        host.write({"type": "user", "message": {"role": "user", "content": "go"}})
        answers = {
            "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                           "serverInfo": {"name": "own", "version": "1"}},
            "tools/list": {"tools": [{"name": "add", "inputSchema": {"type": "object"}}]},
            "tools/call": {"content": [{"type": "text", "text": "2"}]}}
        methods = []

        def serve(line):
            if line["type"] != "control_request":
                return line["type"] == "result"
            message = line["request"]["message"]
            methods.append(message["method"])
            self.assertEqual(line["request"]["server_name"], "own")
            answer = {"jsonrpc": "2.0", "id": message.get("id", 0),
                      "result": answers.get(message["method"], {})}
            host.write({"type": "control_response", "response": {
                "subtype": "success", "request_id": line["request_id"],
                "response": {"mcp_response": answer}}})
            return False

        host.read_until(serve)
        self.assertEqual(methods, ["initialize", "notifications/initialized", "tools/list",
                                   "tools/call"])
        self.assertEqual(host.status(), {"own": "connected"})
        self.assertEqual(host.results()[0]["content"][0]["text"], "2")

    def test_nobody_waits_for_a_host_that_has_closed_stdin(self):
        host = self.host()
        host.says.append(done())
        host.write({"type": "control_request", "request_id": "1", "request": {
            "subtype": "initialize", "sdkMcpServers": ["own"]}})
        host.write({"type": "user", "message": {"role": "user", "content": "go"}})
        host.process.stdin.close()
        host.read_until(lambda line: line["type"] == "result")
        self.assertEqual(host.status(), {"own": "failed"})


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
