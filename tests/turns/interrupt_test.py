#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A turn that is interrupted at each of its lines (fault P-09): its calls are closed, it has exactly
one result, and the next turn works.

    interrupt_test.py BINARY

The turn has thoughts, text, calls side by side, a command and a subagent. The model says its next
part, and the command goes on, only after the host has read the line before, so that an interrupt at
a line finds the program there. One process goes through all of it; with YUME_LONG=1 there is also
one process for each line.
"""

import json
import os
import sys
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import line_rules  # noqa: E402
from stream_host import StreamHost  # noqa: E402
from streaming_gemini import Gemini, call, text, thought  # noqa: E402

BINARY = None
LONG = os.environ.get("YUME_LONG") == "1"


class Seen:
    """What the host has read and wants to go on after; a gate for the model."""

    def __init__(self):
        self.lines = ""
        self.changed = threading.Condition()

    def restart(self):
        with self.changed:
            self.lines = ""

    def add(self, line):
        with self.changed:
            self.lines += line
            self.changed.notify_all()

    def gate(self, words):
        seen = self

        class Gate:
            @staticmethod
            def wait(timeout):
                with seen.changed:
                    return seen.changed.wait_for(lambda: words in seen.lines, timeout)

        return Gate()


class Host(StreamHost):
    """One process with a scripted model, line by line."""

    def __init__(self, test):
        self.gemini = Gemini()
        test.addCleanup(self.gemini.close)
        super().__init__(test, BINARY, self.gemini, "--include-partial-messages",
                         "--forward-subagent-text")
        (self.home / "a.txt").write_text("alpha\n")
        (self.home / "b.txt").write_text("beta\n")
        self.fifo = self.home / "go"
        self.seen = Seen()
        self.gemini.expect({"a task": [self.subagent] * 10_000, "": [self.main] * 10_000})

    # -- the model

    def main(self, request):
        contents = request["contents"]
        prompts = [index for index, content in enumerate(contents) if content["role"] == "user"
                   and any(part.get("text", "").startswith(("begin", "next"))
                           for part in content["parts"])]
        prompt = "".join(part.get("text", "") for part in contents[prompts[-1]]["parts"])
        if "next" in prompt:
            return [text("Next.")]
        step = sum(content["role"] == "model" for content in contents[prompts[-1]:])
        gate = self.seen.gate
        return [
            [thought("Hm, a file."), gate("Hm, a file."), text("Look"), gate('"Look"'), text("ing."),
             gate('"ing."'), call("Read", file_path="a.txt"), call("Read", file_path="b.txt")],
            [call("Bash", command="echo begun; read line < go; echo $line")],
            [text("Now others."), gate('"Now others."'),
             call("Agent", description="Look", prompt="a task", run_in_background=False),
             call("Agent", description="Look", prompt="a task, too", run_in_background=False)],
            [call("Write", file_path="new.txt", content="one\n")],
            [text("Do"), gate('"Do"'), text("ne.")],
        ][step]

    @staticmethod
    def subagent(request):
        step = sum(content["role"] == "model" for content in request["contents"])
        return [[text("I look."), call("Read", file_path="a.txt")], [text("Nothing there.")]][step]

    # -- the host

    def interrupt(self):
        self.write({"type": "control_request", "request_id": "stop",
                    "request": {"subtype": "interrupt"}})

    def ask(self, words, interrupt_at=None):
        """The turn's lines; an interrupt is sent after the line of that number, and answered."""
        self.seen.restart()
        # A new one: who still waits at the old one waits for a command that was ended.
        self.fifo.unlink(missing_ok=True)
        os.mkfifo(self.fifo)
        self.say(words)
        lines, answers, interrupted = [], 0, False
        while not (lines and lines[-1]["type"] == "result" and answers == interrupted):
            line = self.read()
            if line["type"] == "control_response":
                self.test.assertEqual(line["response"]["subtype"], "success")
                answers += 1
                continue
            lines.append(line)
            if len(lines) == interrupt_at:
                interrupted = True
                self.interrupt()
            if not interrupted:
                self.seen.add(json.dumps(line))
                if any(block["name"] == "Bash"
                       for block in line_rules.blocks([line], "tool_use", "assistant")):
                    self.let_command_go_on()
        self.test.assertEqual(sum(line["type"] == "result" for line in lines), 1)
        return lines

    def let_command_go_on(self):
        """Waits for the command to open its end; a thread, as a host reads on meanwhile."""
        threading.Thread(target=lambda: self.fifo.write_text("went on\n"), daemon=True).start()


class Interrupts(unittest.TestCase):
    def whole_turn(self, host):
        lines = host.ask("begin, whole")
        self.assertEqual(lines[-1]["result"], "Done.")
        line_rules.check_pairs(self, lines, "whole")
        line_rules.check_streams(self, lines, "whole")
        names = [block["name"] for block in line_rules.blocks(lines, "tool_use", "assistant")]
        self.assertEqual(sorted(names), ["Agent", "Agent", "Bash", "Read", "Read", "Read", "Read",
                                         "Write"])
        return lines

    def interrupted_turn(self, host, at):
        where = f"interrupted at line {at}"
        lines = host.ask(f"begin, {at}", interrupt_at=at)
        line_rules.check_pairs(self, lines, where)
        line_rules.check_streams(self, lines, where)
        result = lines[-1]
        self.assertIn(result["subtype"], ["error_during_execution", "success"], where)
        if result["subtype"] == "error_during_execution":
            self.assertIsInstance(result["errors"], list, where)
            self.assertTrue(result["terminal_reason"].startswith("aborted"), where)
            marker = [block["text"] for block in line_rules.blocks(lines, "text", "user")]
            self.assertTrue(any("[Request interrupted by user" in words for words in marker), where)
        following = host.ask(f"next, {at}.")
        self.assertEqual(following[-1]["result"], "Next.", where)
        # The server may learn of a request that was given up only now.
        requests = [one for one in host.gemini.requests
                    if f"next, {at}." in str(one["contents"][-1])]
        self.assertEqual(len(requests), 1, f"{where}: one request for the next turn")
        line_rules.check_request(self, requests[0], where)
        return result["subtype"]

    def check_transcript(self, host):
        """Its calls are closed, too."""
        [path] = (host.home / ".claude").glob("projects/*/*.jsonl")
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        line_rules.check_pairs(self, [line for line in lines if line["type"] in ("user", "assistant")],
                               "transcript")

    def test_every_line_in_one_process(self):
        host = Host(self)
        count = len(self.whole_turn(host))
        ends = [self.interrupted_turn(host, at) for at in range(1, count + 1)]
        # Only after the last word is it too late; the lines of its end are not held back.
        self.assertGreater(ends.count("error_during_execution"), count * 3 // 4, ends)
        self.assertEqual(ends[-1], "success", "there was nothing left to interrupt")
        print(f"{count} lines, {ends.count('error_during_execution')} interrupted turns")
        self.assertEqual(host.close(), 0)
        self.check_transcript(host)

    @unittest.skipUnless(LONG, "one process for each line: YUME_LONG=1")
    def test_every_line_in_its_own_process(self):
        count = len(self.whole_turn(Host(self)))
        for at in range(1, count + 1):
            with self.subTest(at=at):
                host = Host(self)
                self.interrupted_turn(host, at)
                self.assertEqual(host.close(), 0)
                self.check_transcript(host)
                self.doCleanups()


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
