#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The memory that a long session takes to convert: 32 MB, whatever its size.

    convert_memory_test.py BINARY [MEGABYTES]

Not for builds with sanitizers, whose memory is their own.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BINARY, SIZE = None, 200
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
HEADER = {"sessionId": "S", "projectHash": "h", "startTime": "2026-01-01T00:00:00.000Z",
          "lastUpdated": "2026-01-01T00:00:00.000Z"}


def message(number, text):
    call = {"id": f"c{number}", "name": "read_file", "args": {"file_path": "/a"},
            "result": [{"functionResponse": {"id": f"c{number}", "response": {"output": text}}}],
            "status": "success"}
    return {"id": f"{number:032x}", "timestamp": "2026-01-01T00:00:00.000Z", "type": "gemini",
            "content": "read", "toolCalls": [call], "model": "m"}


def write_log(path, size):
    """A log of that many bytes: each message twice, and in the midst a checkpoint of a tenth."""
    text = "The quick brown fox.\n" * 200
    count = size // (2 * len(json.dumps(message(0, text))))
    lines = [json.dumps(message(number, text)) for number in range(1000)]
    with path.open("w") as file:
        file.write(json.dumps(HEADER) + "\n")
        for number in range(count):
            line = lines[number % 1000].replace(f"{number % 1000:032x}", f"{number:032x}")
            file.write(f"{line}\n{line}\n")
            if number == count // 2:
                kept = ",".join(lines[:count // 10])
                file.write(f'{{"$set":{{"messages":[{kept}]}}}}\n')
    return count


def write_object(path, size):
    """The same as one object."""
    text = "The quick brown fox.\n" * 200
    line = json.dumps(message(0, text))
    with path.open("w") as file:
        file.write(json.dumps(HEADER)[:-1] + ',"messages":[')
        for number in range(size // len(line)):
            file.write(("," if number else "") + line.replace("0" * 32, f"{number:032x}") + "\n")
        file.write("]}")


class ConvertMemory(unittest.TestCase):
    def measure(self, path, *flags):
        """(number of lines, peak of resident memory)"""
        with tempfile.TemporaryFile() as out:
            measured = subprocess.run(
                [sys.executable, "-c", MEASURE, BINARY, "sessions", "convert", str(path), "--jsonl",
                 *flags], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, check=True)
            out.seek(0)
            return sum(1 for _ in out), int(measured.stderr)

    def check_file(self, write, size, target):
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "session"
        write(path, size)
        lines, peak = self.measure(path, "--to", target)
        print(f"{write.__name__} to {target}: {path.stat().st_size:,} bytes, {lines:,} lines, at the "
              f"most {peak:,} bytes of memory")
        self.assertGreater(lines, 100)
        self.assertLessEqual(peak, 32 * MEGABYTE)

    def test_log(self):
        self.check_file(write_log, SIZE * MEGABYTE, "unified")

    def test_object(self):
        self.check_file(write_object, SIZE * MEGABYTE // 4, "claude")


if __name__ == "__main__":
    BINARY = sys.argv[1]
    SIZE = int(sys.argv[2]) if len(sys.argv) > 2 else SIZE
    unittest.main(argv=sys.argv[:1])
