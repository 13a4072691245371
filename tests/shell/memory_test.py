#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Commands that print without end or measure cost neither memory nor disk.

    memory_test.py BINARY

Not for builds with sanitizers, whose memory is their own. YUME_LONG=1 in the environment chooses
10 GB instead of one.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402

BINARY = None
GIGABYTES = 10 if os.environ.get("YUME_LONG") == "1" else 1
MOST_MEMORY = 16 << 20
MOST_DISK = 64 << 20
COMMANDS = {  # command: timeout in milliseconds
    "true": 60_000,  # loads what will be loaded
    f"yes | head -c {GIGABYTES}G": 600_000,
    f"head -c {GIGABYTES}G /dev/zero": 600_000,
    f"dd if=/dev/zero bs=1M count={GIGABYTES}K 2>&1": 600_000,
    "yes": 1_000,
    "cat /dev/zero": 1_000,
}


def memory_of(pid):
    """{name: bytes} of what the kernel counts."""
    lines = (line.split() for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return {line[0].rstrip(":"): int(line[1]) << 10 for line in lines if line[0].startswith("Vm")}


def event(part):
    reply = {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]}
    return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()


class EndlessOutput(unittest.TestCase):
    def test_memory_and_disk_stay_bounded(self):
        home = Path(self.enterContext(tempfile.TemporaryDirectory()))
        started = threading.Event()
        memory = []  # at each request, while its sender waits

        def answer(*_):
            started.wait()
            memory.append(memory_of(process.pid))
            if len(memory) > len(COMMANDS):
                return event({"text": "done"})
            command, timeout = list(COMMANDS.items())[len(memory) - 1]
            return event({"functionCall": {"name": "Bash",
                                           "args": {"command": command, "timeout": timeout}}})

        server = Server(answer)
        self.addCleanup(server.close)
        process = subprocess.Popen(
            [BINARY, "-p", "--prompt", "go", "--output-format", "stream-json", "--verbose",
             "--model", "gemini-3.8-flash", "--auth", "api-key", "--api-base", server.url,
             "--permission-mode", "bypassPermissions"],
            env={"HOME": str(home), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                 "METADATA_SERVER_DETECTION": "none", "IS_SANDBOX": "1"},
            cwd=home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        started.set()
        lines = [json.loads(line) for line in process.communicate()[0].splitlines()]
        self.assertEqual(process.returncode, 0)

        results = [line["message"]["content"][0]["content"] for line in lines if line["type"] == "user"]
        self.assertEqual(len(results), len(COMMANDS))
        warm = memory[1]["VmHWM"]
        for command, text, after in zip(COMMANDS, results, memory[1:]):
            growth = after["VmHWM"] - warm
            print(f"{command}: peak +{growth >> 10} KB; {' '.join(text.split())[:110]}")
            self.assertLessEqual(growth, MOST_MEMORY)
        for command, text in zip(COMMANDS, results):
            if command not in ("true", "yes", "cat /dev/zero"):
                self.assertIn("bytes in the middle saved to: ", text)  # else it was not that much
            elif command != "true":
                self.assertIn("Output too large", text)  # how much it is in a second, nobody knows
        files = sorted((home / ".claude" / "projects").glob("*/*/tool-results/*.txt"))
        self.assertEqual(len(files), len(COMMANDS) - 1)
        for file in files:
            self.assertLessEqual(file.stat().st_size, MOST_DISK)
            self.assertEqual(file.stat().st_mode & 0o777, 0o600)


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=0)
