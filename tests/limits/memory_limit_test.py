#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Too little memory, or no more threads: the host gets exactly one result, the program ends with
code 1 and not by a signal, and the session can be resumed.

    memory_limit_test.py BINARY

Not for builds with sanitizers, which take all the addresses there are.
"""

import json
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402
from scripted_agent import call, command_line, environment, reply  # noqa: E402

BINARY = None
MIB = 1 << 20
SMALL_STACK = 512 << 10
CLAUDE = ("-p", "hello")
YUME = ("--provider", "gemini", "--prompt", "hello")


class Run:
    def __init__(self, code, out, err):
        self.code = code
        self.out = out
        self.err = err

    def lines(self):
        return [json.loads(line) for line in self.out.splitlines()]

    def results(self):
        return [line for line in self.lines() if line["type"] == "result"]

    def __repr__(self):
        return f"code {self.code}, stdout {self.out[-600:]!r}, stderr {self.err[-300:]!r}"


class MemoryLimit(unittest.TestCase):
    def setUp(self):
        self.home = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.says = lambda _: {"text": "hello"}
        self.server = Server(lambda _, body: reply(self.says(json.loads(body))))
        self.addCleanup(self.server.close)

    def run_with(self, limits, arguments, stdin=None):
        """limits: {resource: bytes}."""
        def limit():
            for what, value in limits.items():
                resource.setrlimit(what, (value, value))

        process = subprocess.Popen(arguments, env=environment(self.home), cwd=self.home,
                                   preexec_fn=limit, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE)
        out, err = process.communicate(stdin, timeout=120)
        return Run(process.returncode, out, err)

    def turn(self, memory, *flags, stdin=None):
        return self.run_with({resource.RLIMIT_AS: memory},
                             command_line(BINARY, self.server, *flags), stdin)

    def starts_with(self, memory):
        return self.run_with({resource.RLIMIT_AS: memory}, [BINARY, "--version"]).code == 0

    def least(self, works, low, high):
        """The smallest amount, to a quarter of a MiB, with which it works."""
        while high - low > MIB // 4:
            middle = (low + high) // 2
            low, high = (low, middle) if works(middle) else (middle, high)
        return high

    def enough_for(self, *flags):
        return self.least(lambda memory: self.turn(memory, *flags).code == 0, MIB, 1024 * MIB)

    def check_files(self):
        for file in self.home.glob(".*/projects/*/*.jsonl"):
            for line in file.read_text().splitlines():
                json.loads(line)

    def check_one_result(self, run):
        self.assertIn(run.code, (0, 1), run)
        results = run.results()
        self.assertEqual(len(results), 1, run)
        self.assertEqual(results[0]["is_error"], run.code == 1, run)
        return results[0]

    def test_10_ulimit_v_40000_ends_with_one_result(self):
        for flags in (CLAUDE, YUME):
            run = self.turn(40_000 << 10, *flags)
            self.check_one_result(run)
            self.assertEqual(run.err, b"", run)
        self.check_files()

    def test_10_every_amount_of_memory_ends_with_one_result(self):
        """With small stacks it is the heap that runs out, in every part of the program."""
        file = self.home / "file.txt"
        file.write_text("needle\n" * 20_000)
        steps = [call("Read", file_path=str(file)), call("Bash", command="seq 20000"),
                 call("Grep", pattern="needle", path=str(file), output_mode="content"),
                 call("Write", file_path=str(self.home / "new.txt"), content="x" * 50_000)]

        def next_step(body):
            done = sum(content["role"] == "model" for content in body["contents"])
            return steps[done] if done < len(steps) else {"text": "done " * 2_000}

        self.says = next_step
        start = self.least(self.starts_with, MIB, 512 * MIB)
        for flags in (CLAUDE, YUME):
            failures, good, memory = [], 0, start
            while good < 5:  # in a row
                run = self.run_with({resource.RLIMIT_STACK: SMALL_STACK, resource.RLIMIT_AS: memory},
                                    command_line(BINARY, self.server, *flags))
                result = self.check_one_result(run)
                good = 0 if result["is_error"] else good + 1
                if result["is_error"]:
                    failures.append(result.get("result") or result["errors"][0])
                memory += MIB // 4
            print(f"{len(failures)} amounts of memory from {start / MIB:.1f} MiB to "
                  f"{memory / MIB:.1f} MiB were too little")
            self.assertTrue(any("out of memory" in text for text in failures), failures)
        self.check_files()

    def test_10_other_formats_say_it_in_their_way(self):
        start = self.least(self.starts_with, MIB, 512 * MIB) + MIB
        base = ["--model", "gemini-3.8-flash", "--auth", "api-key", "--api-base", self.server.url]
        run = self.run_with({resource.RLIMIT_AS: start},
                            [BINARY, "-p", "hello", "--output-format", "json", *base])
        self.assertEqual(run.code, 1, run)
        self.assertTrue(json.loads(run.out)["is_error"], run)
        run = self.run_with({resource.RLIMIT_AS: start}, [BINARY, "-p", "hello", *base])
        self.assertEqual(run.code, 1, run)
        self.assertTrue(run.out.startswith(b"Error: "), run)

    def test_10_memory_that_ends_within_a_turn(self):
        enough = self.enough_for(*CLAUDE)
        for size in (8, 24, 64):
            self.says = lambda _, size=size: {"text": "x" * (size * MIB)}
            result = self.check_one_result(self.turn(enough + 6 * MIB, *CLAUDE))
            self.assertTrue(result["is_error"])
        self.says = lambda _: {"text": "again"}
        session = result["session_id"]
        resumed = self.turn(1024 * MIB, "-p", "hello", "--resume", session)
        self.assertEqual(self.check_one_result(resumed)["result"], "again")
        self.check_files()

    def test_10_memory_that_ends_in_a_tool(self):
        enough = self.enough_for(*CLAUDE)
        big = self.home / "big.txt"
        big.write_text("needle in a haystack\n" * (3 * MIB))
        for extra in range(2, 40, 6):
            calls = iter([call("Grep", pattern="needle", path=str(big), output_mode="content"),
                          call("Bash", command=f"cat {big}"), call("Read", file_path=str(big))])
            self.says = lambda _: next(calls, {"text": "done"})
            self.check_one_result(self.turn(enough + extra * MIB, *CLAUDE))
        self.check_files()

    def test_10_a_message_that_is_larger_than_memory(self):
        enough = self.enough_for(*CLAUDE)
        message = json.dumps({"type": "user", "message": {"role": "user", "content": "x" * 60 * MIB}})
        for extra in (8, 48, 96, 160):
            run = self.turn(enough + extra * MIB, "--input-format", "stream-json",
                            stdin=message.encode() + b"\n")
            result = self.check_one_result(run)
            self.assertTrue(result["is_error"])

    def test_10_threads_that_cannot_be_started(self):
        for stack, memory in ((512, 400), (256, 700), (256, 1000), (256, 1200), (256, 1500)):
            for flags in (CLAUDE, YUME):
                run = self.run_with({resource.RLIMIT_STACK: stack * MIB,
                                     resource.RLIMIT_AS: memory * MIB},
                                    command_line(BINARY, self.server, *flags))
                result = self.check_one_result(run)
                if memory == 400:
                    self.assertIn("starts no more threads", json.dumps(result))


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=0)
