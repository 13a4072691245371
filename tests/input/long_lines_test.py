#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Long messages on stdin: what Gemini takes within a request is accepted, more is refused with a
result, memory stays bounded and the next message is answered.

    long_lines_test.py BINARY [--sanitized]

With --sanitized memory is not measured: that of a sanitized program is not its own.
"""

import base64
import json
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402
from scripted_agent import command_line, environment, reply  # noqa: E402

BINARY = None
SANITIZED = False
MIB = 1 << 20


def peak_memory(pid):
    lines = (line.split() for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return next(int(line[1]) << 10 for line in lines if line[0] == "VmHWM:")


def message(content):
    return json.dumps({"type": "user", "message": {"role": "user", "content": content}}).encode() + b"\n"


def picture(size):
    """A PNG's beginning, then nothing in particular."""
    data = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0" + bytes(size)
    return base64.b64encode(data[:size]).decode()


class LongLines(unittest.TestCase):
    def setUp(self):
        self.home = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.bodies = []

        def answer(_, body):
            self.bodies.append(body)
            return reply({"text": f"answer {len(self.bodies)}"})

        self.server = Server(answer)
        self.addCleanup(self.server.close)

    def start(self, *flags):
        process = subprocess.Popen(
            command_line(BINARY, self.server, "--input-format", "stream-json", *flags),
            env=environment(self.home), cwd=self.home, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        return process

    def results(self, process, count):
        """The next `count` results; others write meanwhile."""
        found = []
        while len(found) < count:
            line = process.stdout.readline()
            self.assertTrue(line, f"stdout ended after {len(found)} of {count} results")
            parsed = json.loads(line)
            if parsed["type"] == "result":
                found.append(parsed)
        return found

    def test_9_a_picture_of_25_mib_reaches_the_model(self):
        process = self.start()
        data = picture(25 * MIB)
        line = message([{"type": "text", "text": "look"},
                        {"type": "image", "source": {"type": "base64", "media_type": "image/png",
                                                     "data": data}}])
        writer = threading.Thread(target=lambda: (process.stdin.write(line), process.stdin.close()))
        writer.start()
        self.addCleanup(writer.join)
        self.assertEqual(self.results(process, 1)[0]["result"], "answer 1")
        self.assertEqual(process.wait(timeout=60), 0)
        parts = json.loads(self.bodies[0])["contents"][0]["parts"]
        self.assertTrue(parts[1]["inlineData"]["data"] == data)

    def test_9_a_line_over_the_limit_is_counted_and_not_kept(self):
        limit = 8 * MIB
        size = 200 * MIB
        process = self.start("--max-message-size", "8M")
        head, tail = message("*").split(b"*")
        written = threading.Event()

        def write():
            process.stdin.write(message("first"))
            process.stdin.write(head)
            piece = b"x" * MIB
            for _ in range(size // MIB):
                process.stdin.write(piece)
            process.stdin.write(tail)
            process.stdin.write(message("last"))
            process.stdin.flush()
            written.set()

        writer = threading.Thread(target=write)
        writer.start()
        self.addCleanup(writer.join)
        first, refused, last = self.results(process, 3)
        self.assertTrue(written.wait(60))
        peak = peak_memory(process.pid)
        process.stdin.close()
        self.assertEqual(process.wait(timeout=60), 0)

        self.assertEqual((first["result"], last["result"]), ("answer 1", "answer 2"))
        self.assertTrue(refused["is_error"])
        bytes_sent = len(head) + size + len(tail) - 1  # without the newline
        self.assertIn(f"({bytes_sent} bytes)", json.dumps(refused))
        self.assertIn("at most 8 MiB are read", json.dumps(refused))
        self.assertEqual(len(self.bodies), 2)
        if not SANITIZED:
            print(f"peak memory {peak >> 20} MiB while {size >> 20} MiB were refused")
            self.assertLess(peak, 32 * MIB + 3 * limit)


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    if "--sanitized" in sys.argv:
        sys.argv.remove("--sanitized")
        SANITIZED = True
    unittest.main(verbosity=0)
