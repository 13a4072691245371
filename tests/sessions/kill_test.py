#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills the program at random moments, over and over on the same sessions, and looks for anything
that was lost, doubled or torn.

    kill_test.py BINARY

YUME_LONG=1 in the environment makes it 10,000 kills instead of 200.

Each run is one turn of text and shell calls against a server that checks what it is sent. After
each death: every line the host saw is in the session file, no line but the last is broken, and the
next run goes on. At the end no command has run twice and no call was ever sent without its result.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402

BINARY = None
KILLS = 10_000 if os.environ.get("YUME_LONG") == "1" else 200
KILLS_PER_SESSION = 50
WORKERS = 2
ROUNDS = 3  # of calls, in a turn that is left alone


def unpaired(contents):
    """What is wrong with the conversation of a request; None when nothing is."""
    for index, content in enumerate(contents):
        calls = [part["functionCall"] for part in content["parts"] if "functionCall" in part]
        answers = [part["functionResponse"] for part in content["parts"] if "functionResponse" in part]
        if answers and index == 0:
            return "begins with results"
        if calls:
            after = contents[index + 1] if index + 1 < len(contents) else {"parts": []}
            given = [part.get("functionResponse", {}) for part in after["parts"]]
            names = [(call.get("id"), call["name"]) for call in calls]
            if [(answer.get("id"), answer.get("name")) for answer in given] != names:
                return f"{names} answered by {given}"
    roles = [content["role"] for content in contents]
    if any(first == second for first, second in zip(roles, roles[1:])):
        return f"roles do not take turns: {roles}"
    return None


class Gemini(Server):
    """Text, then two calls, ROUNDS times; then a last text. Every command has a number of its own."""

    def __init__(self):
        self.problems = []
        self.numbers = 0
        self.lock = threading.Lock()
        super().__init__(self.answer)

    def next_number(self):
        with self.lock:
            self.numbers += 1
            return self.numbers

    def answer(self, _, body):
        contents = json.loads(body)["contents"]
        problem = unpaired(contents)
        if problem:
            self.problems.append(problem)
        rounds = 0
        for content in reversed(contents):
            if any("text" in part for part in content["parts"]) and content["role"] == "user":
                break
            rounds += any("functionResponse" in part for part in content["parts"])
        parts = [{"text": f"Text {self.next_number()} "}, {"text": "x" * random.randrange(4000)}]
        if rounds < ROUNDS:
            parts += [{"functionCall": {"name": "Bash", "id": f"id{number}",
                                        "args": {"command": f"echo {number} >> ran.log"}},
                       "thoughtSignature": "c2ln"}
                      for number in (self.next_number(), self.next_number())]
        events = [{"candidates": [{"content": {"role": "model", "parts": [part]}}]} for part in parts]
        events[-1]["candidates"][0]["finishReason"] = "STOP"
        events[-1]["usageMetadata"] = {"promptTokenCount": 10, "candidatesTokenCount": 5}
        data = b"".join(f"data: {json.dumps(event)}\r\n\r\n".encode() for event in events)
        return 200, "text/event-stream", data


