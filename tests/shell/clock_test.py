#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A wall clock that jumps neither ends a command early nor lets it run on.

    clock_test.py BINARY JUMPING_CLOCK_LIBRARY
"""

import json
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402

BINARY = None
SHIM = None
CALLS = [
    ("Bash", {"command": "sleep 300", "timeout": 300}),
    ("Bash", {"command": "sleep 0.3; echo slept", "timeout": 60_000}),
    ("Bash", {"command": "sleep 300", "run_in_background": True}),
    ("TaskOutput", {"task_id": "bash_1", "timeout": 300}),
]


def event(part):
    reply = {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]}
    return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()


class JumpingClock(unittest.TestCase):
    def test_the_clock_jumps(self):
        ask = [sys.executable, "-c", "import time; print(*(time.time() for _ in range(2)))"]
        one, two = subprocess.run(ask, env={"LD_PRELOAD": SHIM}, check=True,
                                  capture_output=True).stdout.split()
        self.assertGreater(abs(float(one) - float(two)), 7000)

    def test_time_limits_hold(self):
        home = self.enterContext(tempfile.TemporaryDirectory())
        calls = iter(CALLS)

        def answer(*_):
            call = next(calls, None)
            if call is None:
                return event({"text": "done"})
            return event({"functionCall": {"name": call[0], "args": call[1]}})

        server = Server(answer)
        self.addCleanup(server.close)
        start = time.monotonic()
        ran = subprocess.run(
            [BINARY, "-p", "--prompt", "go", "--output-format", "stream-json", "--verbose",
             "--model", "gemini-3.8-flash", "--auth", "api-key", "--api-base", server.url,
             "--permission-mode", "bypassPermissions"],
            env={"HOME": home, "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                 "METADATA_SERVER_DETECTION": "none", "IS_SANDBOX": "1", "LD_PRELOAD": SHIM},
            cwd=home, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        took = time.monotonic() - start
        lines = map(json.loads, ran.stdout.splitlines())
        results = [line["message"]["content"][0]["content"] for line in lines
                   if line["type"] == "user"]
        self.assertEqual(len(results), len(CALLS))
        self.assertEqual(results[0], "Exit code 143\nCommand timed out after 300ms")
        self.assertEqual(results[1], "slept")
        self.assertIn("<retrieval_status>timeout</retrieval_status>", results[3])
        self.assertGreaterEqual(took, 0.9)  # three times 300 ms
        self.assertLess(took, 60)


if __name__ == "__main__":
    BINARY, SHIM = (str(Path(sys.argv.pop(1)).resolve()) for _ in range(2))
    unittest.main(verbosity=0)
