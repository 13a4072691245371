#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sessions that two processes want, and disks that do not take them.

    trouble_test.py BINARY
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402

BINARY = None


class Gemini(Server):
    """Says "hello". The answer to the first request that contains `held` waits."""

    def __init__(self):
        self.held = None
        self.arrived = threading.Event()
        self.release = threading.Event()
        super().__init__(self.answer)

    def answer(self, _, body):
        if self.held and self.held in body and not self.arrived.is_set():
            self.arrived.set()
            self.release.wait()
        reply = {"candidates": [{"content": {"role": "model", "parts": [{"text": "hello"}]},
                                 "finishReason": "STOP"}],
                 "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5}}
        return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()


class Trouble(unittest.TestCase):
    def setUp(self):
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.server = Gemini()
        self.addCleanup(self.server.close)
        self.addCleanup(self.server.release.set)

    def start(self, prompt, *arguments, **options):
        environment = {"HOME": str(self.directory), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                       "METADATA_SERVER_DETECTION": "none"}
        environment |= {name: value for name, value in os.environ.items() if "SAN_OPTIONS" in name}
        return subprocess.Popen(
            [BINARY, "-p", prompt, *arguments, "--output-format", "stream-json", "--verbose", "--model",
             "gemini-3.8-flash", "--auth", "api-key", "--api-base", self.server.url],
            env=environment, cwd=self.directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, **options)

    def end(self, process):
        output, errors = process.communicate(timeout=60)
        return process.returncode, [json.loads(line) for line in output.splitlines()], errors.decode()

    def run_turn(self, prompt, *arguments, **options):
        return self.end(self.start(prompt, *arguments, **options))

    def session(self):
        code, lines, _ = self.run_turn("begin")
        self.assertEqual(code, 0)
        return lines[0]["session_id"]

    def hold(self, session):
        """A process in the middle of a turn of the session."""
        self.server.held = b"hold on"
        process = self.start("hold on", "--resume", session)
        self.addCleanup(process.kill)
        self.assertTrue(self.server.arrived.wait(30))
        return process

    def test_a_session_is_open_in_one_process_only(self):
        session = self.session()
        holder = self.hold(session)
        contenders = [self.start("me too", "--resume", session) for _ in range(7)]
        for contender in contenders:
            code, lines, errors = self.end(contender)
            self.assertEqual((code, [line["type"] for line in lines]), (1, ["result"]), errors)
            for text in (lines[0]["errors"][0], errors):
                self.assertIn(f"is open in process {holder.pid}", text)
                self.assertIn("--fork-session", text)
        code, lines, _ = self.run_turn("elsewhere", "--resume", session, "--fork-session")
        self.assertEqual((code, lines[-1]["result"]), (0, "hello"))
        self.assertNotEqual(lines[0]["session_id"], session)
        self.server.release.set()
        self.assertEqual(self.end(holder)[0], 0)
        self.assertEqual(self.run_turn("again", "--resume", session)[0], 0)

    def test_the_next_process_waits_for_one_that_is_about_to_end(self):
        session = self.session()
        holder = self.hold(session)
        follower = self.start("next", "--resume", session)
        self.server.release.set()
        self.assertEqual((self.end(holder)[0], self.end(follower)[0]), (0, 0))

    def test_64_sessions_in_one_directory_do_not_mix(self):
        processes = [self.start(f"session {number}") for number in range(64)]
        ids = {}
        for number, process in enumerate(processes):
            code, lines, errors = self.end(process)
            self.assertEqual(code, 0, errors)
            ids[lines[0]["session_id"]] = f"session {number}"
        self.assertEqual(len(ids), 64)
        for file in (self.directory / ".claude" / "projects").glob("*/*.jsonl"):
            lines = [json.loads(line) for line in file.read_text().splitlines()]
            self.assertEqual({line["sessionId"] for line in lines}, {file.stem})
            self.assertEqual(lines[0]["message"]["content"], ids[file.stem])

    def assert_runs_unsaved(self, code, lines):
        notices = [line["content"] for line in lines if line.get("subtype") == "informational"]
        self.assertEqual((code, lines[-1]["result"], lines[-1]["session_saved"]), (0, "hello", False))
        self.assertEqual(len([text for text in notices if "is not being saved" in text]), 1, notices)

    def test_a_folder_that_cannot_be_made_costs_the_session_not_the_turn(self):
        (self.directory / ".claude").write_text("a file in the way")
        code, lines, errors = self.run_turn("hi")
        self.assert_runs_unsaved(code, lines)
        self.assertEqual(errors, "")

    def test_a_full_disk_costs_nothing_that_was_there(self):
        session = self.session()
        file = next((self.directory / ".claude" / "projects").glob("*/*.jsonl"))
        before = file.read_bytes()
        limit = len(before) + 100

        def fill_disk():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        code, lines, _ = self.run_turn("no room", "--resume", session, preexec_fn=fill_disk)
        self.assert_runs_unsaved(code, lines)
        self.assertEqual(file.read_bytes(), before)
        code, lines, _ = self.run_turn("room again", "--resume", session)
        self.assertEqual((code, lines[-1].get("session_saved", True)), (0, True))


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=0)
