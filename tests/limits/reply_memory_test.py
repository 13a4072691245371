#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A long reply's memory: at the most three times the reply and 16 MB, with Yume's view of the
conversation, too.

    reply_memory_test.py BINARY

Not for builds with sanitizers, whose memory is their own.
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
MEGABYTE = 1_000_000
# The kernel counts what a process was before its exec as well: a small one starts it.
MEASURE = """
import os, sys
pid = os.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss * 1024, file=sys.stderr)
sys.exit(status != 0)
"""
LINE = "The quick brown fox jumps over the lazy dog, and once more, and then it rests.\n"


def event(text, finish=None):
    candidate = {"content": {"role": "model", "parts": [{"text": text}]}}
    if finish:
        candidate["finishReason"] = finish
    reply = {"candidates": [candidate],
             "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10}}
    return f"data: {json.dumps(reply)}\r\n\r\n".encode()


def reply_of(size):
    """The answer's bytes, and its text."""
    piece = LINE * 200
    count = size // len(piece)
    return event(piece) * count + event("The end.", "STOP"), piece * count + "The end."


class ReplyMemory(unittest.TestCase):
    def measure(self, size, *flags):
        """(the reply's text, stdout, peak of resident memory)"""
        directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        body, text = reply_of(size)
        server = Server(lambda *_: (200, "text/event-stream", body))
        self.addCleanup(server.close)
        environment = {"HOME": str(directory), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                       "METADATA_SERVER_DETECTION": "none"}
        output = directory / "stdout"
        with output.open("wb") as stdout:
            measured = subprocess.run(
                [sys.executable, "-c", MEASURE, BINARY, *flags, "--prompt", "write", "--model",
                 "gemini-3.8-flash", "--auth", "api-key", "--api-base", server.url],
                env=environment, cwd=directory, stdin=subprocess.DEVNULL, stdout=stdout,
                stderr=subprocess.PIPE, check=True)
        return text, output.read_bytes(), int(measured.stderr)

    def check_memory(self, name, text, peak):
        print(f"{name}: a reply of {len(text):,} bytes, at the most {peak:,} bytes of memory, "
              f"{peak / len(text):.2f} x")
        self.assertGreater(peak, len(text))  # else it was not measured
        self.assertLessEqual(peak, 3 * len(text) + 16 * MEGABYTE)

    def test_claude(self):
        for size in (10 * MEGABYTE, 60 * MEGABYTE):
            text, output, peak = self.measure(size, "-p", "--output-format", "stream-json", "--verbose")
            blocks = [block["text"] for line in map(json.loads, output.splitlines())
                      if line["type"] == "assistant" for block in line["message"]["content"]]
            self.assertTrue("".join(blocks) == text)
            self.check_memory("claude", text, peak)

    def test_claude_in_pieces(self):
        text, output, peak = self.measure(20 * MEGABYTE, "-p", "--output-format", "stream-json",
                                          "--verbose", "--include-partial-messages")
        lines = list(map(json.loads, output.splitlines()))
        deltas = [line["event"]["delta"]["text"] for line in lines if line["type"] == "stream_event"
                  and line["event"]["type"] == "content_block_delta"]
        self.assertTrue("".join(deltas) == text)
        kinds = [line["event"]["type"] for line in lines if line["type"] == "stream_event"]
        self.assertEqual(kinds.count("content_block_start"), 1)
        self.assertEqual(kinds.count("content_block_stop"), 1)
        self.check_memory("claude, in pieces", text, peak)

    def test_yume(self):
        for size in (20 * MEGABYTE, 60 * MEGABYTE):
            text, output, peak = self.measure(size, "--provider", "gemini", "--output-format",
                                              "stream-json", "--verbose")
            texts = [line["content"] for line in map(json.loads, output.splitlines())
                     if line["type"] == "text"]
            self.assertTrue("".join(texts) == text)
            self.check_memory("yume", text, peak)

    def test_text(self):
        text, output, peak = self.measure(20 * MEGABYTE, "-p")
        self.assertTrue(output.decode() == text + "\n")
        self.check_memory("text", text, peak)


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=0)
