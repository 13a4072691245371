#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real agents from npm, wrapped, against a scripted server: the official Gemini CLI by its lines and
by ACP, and claude-agent-acp on top of this very program.

    real_agents_test.py BINARY NODE_MODULES
"""

import json
import os
import shlex
import shutil
import signal
import sys
import threading
import unittest
from pathlib import Path

from wrapped_world import MODEL, PATIENCE, World, interrupt_when, wait_for

from loopback_server import Server  # noqa: E402

BINARY = None
MODULES = None


def text(words):
    return {"text": words}


def call(identity, name, **arguments):
    return {"functionCall": {"id": identity, "name": name, "args": arguments}}


class Agents(unittest.TestCase):
    def setUp(self):
        self.world = World(BINARY)
        self.addCleanup(self.world.close)
        self.replies = []
        self.lock = threading.Lock()
        self.server = Server(self.answer)
        self.addCleanup(self.server.close)
        settings = self.world.home / ".gemini" / "settings.json"
        settings.parent.mkdir()
        settings.write_text(json.dumps({
            "security": {"auth": {"selectedType": "gemini-api-key"},
                         "folderTrust": {"enabled": False}},
            "general": {"disableAutoUpdate": True, "disableUpdateNag": True},
            "privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False}}))
        self.world.environment.update({
            "PATH": os.environ["PATH"], "GOOGLE_GEMINI_BASE_URL": self.server.url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true", "CLAUDE_CODE_EXECUTABLE": BINARY,
            "CLAUDE_CONFIG_DIR": str(self.world.home / ".claude")})
        (self.world.work / "a.txt").write_text("alpha\n")
        self.gemini = self.script("gemini", Path(MODULES) / "@google/gemini-cli/bundle/gemini.js")
        self.claude = self.script(
            "claude-agent-acp",
            Path(MODULES) / "@agentclientprotocol/claude-agent-acp/dist/index.js")

    def tearDown(self):
        self.assertEqual(self.world.processes(), [])

    def script(self, name, file):
        path = self.world.root / name
        path.write_text(f'#!/bin/sh\nexec {shutil.which("node")} {file} "$@"\n')
        path.chmod(0o755)
        return str(path)

    def answer(self, request, _):
        if "enerateContent" not in request.path:
            return 404, "application/json", b'{"error":{"code":404,"message":"none"}}'
        with self.lock:
            reply = self.replies.pop(0) if self.replies else [text("unscripted")]
        if isinstance(reply, tuple):
            return reply[0], "application/json", json.dumps({"error": reply[1]}).encode()
        said = {"candidates": [{"content": {"role": "model", "parts": reply},
                                "finishReason": "STOP"}],
                "usageMetadata": {"promptTokenCount": 30, "candidatesTokenCount": 5,
                                  "totalTokenCount": 35}}
        return 200, "text/event-stream", f"data: {json.dumps(said)}\r\n\r\n".encode()

    def by_lines(self):
        return ["--strategy", "gemini-cli", "--gemini-path", self.gemini]

    def by_acp(self, program, *arguments):
        return ["--strategy", "acp-agent", "--agent-command",
                " ".join([shlex.quote(program), *arguments])]

    def check_text(self, flags):
        self.replies = [[text("Hello.")]]
        run = self.world.run(*flags, "hi")
        self.assertEqual((run.code, run.text(), run.result()["is_error"]), (0, "Hello.", False),
                         run.lines)
        return run

    def test_text(self):
        run = self.check_text(self.by_lines())
        self.assertEqual(run.result()["modelUsage"][MODEL]["inputTokens"], 30)

    def test_tools_with_the_contents_that_the_lines_leave_out(self):
        self.replies = [
            [text("First. "), call("c1", "read_file", file_path="a.txt")],
            [call("c2", "write_file", file_path="b.txt", content="one\n"),
             call("c3", "run_shell_command", command="echo x", description="d")],
            [text("Done.")]]
        run = self.world.run(*self.by_lines(), "--permission-mode", "bypassPermissions", "go")
        self.assertEqual(run.code, 0, run.lines)
        (read, write, shell) = run.pairs()
        self.assertEqual((read[0], read[3]), ("Read", False))
        self.assertIn("alpha", read[2])
        self.assertEqual((write[0], write[3]), ("Write", False))
        self.assertNotEqual(write[2], "")
        self.assertEqual((shell[0], shell[1]["command"], shell[3]), ("Bash", "echo x", False))
        self.assertIn("x", shell[2])
        self.assertEqual((self.world.work / "b.txt").read_text(), "one\n")
        self.assertEqual(run.result()["files_written"], [str(self.world.work / "b.txt")])

    def test_a_tool_that_the_mode_does_not_allow(self):
        self.replies = [[call("c1", "write_file", file_path="b.txt", content="x")], [text("No.")]]
        run = self.world.run(*self.by_lines(), "go")
        self.assertTrue(run.pairs()[0][3])
        self.assertFalse((self.world.work / "b.txt").exists())

    def test_a_key_that_is_refused(self):
        refused = (401, {"code": 401, "message": "bad key", "status": "UNAUTHENTICATED"})
        self.replies = [refused] * 8
        run = self.world.run(*self.by_lines(), "hi")
        self.assertEqual((run.code, run.result()["is_error"]), (1, True))
        self.assertIn("Run `gemini` once", run.result()["result"])

    def test_no_key_at_all(self):
        del self.world.environment["GEMINI_API_KEY"]
        run = self.world.run(*self.by_lines(), "hi")
        self.assertEqual((run.code, run.result()["is_error"]), (1, True))
        self.assertIn("Run `gemini` once", run.result()["result"])

    SLEEP = "echo > ready; sleep 600"

    def test_an_interrupt_in_a_command(self):
        self.replies = [[call("c1", "run_shell_command", command=self.SLEEP, description="d")]]
        self.world.expect_ready()
        child = self.world.start(*self.by_lines(), "--permission-mode", "bypassPermissions", "go")
        interrupt_when(child, self.world.ready)
        stdout, _ = child.communicate(timeout=PATIENCE)
        self.assertEqual(stdout.count('"type":"result"'), 1)
        self.assertIn("[Request interrupted by user for tool use]", stdout)
        self.assertEqual(self.world.processes(), [])

    def test_a_child_that_is_killed(self):
        self.replies = [[call("c1", "run_shell_command", command=self.SLEEP, description="d")]]
        self.world.expect_ready()
        child = self.world.start(*self.by_lines(), "--permission-mode", "bypassPermissions", "go")
        wait_for(child, self.world.ready)
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and self.is_gemini(entry):
                os.kill(int(entry.name), signal.SIGKILL)
        stdout, _ = child.communicate(timeout=PATIENCE)
        self.assertEqual((child.returncode, stdout.count('"type":"result"')), (1, 1))
        self.assertIn("SIGKILL", stdout)

    def is_gemini(self, entry):
        try:
            line = (entry / "cmdline").read_text()
            block = (entry / "environ").read_bytes().decode(errors="replace")
            return "gemini.js" in line and self.world.mark in block
        except OSError:
            return False

    def test_gemini_by_acp(self):
        self.check_text(self.by_acp(self.gemini, "--acp", "-m", MODEL))

    def test_gemini_by_acp_asks_before_it_writes(self):
        replies = [[call("c1", "write_file", file_path="b.txt", content="one\n")],
                   [text("Done.")]]
        self.replies = list(replies)
        run = self.world.run(*self.by_acp(self.gemini, "--acp", "-m", MODEL), "--permission-mode", "acceptEdits",
                             "go")
        self.assertEqual((run.code, run.text()), (0, "Done."), run.lines)
        self.assertEqual([(name, failed) for name, _, _, failed in run.pairs()], [("Write", False)])
        self.assertEqual((self.world.work / "b.txt").read_text(), "one\n")
        (self.world.work / "b.txt").unlink()
        self.replies = list(replies)
        run = self.world.run(*self.by_acp(self.gemini, "--acp", "-m", MODEL), "go")
        self.assertEqual([(name, failed) for name, _, _, failed in run.pairs()], [("Write", True)])
        self.assertFalse((self.world.work / "b.txt").exists())

    def test_claude_agent_acp_on_top_of_ourselves(self):
        self.check_text(self.by_acp(self.claude))

    def test_claude_agent_acp_asks_before_it_writes(self):
        self.replies = [[call("c1", "Write", file_path="b.txt", content="one\n")], [text("Done.")]]
        run = self.world.run(*self.by_acp(self.claude), "--permission-mode", "acceptEdits", "go")
        self.assertEqual((run.code, run.text()), (0, "Done."), run.lines)
        ((name, given, _, failed),) = run.pairs()
        self.assertEqual((name, given["content"], failed), ("Write", "one\n", False))
        self.assertEqual((self.world.work / "b.txt").read_text(), "one\n")

    def test_an_interrupt_by_acp(self):
        self.replies = [[call("c1", "run_shell_command", command=self.SLEEP, description="d")]]
        self.world.expect_ready()
        child = self.world.start(*self.by_acp(self.gemini, "--acp", "-m", MODEL), "--permission-mode",
                                 "bypassPermissions", "go")
        interrupt_when(child, self.world.ready)
        stdout, _ = child.communicate(timeout=PATIENCE)
        self.assertEqual(stdout.count('"type":"result"'), 1)
        self.assertEqual(self.world.processes(), [])


if __name__ == "__main__":
    BINARY = os.path.realpath(sys.argv.pop(1))
    MODULES = os.path.realpath(sys.argv.pop(1))
    unittest.main()
