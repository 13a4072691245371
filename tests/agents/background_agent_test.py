#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Agents that Yume starts in the background: nobody reads their lines, the result is in a file, they
have a role, and a branch of their own.

    background_agent_test.py BINARY
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402

BINARY = None
PATIENCE = 60  # so that a test fails instead of waiting for ever
PIPE_BYTES = 64 * 1024


class BackgroundAgent(unittest.TestCase):
    def setUp(self):
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.work = self.directory / "work"
        self.work.mkdir()
        self.text = "answer"
        self.bodies = []
        self.server = Server(self.answer)
        self.addCleanup(self.server.close)

    def answer(self, _, body):
        self.bodies.append(json.loads(body))
        reply = {"candidates": [{"content": {"role": "model", "parts": [{"text": self.text}]},
                                 "finishReason": "STOP"}],
                 "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10}}
        return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()

    def start(self, *flags, **streams):
        environment = {"HOME": str(self.directory), "GEMINI_API_KEY": "key",
                       "PATH": "/usr/bin:/bin", "METADATA_SERVER_DETECTION": "none",
                       "YUME_CLI_AUTH": "api-key", "GOOGLE_GEMINI_BASE_URL": self.server.url}
        process = subprocess.Popen(
            [BINARY, "--provider", "gemini", "--model", "gemini-3.8-flash", "--cwd", str(self.work),
             "--session-id", "agent-1", "--prompt", "go", "--permission-mode", "auto", *flags],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, **streams)
        for stream in (process.stdout, process.stderr):
            self.addCleanup(stream.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def run_agent(self, *flags):
        """(exit code, stdout, stderr)"""
        process = self.start(*flags)
        stdout, stderr = process.communicate(timeout=PATIENCE)
        return process.returncode, stdout.decode(), stderr.decode()

    def git(self, *arguments):
        return subprocess.run(
            ["git", "-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main",
             *arguments], cwd=self.work, check=True, capture_output=True, text=True,
            env={"HOME": str(self.directory), "PATH": "/usr/bin:/bin"}).stdout.strip()

    def make_repository(self):
        self.git("init", "-q")
        (self.work / "file").write_text("text\n")
        self.git("add", ".")
        self.git("commit", "-qm", "first")

    def test_the_result_is_in_the_file(self):
        code, stdout, stderr = self.run_agent("--output-file", "made/here/result.json", "--async")
        self.assertEqual((code, stdout, stderr), (0, "answer\n", ""))
        result = json.loads((self.work / "made/here/result.json").read_text())
        self.assertEqual((result["type"], result["subtype"], result["is_error"], result["result"],
                          result["session_id"]), ("result", "success", False, "answer", "agent-1"))

    def test_a_failure_is_in_the_file_too(self):
        file = self.directory / "result.json"
        self.git("init", "-q")
        (self.work / "file").write_text("not committed\n")
        code, _, _ = self.run_agent("--output-file", str(file), "--git-branch", "b")
        result = json.loads(file.read_text())
        self.assertEqual((code, result["is_error"]), (1, True))
        self.assertIn("not committed", result["errors"][0])

    def test_a_file_that_cannot_be_written_is_reported(self):
        (self.work / "file").write_text("")
        code, stdout, stderr = self.run_agent("--output-file", "file/result.json")
        self.assertEqual((code, stdout), (0, "answer\n"))
        self.assertIn("Check --output-file", stderr)

    def test_nobody_reads(self):
        """Much more than a pipe holds: the work ends all the same, and lines stay whole."""
        self.text = "x" * 1000 + "\n"
        self.text *= 500
        for flags in ((), ("--output-format", "stream-json", "--verbose")):
            file = self.directory / f"result-{len(flags)}.json"
            process = self.start("--async", "--output-file", str(file), *flags)
            self.assertEqual(process.wait(timeout=PATIENCE), 0)
            self.assertEqual(json.loads(file.read_text())["subtype"], "success")
            left = process.stdout.read()
            self.assertLessEqual(len(left), PIPE_BYTES)
            for line in left.splitlines(keepends=True) if flags else ():
                if line.endswith(b"\n"):
                    json.loads(line)

    def test_a_reader_gets_all_of_it(self):
        code, stdout, _ = self.run_agent("--async", "--output-format", "stream-json", "--verbose")
        kinds = [json.loads(line)["type"] for line in stdout.splitlines()]
        self.assertEqual((code, kinds[0], kinds[-2:]), (0, "system", ["result", "message_stop"]))

    def test_a_role_is_part_of_the_system_prompt(self):
        for role in ("architect", "explorer", "implementer", "guardian", "specialist"):
            code, _, _ = self.run_agent("--agent-type", role, "--append-system-prompt", "Be brief.")
            prompt = json.dumps(self.bodies[-1]["systemInstruction"])
            self.assertEqual(code, 0)
            self.assertRegex(prompt, f"You are (the|a) {role}")
            self.assertIn("Be brief.", prompt)
        code, stdout, stderr = self.run_agent("--agent-type", "king")
        self.assertEqual((code, stdout), (2, ""))
        self.assertIn("architect, explorer, implementer, guardian, specialist, not 'king'", stderr)

    def test_a_branch_is_made_and_found_again(self):
        self.make_repository()
        for branch in ("agent/one", "agent/one", "main", "agent/one"):
            self.assertEqual(self.run_agent("--git-branch", branch), (0, "answer\n", ""))
            self.assertEqual(self.git("symbolic-ref", "--short", "HEAD"), branch)

    def test_a_branch_is_left_alone_when_something_is_not_committed(self):
        self.make_repository()
        (self.work / "file").write_text("changed\n")
        code, stdout, stderr = self.run_agent("--git-branch", "b")
        self.assertEqual((code, stdout), (1, ""))
        self.assertIn("Commit or stash them first", stderr)
        self.assertEqual(self.git("branch", "--list"), "* main")
        self.assertEqual(self.bodies, [])
        self.assertEqual(self.run_agent("--git-branch", "main")[0], 0)  # where it is already

    def test_what_is_no_branch_is_refused(self):
        code, _, stderr = self.run_agent("--git-branch", "b")
        self.assertEqual(code, 1)
        self.assertIn("is in no git repository", stderr)
        self.make_repository()
        for name in ("--force", "a b", "a..b", "-", ""):
            code, _, stderr = self.run_agent(f"--git-branch={name}")
            self.assertEqual(code, 1, name)
            self.assertIn("not a name that a branch can have", stderr)
        self.assertEqual(self.git("branch", "--list"), "* main")

    def test_nothing_of_the_repository_is_run(self):
        self.make_repository()
        hook = self.work / ".git/hooks/post-checkout"
        hook.write_text(f"#!/bin/sh\ntouch {self.directory}/ran\n")
        hook.chmod(0o755)
        program = self.work / "git"
        program.write_text(f"#!/bin/sh\ntouch {self.directory}/ran\n")
        program.chmod(0o755)
        self.git("add", ".")
        self.git("commit", "-qm", "second")
        self.assertEqual(self.run_agent("--git-branch", "b")[0], 0)
        self.assertFalse((self.directory / "ran").exists())


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=0)
