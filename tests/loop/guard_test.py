#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A model that goes round in circles: its turn ends with an error, long before its 80th call.

    guard_test.py BINARY
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
ROUNDS = 80


class CirclingServer(Server):
    """Asks for the same calls again and again, until it has been asked `rounds` times."""

    def __init__(self, calls, rounds):
        self.bodies = []
        self.calls = calls
        self.rounds = rounds
        super().__init__(self.answer)

    def answer(self, _, body):
        self.bodies.append(json.loads(body))
        number = len(self.bodies)
        part = {"text": "done"}
        if number <= self.rounds:
            part = {"functionCall": self.calls[number % len(self.calls)]}
        reply = {"candidates": [{"content": {"role": "model", "parts": [part]},
                                 "finishReason": "STOP"}],
                 "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10}}
        return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()

    def results(self):
        """What the model was given for each of its calls."""
        parts = (part for content in self.bodies[-1]["contents"] for part in content["parts"])
        responses = (part["functionResponse"]["response"] for part in parts
                     if "functionResponse" in part)
        return [json.dumps(response) for response in responses]


class Circles(unittest.TestCase):
    def run_turn(self, calls, *flags, rounds=ROUNDS):
        directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (directory / "a.txt").write_text("text\n")
        server = CirclingServer(calls, rounds)
        self.addCleanup(server.close)
        environment = {"HOME": str(directory), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                       "METADATA_SERVER_DETECTION": "none"}
        ended = subprocess.run(
            [BINARY, *flags, "--prompt", "go", "--output-format", "stream-json", "--verbose",
             "--model", "gemini-3.8-flash", "--auth", "api-key", "--api-base", server.url],
            env=environment, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=240, check=False)
        self.assertEqual(ended.stderr, b"")
        lines = [json.loads(line) for line in ended.stdout.splitlines()]
        results = [line for line in lines if line["type"] == "result"]
        self.assertEqual(len(results), 1)
        return server, results[0], ended.returncode

    def expect_error(self, result, code, words):
        self.assertEqual((result["subtype"], result["is_error"], code),
                         ("error_during_execution", True, 1))
        self.assertIn(words, result["errors"][0])

    def test_the_same_call_with_the_same_result(self):
        call = {"name": "Read", "args": {"file_path": "a.txt"}}
        server, result, code = self.run_turn([call], "-p")
        self.expect_error(result, code, "round in circles")
        self.assertEqual(len(server.bodies), 41)
        warned = [number for number, text in enumerate(server.results()) if "Do something else" in text]
        self.assertEqual(warned, [10, 20, 30])

    def test_two_calls_in_turns_in_the_flat_dialect(self):
        calls = [{"name": "Read", "args": {"file_path": "a.txt"}}, {"name": "LS", "args": {"path": "."}}]
        server, result, code = self.run_turn(calls, "--provider", "gemini")
        self.expect_error(result, code, "round in circles")
        self.assertLess(len(server.bodies), 50)

    def test_the_same_denied_call(self):
        call = {"name": "Bash", "args": {"command": "touch b.txt"}}
        server, result, code = self.run_turn([call], "-p")
        self.expect_error(result, code, "were denied and none succeeded")
        self.assertEqual(len(server.bodies), 10)
        self.assertEqual(len(result["permission_denials"]), 10)
        told = [number for number, text in enumerate(server.results())
                if "Repeating it will not help" in text]
        self.assertEqual(told, list(range(2, 9)))

    def test_a_few_repetitions_are_nobodys_business(self):
        call = {"name": "Read", "args": {"file_path": "a.txt"}}
        server, result, code = self.run_turn([call], "-p", rounds=9)
        self.assertEqual((result["subtype"], result["is_error"], code), ("success", False, 0))
        self.assertFalse([text for text in server.results() if "Do something else" in text])


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=0)
