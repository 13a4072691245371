#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The official Gemini CLI and this program under its name, on the same command lines and the same
scripted replies: kinds of lines, their order, tools and their arguments must agree. What differs on
purpose (docs/gemini-face.md) is named in each scenario.

    official_gemini_test.py BINARY GEMINI_JS
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402
from scripted_agent import environment  # noqa: E402

BINARY = None
OFFICIAL = None
PATIENCE = 120  # so that a test fails instead of waiting for ever
MODEL = "gemini-3.8-flash"


def text(words):
    return {"text": words}


def call(identity, name, **arguments):
    return {"functionCall": {"id": identity, "name": name, "args": arguments}}


class Side:
    """One of the two programs in a folder of its own."""

    def __init__(self, program, replies, root):
        self.program = program
        self.replies = [reply for reply in replies]
        self.home = root / "home"
        self.work = root / "work"
        self.home.mkdir(parents=True)
        self.work.mkdir()
        (self.work / "a.txt").write_text("alpha\n")
        settings = self.home / ".gemini" / "settings.json"
        settings.parent.mkdir()
        settings.write_text(json.dumps({
            "security": {"auth": {"selectedType": "gemini-api-key"},
                         "folderTrust": {"enabled": False}},
            "general": {"disableAutoUpdate": True, "disableUpdateNag": True},
            "privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False}}))

    def answer(self, request, _):
        if "streamGenerateContent" not in request.path:
            return 404, "application/json", b'{"error":{"code":404,"message":"none"}}'
        reply = self.replies.pop(0) if self.replies else [text("unscripted")]
        if isinstance(reply, tuple):
            return reply[0], "application/json", json.dumps({"error": reply[1]}).encode()
        said = {"candidates": [{"content": {"role": "model", "parts": reply},
                                "finishReason": "STOP"}],
                "usageMetadata": {"promptTokenCount": 30, "candidatesTokenCount": 5,
                                  "totalTokenCount": 35}}
        return 200, "text/event-stream", f"data: {json.dumps(said)}\r\n\r\n".encode()

    def run(self, arguments):
        server = Server(self.answer)
        try:
            done = subprocess.run(
                [*self.program, *arguments], cwd=self.work, stdin=subprocess.DEVNULL,
                capture_output=True, timeout=PATIENCE,
                env={**environment(self.home), "PATH": os.environ["PATH"],
                     "GEMINI_API_KEY": "key", "GOOGLE_GEMINI_BASE_URL": server.url,
                     "GEMINI_CLI_NO_RELAUNCH": "true", "GEMINI_CLI_TRUST_WORKSPACE": "true"})
        finally:
            server.close()
        if "json" in arguments:
            return done.returncode, json.loads(done.stdout), done.stderr.decode()
        lines = [json.loads(line) for line in done.stdout.decode().splitlines() if line]
        return done.returncode, lines, done.stderr.decode()


def calls_first(lines):
    """There the results of all calls of a reply come together at its end, here each as soon as it
    is there. Calls up to the next text are put before their results."""
    group = []
    for line in [*lines, {"type": "end"}]:
        if line["type"] in ("tool_use", "tool_result"):
            group.append(line)
            continue
        yield from sorted(group, key=lambda one: one["type"] == "tool_result")
        group = []
        if line["type"] != "end":
            yield line


def shape(lines):
    """What both must have in common; pieces of one text are one."""
    found = []
    lines = calls_first(lines)
    for line in lines:
        kind = line["type"]
        if kind == "message" and line["role"] == "assistant":
            if found and found[-1][0] == "assistant":
                found[-1] = ("assistant", found[-1][1] + line["content"])
            else:
                found.append(("assistant", line["content"]))
        elif kind == "message":
            found.append((line["role"], line["content"]))
        elif kind == "tool_use":
            found.append(("tool_use", line["tool_name"],
                          {name: value for name, value in line["parameters"].items()
                           if name != "instruction"}))
        elif kind in ("tool_result", "result"):
            found.append((kind, line["status"]))
        else:
            found.append((kind,))
    return found


class SideBySide(unittest.TestCase):
    def both(self, arguments, replies):
        root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        link = root / "gemini"
        link.symlink_to(BINARY)
        ours = Side([str(link)], replies, root / "ours")
        official = Side([shutil.which("node"), OFFICIAL], replies, root / "official")
        return ours, ours.run(arguments), official, official.run(arguments)

    def agree(self, arguments, replies):
        ours, (code, lines, stderr), official, (its_code, its_lines, _) = \
            self.both(arguments, replies)
        self.assertEqual(shape(lines), shape(its_lines))
        self.assertEqual((code, stderr), (its_code, ""))
        self.assertEqual({path.name: path.read_text() for path in ours.work.iterdir()},
                         {path.name: path.read_text() for path in official.work.iterdir()})
        for name in ("total_tokens", "input_tokens", "output_tokens", "cached", "input",
                     "tool_calls", "models"):
            self.assertEqual(lines[-1]["stats"][name], its_lines[-1]["stats"][name], name)
        self.assertEqual(set(its_lines[-1]) - set(lines[-1]), set())

    def test_text(self):
        self.agree(["-o", "stream-json", "-m", MODEL, "-p", "hi"], [[text("Hello.")]])

    def test_tools(self):
        self.agree(["-o", "stream-json", "-y", "-m", MODEL, "-p", "go"], [
            [text("First. "), call("c1", "read_file", file_path="a.txt")],
            [call("c2", "write_file", file_path="b.txt", content="one\n"),
             call("c3", "run_shell_command", command="echo x", description="d")],
            [call("c4", "replace", file_path="b.txt", old_string="one", new_string="two",
                  instruction="i")],
            [call("c5", "list_directory", dir_path="."), call("c6", "glob", pattern="*.txt")],
            [call("c7", "read_file", file_path="missing.txt")],
            [text("Done.")]])

    def test_json(self):
        _, (code, told, _), _, (its_code, its_told, _) = self.both(
            ["-o", "json", "--approvalMode", "auto_edit", "-m", MODEL, "-p", "go"], [
                [call("c1", "read_file", file_path="a.txt"),
                 call("c2", "write_file", file_path="b.txt", content="one\ntwo\n")],
                [call("c3", "read_file", file_path="missing.txt")], [text("Done.")]])
        self.assertEqual((code, its_code), (0, 0))

        def kept(value):
            if not isinstance(value, dict):
                return value
            return {name: kept(one) for name, one in value.items()
                    if not name.endswith("Ms") and name not in ("session_id", "files_written")}

        self.assertEqual(kept(told), kept(its_told))

    def test_a_positional_prompt(self):
        self.agree(["-o", "stream-json", "-m", MODEL, "say it"], [[text("It.")]])

    def test_a_call_that_nobody_may_allow(self):
        # There the tool is not known, here it is refused: both are an error, and both go on.
        ours, (code, lines, _), official, (its_code, its_lines, _) = self.both(
            ["-o", "stream-json", "-m", MODEL, "-p", "go"],
            [[call("c1", "run_shell_command", command="touch x")], [text("Well.")]])
        self.assertEqual(shape(lines), shape(its_lines))
        self.assertEqual((code, its_code), (0, 0))
        self.assertFalse((ours.work / "x").exists() or (official.work / "x").exists())

    def test_a_refused_key(self):
        # There the code is the status modulo 256, and the words are its own.
        ours, (code, lines, stderr), _, (its_code, its_lines, _) = self.both(
            ["-o", "stream-json", "-m", MODEL, "-p", "go"],
            [(401, {"code": 401, "message": "no", "status": "UNAUTHENTICATED"})] * 4)
        self.assertEqual(shape(lines), shape(its_lines))
        self.assertEqual(lines[-1]["status"], "error")
        self.assertEqual((code, its_code != 0, "auth" in stderr), (41, True, True))

    def test_wrong_usage(self):
        for arguments in (["-o", "xml", "-p", "a"], ["-p", "a", "b"], ["--nope", "-p", "a"],
                          ["--approval-mode", "auto", "-p", "a"]):
            _, (code, lines, _), _, (its_code, its_lines, _) = self.both(arguments, [])
            self.assertEqual((code, lines), (its_code, its_lines), arguments)

    def test_no_prompt(self):
        _, (code, _, _), _, (its_code, its_lines, _) = self.both(
            ["-o", "stream-json", "-p", ""], [])
        self.assertEqual((code, its_code, its_lines), (42, 42, []))


if __name__ == "__main__":
    OFFICIAL = os.path.abspath(sys.argv.pop(2))
    BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
