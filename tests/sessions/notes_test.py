#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the model is told at the start of a turn: that the one before was interrupted, that a command
in the background has ended. A resumed session sends it again, word for word.

    notes_test.py BINARY
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
from scripted_agent import call, command_line, environment, reply  # noqa: E402

BINARY = None


class Conversation:
    """One process with a host that writes lines, and a model that says what it is given to say."""

    def __init__(self, test, home, *flags):
        self.test = test
        self.says = []  # parts, for the next requests
        self.contents = []  # of the requests so far
        self.lock = threading.Lock()
        server = Server(self.answer)
        test.addCleanup(server.close)
        self.process = subprocess.Popen(
            command_line(BINARY, server, "--input-format", "stream-json", *flags),
            env=environment(home), cwd=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        test.addCleanup(self.process.stdout.close)
        test.addCleanup(self.process.kill)

    def answer(self, _, body):
        with self.lock:
            self.contents.append(json.loads(body)["contents"])
            return reply(self.says.pop(0))

    def write(self, line):
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()

    def read_until(self, found):
        """Lines up to and with the first that is the one."""
        for line in self.process.stdout:
            parsed = json.loads(line)
            if found(parsed):
                return parsed
        self.test.fail("stdout has ended")

    def ask(self, text, *says):
        with self.lock:
            self.says.extend(says)
        self.write({"type": "user", "message": {"role": "user", "content": text}})

    def result(self):
        return self.read_until(lambda line: line["type"] == "result")

    def end(self):
        self.process.stdin.close()
        self.test.assertEqual(self.process.wait(timeout=60), 0)


def texts(content):
    return [part["text"] for part in content["parts"]]


class Notes(unittest.TestCase):
    def setUp(self):
        self.home = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_7_the_next_request_tells_of_an_interrupt_and_of_ended_commands(self):
        live = Conversation(self, self.home)
        live.ask("one", call("Bash", command="exit 3", run_in_background=True),
                 call("BashOutput", bash_id="bash_1", block=True), {"text": "First."})
        session = live.result()["session_id"]

        live.ask("two", call("Bash", command="sleep 300"))
        live.read_until(lambda line: line["type"] == "assistant" and "sleep 300" in json.dumps(line))
        live.write({"type": "control_request", "request_id": "i",
                    "request": {"subtype": "interrupt"}})
        self.assertEqual(live.result()["subtype"], "error_during_execution")

        gate = self.home / "gate"
        os.mkfifo(gate)
        live.ask("three", call("Bash", command=f"read x < '{gate}'; exit 4", run_in_background=True),
                 {"text": "Third."})
        self.assertEqual(live.result()["result"], "Third.")
        gate.write_text("\n")
        ended = live.read_until(lambda line: line.get("subtype") == "task_notification")
        live.ask("four", {"text": "Fourth."})
        self.assertEqual(live.result()["result"], "Fourth.")
        live.end()

        third = next(one for one in live.contents[-1] if one["parts"][0].get("text") == "three")
        prompt, note = texts(third)
        self.assertIn("The user interrupted the turn before this one", note)
        self.assertIn("a call that was not finished says so", note)
        prompt, note = texts(live.contents[-1][-1])
        self.assertEqual(prompt, "four")
        self.assertIn("bash_2", note)
        self.assertIn("exit code 4", note)
        self.assertIn(f"read x < '{gate}'", note)
        self.assertIn(ended["output_file"], note)
        for content in (third, live.contents[-1][-1]):
            self.assertEqual(content["role"], "user")
            self.assertEqual(len(content["parts"]), 2)  # nothing is told twice

        resumed = Conversation(self, self.home, "--resume", session)
        resumed.ask("five", {"text": "Fifth."})
        resumed.result()
        resumed.end()
        before = live.contents[-1]
        self.assertEqual(resumed.contents[0][:len(before)], before)
        self.assertEqual(resumed.contents[0][len(before):],
                         [{"role": "model", "parts": [{"text": "Fourth."}]},
                          {"role": "user", "parts": [{"text": "five"}]}])

    def test_7_another_process_tells_of_the_interrupt_too(self):
        live = Conversation(self, self.home)
        live.ask("one", call("Bash", command="sleep 300"))
        live.read_until(lambda line: line["type"] == "assistant" and "sleep 300" in json.dumps(line))
        live.process.send_signal(2)
        session = live.result()["session_id"]
        self.assertEqual(live.process.wait(timeout=60), 0)

        resumed = Conversation(self, self.home, "--resume", session)
        resumed.ask("two", {"text": "Second."})
        resumed.result()
        resumed.ask("three", {"text": "Third."})
        resumed.result()
        resumed.end()
        prompt, note = texts(resumed.contents[0][-1])
        self.assertEqual(prompt, "two")
        self.assertIn("The user interrupted the turn before this one", note)
        self.assertEqual(texts(resumed.contents[1][-1]), ["three"])
        self.assertEqual(resumed.contents[1][:len(resumed.contents[0])], resumed.contents[0])

    def test_7_another_process_tells_that_commands_are_gone(self):
        live = Conversation(self, self.home)
        live.ask("one", call("Bash", command="sleep 300", run_in_background=True),
                 {"text": "First."})
        session = live.result()["session_id"]
        live.end()

        for prompt, told in (("two", True), ("three", False)):
            resumed = Conversation(self, self.home, "--resume", session)
            resumed.ask(prompt, {"text": "Next."})
            resumed.result()
            resumed.end()
            said = texts(resumed.contents[0][-1])
            self.assertEqual(said[0], prompt)
            self.assertEqual(["sleep 300" in note and "bash_1" in note for note in said[1:]],
                             [True] if told else [])


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=0)
