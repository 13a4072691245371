#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a person at a terminal is asked before a call runs, and what their answers do.

    questions_test.py BINARY
"""

import json
import os
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402
from on_terminal import CTRL_C, CTRL_D, PATIENCE, OnTerminal  # noqa: E402

BINARY = None
ALL_KEYS = b"[y/a/n/e] "
NO_ALWAYS = b"[y/n/e] "


def call(tool, **arguments):
    return {"functionCall": {"name": tool, "args": arguments}}


def run(command):
    return call("Bash", command=command)


class Model(Server):
    """Makes one call per request, then says "done"; waits with the first one when it is held."""

    def __init__(self, calls):
        self.parts = [*calls, {"text": "done"}]
        self.requests = []
        self.arrived = threading.Event()
        self.release = threading.Event()
        super().__init__(self.answer)

    def answer(self, _, body):
        self.requests.append(json.loads(body))
        self.arrived.set()
        self.release.wait()
        part = self.parts[min(len(self.requests), len(self.parts)) - 1]
        reply = {"candidates": [{"content": {"role": "model", "parts": [part]},
                                 "finishReason": "STOP"}],
                 "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5}}
        return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()

    def last_result(self):
        """Of the last call, as the model got it."""
        return json.dumps(self.requests[-1]["contents"][-1])


class Questions(unittest.TestCase):
    def setUp(self):
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.work = self.directory / "work"
        self.work.mkdir()

    def start(self, *calls, flags=(), held=False, **variables):
        self.model = Model(calls)
        self.addCleanup(self.model.close)
        self.addCleanup(self.model.release.set)
        if not held:
            self.model.release.set()
        environment = {"HOME": str(self.directory), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                       "TERM": "xterm", "LANG": "C.UTF-8", "METADATA_SERVER_DETECTION": "none",
                       "GOOGLE_GEMINI_BASE_URL": self.model.url}
        environment |= {name: value for name, value in os.environ.items() if "SAN_OPTIONS" in name}
        return OnTerminal([BINARY, "--auth=api-key", *flags, "do it"], environment | variables,
                          self.work)

    def test_yes_is_for_once(self):
        program = self.start(run("touch made"), run("touch made"))
        program.type_after(ALL_KEYS, b"y\n")
        program.type_after(ALL_KEYS, b"n\n")
        code, shown = program.end()
        self.assertEqual(code, 0)
        self.assertIn("\n  touch made\n", shown)
        self.assertIn("Why this is asked: no rule covers: touch made\n", shown)
        self.assertTrue((self.work / "made").exists())
        self.assertIn("\ndone\n", program.seen())

    def test_always_covers_what_was_shown_and_ends_with_the_session(self):
        program = self.start(run("touch one"), run("touch one"), run("touch two"))
        program.type_after(ALL_KEYS, b"a\n")
        program.type_after(ALL_KEYS, b"n\n")
        code, shown = program.end()
        self.assertEqual(code, 0)
        self.assertIn("for the rest of this session: allow Bash(touch one)\n", shown)
        self.assertEqual(shown.count("Allow it?"), 2)
        self.assertTrue((self.work / "one").exists())
        self.assertFalse((self.work / "two").exists())
        self.assertEqual(list(self.work.rglob("settings*.json")), [])
        program = self.start(run("touch one"), flags=["--continue"])
        program.type_after(ALL_KEYS, b"n\n")
        self.assertEqual(program.end()[0], 0)

    def test_always_for_an_edit_is_a_mode(self):
        program = self.start(call("Write", file_path="a", content="one\n"),
                             call("Write", file_path="b", content="two\n"), run("make"))
        program.type_after(ALL_KEYS, b"a\n")
        program.type_after(ALL_KEYS, b"n\n")
        code, shown = program.end()
        self.assertEqual(code, 0)
        self.assertIn("for the rest of this session: the mode acceptEdits (", shown)
        self.assertEqual((self.work / "b").read_text(), "two\n")
        self.assertEqual(shown.count("Allow it?"), 2)

    def test_no_leaves_everything_as_it_is_and_the_turn_goes_on(self):
        program = self.start(call("Write", file_path="a", content="one\ntwo\n"))
        program.type_after(ALL_KEYS, b"n\n")
        code, shown = program.end()
        self.assertEqual(code, 0)
        self.assertIn(f"The model wants to create {self.work}/a:", shown)
        self.assertIn("\x1b[32m+one\x1b[0m\n\x1b[32m+two\x1b[0m\n", shown)
        self.assertEqual(list(self.work.iterdir()), [])
        self.assertIn("The user does not want this call to run.", self.model.last_result())

    def test_a_reason_reaches_the_model(self):
        program = self.start(run("make"))
        program.type_after(ALL_KEYS, b"e\n")
        program.type_after(b"Why not? ", b"use ninja, please\n")
        self.assertEqual(program.end()[0], 0)
        self.assertIn("says why: use ninja, please", self.model.last_result())

    def test_the_end_of_input_is_a_no(self):
        program = self.start(run("touch made"), run("touch made"))
        program.type_after(ALL_KEYS, CTRL_D)
        program.type_after(ALL_KEYS, b"e\n")  # the terminal goes on
        program.type_after(b"Why not? ", CTRL_D)
        self.assertEqual(program.end()[0], 0)
        self.assertFalse((self.work / "made").exists())
        self.assertIn("The user does not want this call to run.", self.model.last_result())

    def test_anything_else_is_asked_again(self):
        program = self.start(run("touch made"))
        program.type_after(ALL_KEYS, b"\n")
        program.type_after(b"Please type one of these letters. " + ALL_KEYS, b"sure\n")
        program.type_after(b"Please type one of these letters. " + ALL_KEYS, b"yes\n")
        self.assertEqual(program.end()[0], 0)
        self.assertTrue((self.work / "made").exists())

    def test_ctrl_c_ends_the_turn_and_leaves_the_terminal_as_it_was(self):
        program = self.start(run("touch made"), held=True)
        before = program.settings()
        self.model.release.set()
        program.wait_for(ALL_KEYS)
        program.type(b"y")
        program.type(CTRL_C)
        program.wait_for(b"interrupted")
        self.assertEqual(program.settings(), before)
        code, shown = program.end()
        self.assertEqual(code, 0)
        self.assertIn("the question was withdrawn", shown)
        self.assertFalse((self.work / "made").exists())
        self.assertEqual(len(self.model.requests), 1)
        transcript = next((self.directory / ".claude" / "projects").glob("*/*.jsonl"))
        self.assertIn("touch made", transcript.read_text())

    def test_what_was_typed_before_the_question_does_not_answer_it(self):
        for keys in (b"y\n", b"y"):  # a whole line, and one that only lacks its Enter
            program = self.start(run("touch made"), held=True)
            self.assertTrue(self.model.arrived.wait(PATIENCE))
            program.type(keys)
            program.wait_for(b"y")  # the terminal shows what it has taken
            self.model.release.set()
            program.type_after(ALL_KEYS, b"\n")
            program.type_after(b"Please type one of these letters. " + ALL_KEYS, b"n\n")
            self.assertEqual(program.end()[0], 0)
            self.assertFalse((self.work / "made").exists(), keys)

    def test_pasted_lines_answer_one_question_only(self):
        program = self.start(run("touch one"), run("touch two"))
        program.type_after(ALL_KEYS, b"y\ny\ny\n")
        program.type_after(ALL_KEYS, b"n\n")
        self.assertEqual(program.end()[0], 0)
        self.assertTrue((self.work / "one").exists())
        self.assertFalse((self.work / "two").exists())

    def test_a_command_cannot_hide_behind_escape_codes(self):
        hostile = "touch made #\x1b[2K\x1b[1A\r\u202eecho fine\u200b\x1b]0;title\x07"
        for variables in ({"TERM": "dumb"}, {"NO_COLOR": "1"}, {}):
            program = self.start(run(hostile), **variables)
            program.type_after(b"/e] ", b"n\n")
            _, shown = program.end()
            self.assertIn("  touch made #<U+001B>[2K<U+001B>[1A<U+000D><U+202E>echo fine<U+200B>"
                          "<U+001B>]0;title<U+0007>\n", shown)
            before, question = shown[:shown.index("/e] ")].split("The model wants to run")
            for code in ("\x1b[2K", "\x1b]", "\u202e", "\u200b", "\x07"):
                self.assertNotIn(code, before)
                self.assertNotIn(code, question)
            # Above the question our own view of the turn moves up, to be written anew.
            self.assertNotIn("\x1b[1A", question)
            if variables:
                self.assertNotIn("\x1b", shown)
        self.assertFalse((self.work / "made").exists())

    def test_long_commands_are_shown_whole(self):
        lines = [f"echo {number} > made" for number in range(500)]
        program = self.start(run("\n".join(lines)))
        program.type_after(b"/e] ", b"n\n")
        _, shown = program.end()
        self.assertIn("".join(f"  {line}\n" for line in lines), shown)

    def test_an_edit_is_shown_as_a_difference(self):
        (self.work / "a").write_text("one\ntwo\nthree\n")
        program = self.start(call("Read", file_path="a"),
                             call("Edit", file_path="a", old_string="two", new_string="2"))
        program.type_after(ALL_KEYS, b"y\n")
        code, shown = program.end()
        self.assertEqual(code, 0)
        self.assertIn(f"The model wants to change {self.work}/a:", shown)
        self.assertIn(" one\n\x1b[31m-two\x1b[0m\n\x1b[32m+2\x1b[0m\n three\n", shown)
        self.assertEqual((self.work / "a").read_text(), "one\n2\nthree\n")

    def test_nobody_is_asked_about_an_edit_that_cannot_be_made(self):
        (self.work / "a").write_text("one\n")
        program = self.start(call("Edit", file_path="a", old_string="two", new_string="2"))
        code, shown = program.end()
        self.assertEqual(code, 0)
        self.assertNotIn("Allow it?", shown)
        self.assertIn("File has not been read yet", self.model.last_result())

    def test_critical_removals_are_asked_every_time(self):
        program = self.start(run("rm -rf ~"), flags=["--permission-mode", "bypassPermissions"])
        program.type_after(NO_ALWAYS, b"a\n")
        program.type_after(NO_ALWAYS, b"n\n")
        self.assertEqual(program.end()[0], 0)
        self.assertTrue(self.work.exists())

    def test_questions_of_the_model_are_answered_by_number(self):
        question = {"question": "Which colour?", "header": "Colour", "multiSelect": False,
                    "options": [{"label": "Red", "description": "warm"},
                                {"label": "Blue", "description": "cold"}]}
        program = self.start(call("AskUserQuestion", questions=[question]))
        program.type_after(b"Number, or your own words: ", b"2\n")
        code, shown = program.end()
        self.assertEqual(code, 0)
        self.assertIn("  1  Red: warm\n  2  Blue: cold\n", shown)
        self.assertIn("Blue", self.model.last_result())

    def test_a_plan_is_shown_and_approved(self):
        program = self.start(call("ExitPlanMode", plan="1. look\n2. leap"),
                             flags=["--permission-mode", "plan"])
        program.type_after(NO_ALWAYS, b"y\n")
        code, shown = program.end()
        self.assertEqual(code, 0)
        self.assertIn("  1. look\n  2. leap\n", shown)
        self.assertIn("approved your plan", self.model.last_result())

    def test_programs_and_silent_formats_are_not_asked(self):
        for flags in (["-p"], ["--output-format", "text"], ["--permission-prompts", "none"],
                      ["--permission-mode", "dontAsk"]):
            program = self.start(run("touch made"), flags=flags)
            code, shown = program.end()
            self.assertEqual(code, 0, flags)
            self.assertNotIn("Allow it?", shown)
            self.assertFalse((self.work / "made").exists())


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=0)
