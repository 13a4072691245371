#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A long turn's memory: 200 rounds of one Read each, seen from the server's side.

    loop_test.py BINARY

Not for builds with sanitizers, whose memory is their own. How long a round takes is measured by
turn_bench (docs/benchmarks.md), not here.
"""

import json
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402

BINARY = None
ROUNDS = 200
WARM = 10  # rounds after which everything has been loaded that will be
FILE_BYTES = 20_000
SMALL_CHANGE = 1 << 20  # what an allocator may hold back, whatever the history


def memory_of(pid):
    """{name: bytes} of what the kernel counts."""
    lines = (line.split() for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return {line[0].rstrip(":"): int(line[1]) << 10 for line in lines if line[0].startswith("Vm")}


def event(part, prompt_tokens):
    reply = {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
             "usageMetadata": {"promptTokenCount": prompt_tokens, "candidatesTokenCount": 10}}
    return f"data: {json.dumps(reply)}\r\n\r\n".encode()


class LoopServer(Server):
    """Asks for one file after another and notes, at each request, its size and the memory of who
    sent it; the sender waits meanwhile."""

    def __init__(self, paths):
        self.requests = []
        self.pid = None
        self.started = threading.Event()
        self.paths = paths
        super().__init__(self.answer)

    def answer(self, _, body):
        self.started.wait()
        round_number = len(self.requests)
        self.requests.append((len(body), memory_of(self.pid)))
        part = {"text": "done"}
        if round_number < len(self.paths):
            part = {"functionCall": {"name": "Read",
                                     "args": {"file_path": str(self.paths[round_number])}}}
        # Few enough that nothing is compacted.
        return 200, "text/event-stream", event(part, len(body) // 10)


class LongTurn(unittest.TestCase):
    def test_memory_grows_by_no_more_than_twice_the_history(self):
        directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        line = "The quick brown fox jumps over the lazy dog, and once more, and then it rests.\n"
        paths = [directory / f"{number}.txt" for number in range(ROUNDS)]
        for number, path in enumerate(paths):
            path.write_text(f"{number}\n" + line * (FILE_BYTES // len(line)))
        server = LoopServer(paths)
        self.addCleanup(server.close)
        environment = {"HOME": str(directory), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                       "METADATA_SERVER_DETECTION": "none"}
        process = subprocess.Popen(
            [BINARY, "-p", "--prompt", "read", "--output-format", "stream-json", "--verbose",
             "--model", "gemini-3.8-flash", "--auth", "api-key", "--api-base", server.url],
            env=environment, cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        server.pid = process.pid
        server.started.set()
        self.assertEqual(process.wait(timeout=240), 0)
        self.assertEqual(len(server.requests), ROUNDS + 1)

        first_bytes, first = server.requests[WARM]
        last_bytes, last = server.requests[-1]
        history = last_bytes - first_bytes
        growth = last["VmRSS"] - first["VmRSS"]
        peak = last["VmHWM"] - first["VmRSS"]
        print(f"history {history:,} bytes, resident memory +{growth:,}, at the most +{peak:,}")
        # Else nothing was measured: the results were not sent, or it was not our process.
        self.assertGreater(history, (ROUNDS - WARM) * FILE_BYTES * 0.9)
        self.assertGreater(growth, history * 0.9)
        self.assertLessEqual(growth, 2 * history + SMALL_CHANGE)
        self.assertLessEqual(peak, 2 * history + SMALL_CHANGE)


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=0)
