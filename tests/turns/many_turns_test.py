#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two thousand turns of one process: no more descriptors, threads or zombies than at the beginning,
and lines that keep every rule. How memory grows is reported.

    many_turns_test.py BINARY [--sanitized]

With sanitizers there are 150 turns, and 2,000 with YUME_LONG=1; their memory is their own.
"""

import json
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import line_rules  # noqa: E402
from loopback_server import Server  # noqa: E402
from scripted_agent import call  # noqa: E402
from stream_host import StreamHost  # noqa: E402

BINARY = None
SANITIZED = False
SETTLED = 50  # turns after which everything that is kept has been used once


def reply(*parts):
    said = {"candidates": [{"content": {"role": "model", "parts": list(parts)},
                            "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10}}
    return 200, "text/event-stream", f"data: {json.dumps(said)}\r\n\r\n".encode()


def replies_of(turn):
    """What the model says in a turn, request by request; a subagent's reply is among them."""
    said = [reply({"text": f"Answer {turn}."})]
    if turn % 25 == 24:
        return [reply(call("Agent", description="Look", prompt=f"task {turn}",
                           run_in_background=False)), reply({"text": "Seen."})] + said
    if turn % 10 == 9:
        return [reply(call("Bash", command=f"echo {turn}"))] + said
    if turn % 5 == 4:
        return [reply(call("Read", file_path="a.txt"), call("Glob", pattern="*.txt"))] + said
    return said


class State:
    """What a process has at one moment."""

    def __init__(self, pid):
        base = Path(f"/proc/{pid}")
        status = dict(line.split(":", 1) for line in (base / "status").read_text().splitlines())
        try:
            self.descriptors = len(os.listdir(base / "fd"))
        except PermissionError:
            self.descriptors = "only root may count them"  # the program forbids inspection
        self.threads = int(status["Threads"])
        self.resident = int(status["VmRSS"].split()[0]) * 1024
        self.children = children = []
        for task in os.listdir(base / "task"):
            children += (base / "task" / task / "children").read_text().split()

    def counts(self):
        return {"descriptors": self.descriptors, "threads": self.threads,
                "children": len(self.children)}


def slope(samples):
    """Bytes per turn, by least squares."""
    mean_x = sum(x for x, _ in samples) / len(samples)
    mean_y = sum(y for _, y in samples) / len(samples)
    return (sum((x - mean_x) * (y - mean_y) for x, y in samples)
            / sum((x - mean_x) ** 2 for x, _ in samples))


class ManyTurns(unittest.TestCase):
    def setUp(self):
        self.replies = []
        server = Server(lambda *_: self.replies.pop(0))
        self.addCleanup(server.close)
        self.host = StreamHost(self, BINARY, server)
        (self.host.home / "a.txt").write_text("alpha\n")
        self.known = set()  # of every line

    def turn(self, number):
        self.replies[:] = replies_of(number)
        self.host.say(f"prompt {number}")
        lines = self.host.turn()
        for line in lines:
            digest = hash(json.dumps(line, sort_keys=True))
            self.assertNotIn(digest, self.known, "a line that was there before")
            self.known.add(digest)
        self.assertEqual(lines[-1]["result"], f"Answer {number}.")
        self.assertEqual(self.replies, [], "every reply was asked for")
        line_rules.check_pairs(self, lines, f"turn {number}")

    def settled(self, number):
        """The thread of an ended command may still be on its way out: some more turns without any."""
        for more in range(100):
            state = State(self.host.process.pid)
            if state.counts() == self.at_first.counts():
                break
            self.turn(number + 10 * more)
        return state

    def test_nothing_grows(self):
        turns = 2000 if not SANITIZED or os.environ.get("YUME_LONG") == "1" else 150
        samples = []
        for number in range(turns):
            self.turn(number)
            if number == SETTLED:  # a turn without calls
                self.at_first = State(self.host.process.pid)
            if number >= SETTLED and number % 10 == 0:
                samples.append((number, State(self.host.process.pid).resident))
        at_last = self.settled(turns)
        print(f"{turns} turns, {len(self.known)} lines; {at_last.counts()}; "
              f"{at_last.resident:,} bytes resident, {slope(samples):,.0f} more with each turn")
        self.assertEqual(at_last.counts(), self.at_first.counts())
        if not SANITIZED:
            # What is said stays in memory, as it is sent with every request: some 100 bytes a turn.
            self.assertLess(slope(samples), 8_000)
        self.assertEqual(self.host.close(), 0)


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    SANITIZED = "--sanitized" in sys.argv
    unittest.main(argv=sys.argv[:1], verbosity=2)
