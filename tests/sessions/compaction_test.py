#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A model with a window of 32,767 tokens and one turn of 500 rounds of tools.

    compaction_test.py BINARY

The server counts by itself, more than the program estimates, and refuses what does not fit. The
turn must come to its end, every request must be valid, and the session must resume.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from kill_test import unpaired  # noqa: E402
from loopback_server import Server  # noqa: E402

BINARY = None
MODEL = "gemini-2.0-flash-thinking-exp"
WINDOW = 32_767
ROUNDS = 500


class SmallServer(Server):
    def __init__(self):
        self.rounds = 0
        self.summaries = 0
        self.refused = 0
        self.largest = 0
        self.problems = []
        super().__init__(self.answer)

    def answer(self, _, body):
        request = json.loads(body)
        problem = unpaired(request["contents"])
        if problem:
            self.problems.append(problem)
        tokens = len(body) * 3 // 10
        if tokens > WINDOW:
            self.refused += 1
            error = {"code": 400, "status": "INVALID_ARGUMENT", "message":
                     f"The input token count ({tokens}) exceeds the maximum number of tokens allowed ({WINDOW})."}
            return 400, "application/json", json.dumps({"error": error}).encode()
        self.largest = max(self.largest, tokens)
        if "tools" not in request:
            self.summaries += 1
            part = {"text": f"GOAL: read everything.\nDONE: {self.rounds} files."}
        elif self.rounds < ROUNDS:
            self.rounds += 1
            # Never the same call: that would be a loop, which ends the turn.
            part = {"functionCall": {"name": "Read", "args": {
                "file_path": f"{self.rounds % 10}.txt", "limit": 2000 + self.rounds}}}
        else:
            part = {"text": "all read"}
        reply = {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
                 "usageMetadata": {"promptTokenCount": tokens, "candidatesTokenCount": 20}}
        return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()


class SmallWindow(unittest.TestCase):
    def run_program(self, directory, server, *arguments):
        done = subprocess.run(
            [BINARY, "-p", *arguments, "--output-format", "stream-json", "--verbose", "--model", MODEL,
             "--auth", "api-key", "--api-base", server.url],
            env={"HOME": str(directory), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                 "METADATA_SERVER_DETECTION": "none"},
            cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, timeout=280)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual((done.returncode, done.stderr), (0, b""), lines[-1])
        return lines

    def test_a_turn_of_500_rounds_fits(self):
        directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for number in range(10):
            (directory / f"{number}.txt").write_text(f"{number} says a few words, and some more. " * 60)
        server = SmallServer()
        self.addCleanup(server.close)
        lines = self.run_program(directory, server, "read all files")
        boundaries = [line for line in lines if line.get("subtype") == "compact_boundary"]
        print(f"{server.rounds} rounds, {server.summaries} summaries, {server.refused} refused, "
              f"largest request {server.largest} of {WINDOW} tokens")
        self.assertEqual(lines[-1]["result"], "all read")
        self.assertEqual((server.rounds, server.problems), (ROUNDS, []))
        self.assertGreater(len(boundaries), 10)
        self.assertEqual(len(boundaries), server.summaries)
        for boundary in boundaries:
            counts = boundary["compact_metadata"]
            self.assertLess(counts["post_tokens"], counts["pre_tokens"])
        self.assertEqual(server.refused, 0)

        again = self.run_program(directory, server, "--resume", lines[0]["session_id"], "and?")
        self.assertEqual((again[-1]["result"], server.problems, server.refused), ("all read", [], 0))


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=0)
