#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""MCP servers that write without end, to stdout or stderr: at most 16 MB more than for one that
behaves (fault R-05).

    server_memory_test.py BINARY

Not for builds with sanitizers, whose memory is their own.
"""

import json
import sys
import unittest
from pathlib import Path

SUPPORT = Path(__file__).resolve().parent.parent / "support"
sys.path.insert(0, str(SUPPORT))
from loopback_server import Server  # noqa: E402
from scripted_agent import reply  # noqa: E402
from stream_host import StreamHost  # noqa: E402

BINARY = None
MEGABYTE = 1_000_000


class ServerMemory(unittest.TestCase):
    def peak(self, mode):
        """Bytes, after two turns beside a server that behaves so."""
        model = Server(lambda *_: reply({"text": "Done."}))
        self.addCleanup(model.close)
        servers = {"one": {"command": sys.executable, "args": [str(SUPPORT / "mcp_server.py"), mode]}}
        host = StreamHost(self, BINARY, model, "--mcp-config", json.dumps({"mcpServers": servers}))
        for _ in range(2):
            host.say("hi")
            self.assertEqual(host.turn()[-1]["result"], "Done.")
        status = Path(f"/proc/{host.process.pid}/status").read_text()
        self.assertEqual(host.close(), 0)
        [peak] = [line for line in status.splitlines() if line.startswith("VmHWM:")]
        return int(peak.split()[1]) * 1024

    def test_r05_what_they_write_is_not_kept(self):
        good = self.peak("good")
        for mode in ("floods", "long-line", "stderr"):
            with self.subTest(mode=mode):
                more = self.peak(mode) - good
                print(f"{mode}: {more:,} bytes more than {good:,}")
                self.assertLess(more, 16 * MEGABYTE)


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
