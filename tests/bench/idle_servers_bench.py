#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What five idle MCP servers cost a turn: two processes, one with them and one without, take turns
one by one, so that the ratio is valid on a noisy machine too. Compared are the quarter of the turns
that nothing else disturbed (their slowest one), and the CPU time of all.

    idle_servers_bench.py BINARY [TURNS]

The exit code is 1 when a turn takes more than 1.1 times as long.
"""

import json
import os
import statistics
import sys
import time
import unittest
from pathlib import Path

SUPPORT = Path(__file__).resolve().parent.parent / "support"
sys.path.insert(0, str(SUPPORT))
from loopback_server import Server  # noqa: E402
from scripted_agent import reply  # noqa: E402
from stream_host import StreamHost  # noqa: E402

BAR = 1.1


def timed_turn(host):
    start = time.perf_counter()
    host.say("go")
    host.turn()
    return time.perf_counter() - start


def cpu_time(host):
    """Seconds of the process without its children."""
    fields = Path(f"/proc/{host.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(binary, turns):
    test = unittest.TestCase()
    server = Server(lambda *_: reply({"text": "Done."}))
    # Without tools, which would make every request longer.
    idle = {f"s{number}": {"command": sys.executable, "args": [str(SUPPORT / "mcp_server.py"), "bare"]}
            for number in range(5)}
    try:
        hosts = [StreamHost(test, binary, server),
                 StreamHost(test, binary, server, "--mcp-config", json.dumps({"mcpServers": idle}))]
        for host in hosts:
            for _ in range(10):
                timed_turn(host)
        times = [[], []]
        began = [cpu_time(host) for host in hosts]
        for _ in range(turns):
            for kept, host in zip(times, hosts):
                kept.append(timed_turn(host) * 1000)
        cpu = [1000 * (cpu_time(host) - start) / turns for host, start in zip(hosts, began)]
    finally:
        test.doCleanups()
        server.close()
    without, with_servers = (statistics.quantiles(kept, n=4)[0] for kept in times)
    ratio = with_servers / without
    print(f"CPU of a turn: {cpu[0]:.2f} ms, with five idle servers {cpu[1]:.2f} ms")
    print(f"a turn: {without:.2f} ms, with five idle servers {with_servers:.2f} ms: {ratio:.2f}x "
          f"(bar {BAR}x, {'met' if ratio <= BAR else 'missed'})")
    return 0 if ratio <= BAR else 1


if __name__ == "__main__":
    sys.exit(main(str(Path(sys.argv[1]).resolve()), int(sys.argv[2]) if len(sys.argv) > 2 else 300))
