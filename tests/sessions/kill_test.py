#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills the program at random moments, over and over on the same sessions, and looks for anything
that was lost, doubled or torn.

    kill_test.py BINARY

YUME_LONG=1 in the environment makes it 10,000 kills instead of 200.

Each run is one turn of text and shell calls against a server that checks what it is sent, half of
them for Claude's hosts, half for Yume. After each death: everything the host saw is in the session
file, no line but the last is broken, Yume's view and index can be read, and the next run goes on. At
the end no command has run twice and no call was ever sent without its result.
"""

import json
import os
import random
import re
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
    """One session of a host of Claude's that is killed again and again."""

    root = ".claude"
    flags = ["--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"]

    def __init__(self, test, server, directory, seed):
        self.test = test
        self.server = server
        self.work = directory / "work"
        self.work.mkdir(parents=True)
        self.home = directory / "home"
        self.random = random.Random(seed)
        self.session = None
        self.seen = set()  # what the host got and the session must have
        self.whole_time = None
        self.finished = 0
        self.deaths = 0

    def run(self, kill):
        """One process. True when it ended by itself."""
        command = [BINARY, "--prompt", "go on", "--model", "gemini-3.8-flash", "--auth", "api-key", "--api-base",
                   self.server.url, *self.flags]
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
        if process.returncode == 0:  # the next moment is chosen by how long a turn takes now
            self.whole_time = time.monotonic() - started
        self.note(output)
        if process.returncode not in (0, -9):
            self.test.fail(f"exit {process.returncode}: {errors.decode()[-2000:]}")
        self.finished += process.returncode == 0
        return process.returncode == 0

    def note(self, output):
        messages = [json.loads(line) for line in output.split(b"\n")[:-1]]  # every whole line is JSON
        for message in messages:
            if message["type"] == "system" and message["subtype"] == "init":
                if self.session:
                    self.test.assertEqual(message["session_id"], self.session)
                self.session = message["session_id"]
        self.seen |= self.promised(messages)

    def promised(self, messages):
        """Of what the host got, what must not be lost."""
        return {message["uuid"] for message in messages if message["type"] in ("assistant", "user")}

    def kept(self, record):
        """What a record of the session promises a host, in the same form."""
        return {record.get("uuid")}

    def check_file(self):
        files = list(self.home.glob(f"{self.root}/projects/*/*.jsonl"))
        if not self.session:
            return
        self.test.assertEqual([file.stem for file in files], [self.session])
        *lines, torn = files[0].read_bytes().split(b"\n")
        there = set()
        for number, line in enumerate(lines, 1):
            try:
                there |= self.kept(json.loads(line))
            except ValueError:
                self.test.fail(f"line {number} of {len(lines)} is broken: {line[:200]}")
        missing = self.seen - there
        self.test.assertFalse(missing, f"{len(missing)} things that the host saw are not in the file: {missing}")
        return len(torn)

    def check_end(self):
        """After a turn that came to its end."""
        self.test.assertEqual(self.check_file(), 0)


class YumeVictim(Victim):
    """The same in Yume's dialect, which has no uuids: calls and results are known by their ids, texts
    by their numbers. A text that is still streaming may be lost."""

    root = ".yume"
    flags = ["--provider", "gemini", "--output-format", "stream-json", "--verbose"]

    def promised(self, messages):
        there, streaming = set(), ""
        for message in messages:
            if message["type"] == "text":
                streaming += message["content"]
            elif message["type"] in ("tool_use", "message_stop"):
                there |= numbers_of_texts(streaming)
                streaming = ""
            if message["type"] == "tool_use":
                there.add(("call", message["id"]))
            elif message["type"] == "tool_result":
                there.add(("result", message["tool_use_id"]))
        return there

    def kept(self, record):
        content = record.get("message", {}).get("content", [])
        there = set()
        for block in content if isinstance(content, list) else []:
            if block["type"] == "text":
                there |= numbers_of_texts(block["text"])
            elif block["type"] == "tool_use":
                there.add(("call", block["id"]))
            elif block["type"] == "tool_result":
                there.add(("result", block["tool_use_id"]))
        return there

    def check_file(self):
        folder = self.home / ".yume" / "sessions" / "gemini"
        for file in folder.glob("*.json"):
            json.loads(file.read_bytes())  # whole at any moment, or not there yet
        return super().check_file()

    def check_end(self):
        super().check_end()
        view = json.loads((self.home / ".yume" / "sessions" / "gemini" / f"{self.session}.json").read_text())
        shown = set()
        for entry in view["history"]:
            shown |= numbers_of_texts(entry["content"])
            shown |= {("call", call["id"]) for call in entry.get("toolCalls", [])}
        seen = {thing for thing in self.seen if thing[0] != "result"}
        self.test.assertFalse(seen - shown, "Yume's view lacks what the host saw")


def numbers_of_texts(text):
    return {("text", number) for number in re.findall(r"Text (\d+) ", text)}


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
              f"{totals['seen']} lines, calls and texts seen by hosts: 0 missing, 0 broken; {server.numbers} replies and commands: "
              "0 run twice, 0 unpaired")

    def kill_many(self, server, directory, kills, seed, totals):
        victim = None
        deaths = 0  # a turn that ended before its moment came does not count
        while deaths < kills:
            if victim is None or victim.deaths == KILLS_PER_SESSION:
                self.finish(victim, totals)
                kind = YumeVictim if type(victim) is Victim else Victim
                victim = kind(self, server, directory / str(deaths), seed * 100_000 + deaths)
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
        victim.check_end()
        self.assertGreater(len(victim.seen), ROUNDS, "something was seen at all")
        ran = (victim.work / "ran.log").read_text().split()
        self.assertEqual(len(ran), len(set(ran)), "a command ran twice")
        totals["seen"] += len(victim.seen)
        totals["finished"] += victim.finished


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=0)
