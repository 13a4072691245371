#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Session files that are far too large: what is valid is loaded, what is not is told, nothing is lost.

    large_test.py BINARY

The files have 48 MB; with YUME_LONG=1 in the environment 1 GB.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402

BINARY = None
LONG = os.environ.get("YUME_LONG") == "1"
SIZE = (1 << 30) if LONG else (48 << 20)
WINDOW = 1_048_576  # of the model
FILLING = "some words of a long conversation, " * 280
SESSION = "11111111-1111-4111-8111-111111111111"


class Gemini(Server):
    """Counts four bytes to a token, as the program estimates, and answers in a word."""

    def __init__(self):
        self.requests = []  # what each took, and its last text
        self.lock = threading.Lock()
        super().__init__(self.answer)

    def answer(self, _, body):
        text = json.loads(body)["contents"][-1]["parts"][-1].get("text", "")
        with self.lock:
            self.requests.append((len(body) // 4, text))
        reply = {"candidates": [{"content": {"role": "model", "parts": [{"text": "hello"}]},
                                 "finishReason": "STOP"}],
                 "usageMetadata": {"promptTokenCount": len(body) // 4, "candidatesTokenCount": 5}}
        return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()


class Transcript:
    """Writes records one after the other, each the parent of the next."""

    def __init__(self, path, cwd):
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = path.open("wb")
        self.cwd = str(cwd)
        self.parent = None
        self.number = 0

    def record(self, **fields):
        line = {"parentUuid": self.parent, "isSidechain": False, "cwd": self.cwd, "sessionId": SESSION,
                "version": "2.1.325", "uuid": str(uuid.uuid4()), "timestamp": "2026-11-01T10:00:00.000Z"} | fields
        self.parent = line["uuid"]
        self.file.write(json.dumps(line).encode() + b"\n")

    def turn(self):
        self.number += 1
        self.record(type="user", message={"role": "user", "content": f"q{self.number} {FILLING}"})
        self.record(type="assistant", message={
            "id": f"msg_{self.number}", "type": "message", "role": "assistant", "model": "m",
            "content": [{"type": "text", "text": f"a{self.number}"}],
            "usage": {"input_tokens": 1, "output_tokens": 1}})  # which is not to be believed

    def fill(self, size):
        while self.file.tell() < size:
            self.turn()

    def boundary(self, summary):
        self.parent, last = None, self.parent
        self.record(type="system", subtype="compact_boundary", logicalParentUuid=last,
                    compactMetadata={"trigger": "auto", "preTokens": 900_000})
        self.record(type="user", isCompactSummary=True, message={"role": "user", "content": summary})


class LargeFiles(unittest.TestCase):
    def setUp(self):
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.server = Gemini()
        self.addCleanup(self.server.close)
        key = "".join(c if c.isalnum() else "-" for c in str(self.directory))
        self.path = self.directory / ".claude" / "projects" / key / f"{SESSION}.jsonl"
        self.transcript = Transcript(self.path, self.directory)

    def resume(self):
        """One more turn. Its lines, and how much memory it took in bytes."""
        self.transcript.file.close()
        environment = {"HOME": str(self.directory), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                       "METADATA_SERVER_DETECTION": "none"}
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                [BINARY, "-p", "and now?", "--resume", SESSION, "--output-format", "stream-json", "--verbose",
                 "--model", "gemini-3.8-flash", "--auth", "api-key", "--api-base", self.server.url],
                env=environment, cwd=self.directory, stdin=subprocess.DEVNULL, stdout=output)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            lines = [json.loads(line) for line in output.read().splitlines()]
        self.assertEqual((process.returncode, lines[-1]["result"]), (0, "hello"))
        self.assertEqual(self.server.requests[-1][1], "and now?")
        return lines, usage.ru_maxrss * 1024

    def notices(self, lines):
        return [line["content"] for line in lines if line.get("subtype") == "informational"]

    def assert_memory(self, used):
        self.assertLess(used, 3 * self.path.stat().st_size)

    def test_what_was_summed_up_is_not_sent(self):
        self.transcript.fill(SIZE)
        self.transcript.boundary("SUMMARY")
        self.transcript.turn()
        before = self.path.stat().st_size
        lines, memory = self.resume()
        self.assertEqual(self.notices(lines), [])
        self.assertEqual(len(self.server.requests), 1)
        self.assertLess(self.server.requests[0][0], 20_000)
        self.assertGreater(self.path.stat().st_size, before)
        self.assert_memory(memory)

    def test_what_does_not_fit_is_summed_up_piece_by_piece(self):
        self.transcript.fill(SIZE)
        lines, memory = self.resume()
        self.assertEqual([line["compact_result"] for line in lines if "compact_result" in line], ["success"])
        self.assertLess(max(tokens for tokens, _ in self.server.requests), WINDOW)
        self.assertGreater(sum(tokens for tokens, _ in self.server.requests), SIZE // 5, "all of it was shown")
        self.assert_memory(memory)

    def test_lines_that_cannot_be_read_are_counted(self):
        self.transcript.turn()
        junk = b'{"type":"user",' + b"x" * 65_500 + b"\n"
        count = SIZE // len(junk)
        for _ in range(count):
            self.transcript.file.write(junk)
        lines, memory = self.resume()
        self.assertIn(f"{count} lines could not be read", self.notices(lines)[0])
        self.assertEqual(len(self.server.requests), 1)
        self.assert_memory(memory)

    def tear(self, size):
        """A last line of that size without an end. Where the good part ends."""
        self.transcript.turn()
        self.transcript.turn()
        good = self.transcript.file.tell()
        for _ in range(size >> 20):
            self.transcript.file.write(b"x" * (1 << 20))
        return good

    def test_a_torn_line_is_put_aside(self):
        size = min(SIZE, 200 << 20)
        good = self.tear(size)
        lines, memory = self.resume()
        self.assertEqual([file.stat().st_size for file in self.path.with_suffix("").glob("torn-*.txt")], [size])
        self.assertLess(self.path.stat().st_size, good + 10_000)
        self.assertNotIn("session_saved", lines[-1])
        self.assertLess(memory, 4 * size)

    def test_a_torn_line_without_measure_is_left_alone(self):
        size = max(SIZE, 300 << 20)
        good = self.tear(size)
        lines, memory = self.resume()
        self.assertEqual(list(self.path.with_suffix("").glob("torn-*.txt")), [])
        self.assertEqual(self.path.stat().st_size, good + size)
        self.assertEqual(len([text for text in self.notices(lines) if "is not being saved" in text]), 1)
        self.assertIs(lines[-1]["session_saved"], False)
        self.assertLess(memory, 3 * size)


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2 if LONG else 0)
