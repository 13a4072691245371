#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Eight subagents at once, each with a conversation of some length: at most 8 MB for each of them.

    subagent_memory_test.py BINARY

Not for builds with sanitizers, whose memory is their own.
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
MEGABYTE = 1_000_000
AT_ONCE = 8
ROUNDS = 20


def reply(*parts):
    answer = {"candidates": [{"content": {"role": "model", "parts": list(parts)},
                              "finishReason": "STOP"}],
              "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10}}
    return 200, "text/event-stream", f"data: {json.dumps(answer)}\r\n\r\n".encode()


def call(name, **arguments):
    return {"functionCall": {"name": name, "args": arguments}, "thoughtSignature": "c2ln"}


class SubagentMemory(unittest.TestCase):
    def measure(self, subagents):
        """Resident memory while all of them wait for their last answer."""
        directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (directory / "a.txt").write_text("a line of some length\n" * 400)
        barrier = threading.Barrier(max(subagents, 1) + 1)
        measured = threading.Event()

        def answer(_, body):
            contents = json.loads(body)["contents"]
            is_task = "a task" in contents[0]["parts"][0].get("text", "")
            replies = sum(content["role"] == "model" for content in contents)
            if not is_task:
                if replies:
                    return reply({"text": "Done."})
                return reply(*(call("Agent", description="A task", prompt=f"a task, {number}")
                               for number in range(subagents))) if subagents else \
                    self.hold(barrier, measured)
            if replies < ROUNDS:
                return reply(call("Read", file_path="a.txt", offset=replies + 1))
            return self.hold(barrier, measured)

        server = Server(answer)
        self.addCleanup(server.close)
        process = subprocess.Popen(
            [BINARY, "-p", "--prompt", "begin", "--model", "gemini-3.8-flash", "--auth", "api-key",
             "--api-base", server.url, "--output-format", "stream-json", "--verbose"],
            env={"HOME": str(directory), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                 "METADATA_SERVER_DETECTION": "none"},
            cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        lines = []
        reader = threading.Thread(target=lambda: lines.extend(process.stdout))
        reader.start()
        barrier.wait(120)
        status = Path(f"/proc/{process.pid}/status").read_text()
        measured.set()
        self.assertEqual(process.wait(60), 0)
        reader.join()
        process.stdout.close()
        self.assertEqual(json.loads(lines[-1])["result"], "Done.")
        [resident] = [line for line in status.splitlines() if line.startswith("VmRSS:")]
        return int(resident.split()[1]) * 1024

    @staticmethod
    def hold(barrier, measured):
        barrier.wait(120)
        measured.wait(120)
        return reply({"text": "Done."})

    def test_eight(self):
        alone = self.measure(0)
        together = self.measure(AT_ONCE)
        each = (together - alone) / AT_ONCE
        print(f"alone {alone:,} bytes, with {AT_ONCE} subagents {together:,}: {each:,.0f} each")
        self.assertLessEqual(each, 8 * MEGABYTE)


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