class Victim:
    """One session that is killed again and again."""

    def __init__(self, test, server, directory, seed):
        self.test = test
        self.server = server
        self.work = directory / "work"
        self.work.mkdir(parents=True)
        self.home = directory / "home"
        self.random = random.Random(seed)
        self.session = None
        self.seen = set()  # uuids of lines that the host got and the session must have
        self.whole_time = None
        self.finished = 0
        self.deaths = 0

    def run(self, kill):
        """One process. True when it ended by itself."""
        command = [BINARY, "-p", "go on", "--output-format", "stream-json", "--verbose", "--model",
                   "gemini-3.8-flash", "--auth", "api-key", "--api-base", self.server.url,
                   "--dangerously-skip-permissions"]
        if self.session:
            command += ["--resume", self.session]
        environment = {"HOME": str(self.home), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                       "METADATA_SERVER_DETECTION": "none", "IS_SANDBOX": "1"}
        environment |= {name: value for name, value in os.environ.items() if "SAN_OPTIONS" in name}
        started = time.monotonic()
        process = subprocess.Popen(command, env=environment, cwd=self.work, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        timer = None
        if kill:
            moment = self.random.uniform(0, self.whole_time * 1.05)
            timer = threading.Timer(moment, process.kill)
            timer.start()
        output, errors = process.communicate(timeout=120)
        if timer:
            timer.cancel()
        else:
            self.whole_time = time.monotonic() - started
        self.note(output)
        if process.returncode not in (0, -9):
            self.test.fail(f"exit {process.returncode}: {errors.decode()[-2000:]}")
        self.finished += process.returncode == 0
        return process.returncode == 0

    def note(self, output):
        lines = output.split(b"\n")
        for line in lines[:-1]:
            message = json.loads(line)  # every whole line is JSON
            if message["type"] == "system" and message["subtype"] == "init":
                if self.session:
                    self.test.assertEqual(message["session_id"], self.session)
                self.session = message["session_id"]
            if message["type"] in ("assistant", "user"):
                self.seen.add(message["uuid"])

    def check_file(self):
        files = list(self.home.glob(".claude/projects/*/*.jsonl"))
        if not self.session:
            return
        self.test.assertEqual([file.stem for file in files], [self.session])
        *lines, torn = files[0].read_bytes().split(b"\n")
        there = set()
        for number, line in enumerate(lines, 1):
            try:
                there.add(json.loads(line).get("uuid"))
            except ValueError:
                self.test.fail(f"line {number} of {len(lines)} is broken: {line[:200]}")
        missing = self.seen - there
        self.test.assertFalse(missing, f"{len(missing)} lines that the host saw are not in the file")
        return len(torn)


class KillNine(unittest.TestCase):
    def test_nothing_is_lost_doubled_or_torn(self):
        directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        server = Gemini()
        self.addCleanup(server.close)
        shares = [KILLS // WORKERS + (worker < KILLS % WORKERS) for worker in range(WORKERS)]
        failures = []
        totals = {"kills": 0, "torn": 0, "seen": 0, "finished": 0}

        def work(worker):
            try:
                self.kill_many(server, directory / str(worker), shares[worker], worker, totals)
            except Exception as failure:  # noqa: BLE001: told by the main thread
                failures.append(failure)

        threads = [threading.Thread(target=work, args=(worker,)) for worker in range(WORKERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
        self.assertEqual(server.problems, [], "requests with unpaired calls")
        print(f"{totals['kills']} kills, {totals['torn']} torn tails, {totals['finished']} turns to their end, "
              f"{totals['seen']} lines seen by hosts: 0 missing, 0 broken; {server.numbers} replies and commands: "
              "0 run twice, 0 unpaired")

    def kill_many(self, server, directory, kills, seed, totals):
        victim = None
        deaths = 0  # a turn that ended before its moment came does not count
        while deaths < kills:
            if victim is None or victim.deaths == KILLS_PER_SESSION:
                self.finish(victim, totals)
                victim = Victim(self, server, directory / str(deaths), seed * 100_000 + deaths)
                self.assertTrue(victim.run(kill=False))
            died = not victim.run(kill=True)
            victim.deaths += died
            deaths += died
            totals["torn"] += bool(victim.check_file())
        totals["kills"] += deaths
        self.finish(victim, totals)

    def finish(self, victim, totals):
        if victim is None:
            return
        self.assertTrue(victim.run(kill=False), "the last resume runs to its end")
        self.assertEqual(victim.check_file(), 0)
        ran = (victim.work / "ran.log").read_text().split()
        self.assertEqual(len(ran), len(set(ran)), "a command ran twice")
        totals["seen"] += len(victim.seen)
        totals["finished"] += victim.finished


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=0)
