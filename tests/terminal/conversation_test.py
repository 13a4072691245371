#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A conversation at a terminal: what a person types and sees, turn after turn.

    conversation_test.py BINARY
"""

import fcntl
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402
from on_terminal import CTRL_C, CTRL_D, PATIENCE, OnTerminal  # noqa: E402

BINARY = None
CTRL_J = b"\n"
ENTER = b"\r"
LEFT = b"\x1b[D"
UP = b"\x1b[A"
TAB = b"\t"


class Gemini(Server):
    """Repeats the beginning of what it was told; to "hold" only when it is released."""

    def __init__(self):
        self.prompts = []
        self.arrived = threading.Event()
        self.release = threading.Event()
        super().__init__(self.answer)

    def answer(self, _, body):
        parts = json.loads(body)["contents"][-1]["parts"]
        part = next(one for one in reversed(parts) if "<system-reminder>" not in one.get("text", ""))
        text = part.get("text", "")
        said = {"text": "called"} if "functionResponse" in part else {"text": f"**heard** {text[:40]}"}
        if "functionResponse" not in part:
            self.prompts.append(text)
        if text == "make it":
            said = {"functionCall": {"name": "Bash", "args": {"command": "touch made"}}}
        if text.startswith("hold"):
            self.arrived.set()
            self.release.wait()
        reply = {"candidates": [{"content": {"role": "model", "parts": [said]},
                                 "finishReason": "STOP"}],
                 "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5}}
        return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()


class Conversation(unittest.TestCase):
    def setUp(self):
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.work = self.directory / "work"
        self.work.mkdir()
        self.server = Gemini()
        self.addCleanup(self.server.close)
        self.addCleanup(self.server.release.set)

    def environment(self, **variables):
        environment = {"HOME": str(self.directory), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                       "TERM": "xterm", "LANG": "C.UTF-8", "METADATA_SERVER_DETECTION": "none",
                       "GOOGLE_GEMINI_BASE_URL": self.server.url}
        environment |= {name: value for name, value in os.environ.items() if "SAN_OPTIONS" in name}
        return environment | variables

    def start(self, *flags, columns=100, **variables):
        program = OnTerminal([BINARY, "--auth=api-key", *flags], self.environment(**variables),
                             self.work, columns)
        self.addCleanup(self.forget, program)
        return program

    @staticmethod
    def forget(program):
        try:
            os.close(program.terminal)
        except OSError:
            pass

    # Types a line when the prompt is shown, and waits for its answer.
    def say(self, program, keys, answer=b"tokens in"):
        program.wait_for(b"> ")
        program.type(keys)
        program.wait_for(answer)

    def leave(self, program, keys=CTRL_D):
        program.type_after(b"> ", keys)
        code, _ = program.end_seen()
        self.assertEqual(code, 0)

    def test_turn_after_turn(self):
        program = self.start()
        self.say(program, b"one" + ENTER)
        self.say(program, b"two" + ENTER)
        self.leave(program)
        self.assertEqual(self.server.prompts, ["one", "two"])
        seen = program.seen()
        self.assertIn("gemini-", seen)
        self.assertRegex(seen, r"> one\nheard one\n\n[0-9.]+ s · 10 tokens in, 5 out · [^\n]*\n\n?> two\n")
        self.assertNotIn("Ctrl-C interrupts", seen)

    def test_lines_are_edited_and_may_have_line_ends(self):
        program = self.start()
        self.say(program, b"ac" + LEFT + b"b" + ENTER)
        self.say(program, b"first" + CTRL_J + b"second" + ENTER)
        self.say(program, "läßt 漢字".encode() + LEFT + b"-" + ENTER)
        self.leave(program)
        self.assertEqual(self.server.prompts, ["abc", "first\nsecond", "läßt 漢-字"])

    def test_what_is_pasted_is_one_prompt(self):
        program = self.start()
        self.say(program, b"\x1b[200~one\rtwo\r\nthree\x1b[31m\x1b[201~ end" + ENTER)
        self.assertEqual(self.server.prompts, ["one\ntwo\nthree[31m end"])
        large = "0123456789abcde\r" * 65536
        typing = threading.Thread(
            target=program.type_all, args=(b"\x1b[200~" + large.encode() + b"\x1b[201~" + ENTER,))
        program.wait_for(b"> ")
        typing.start()
        program.wait_for(b"[pasted text 1, 1048576 bytes]")
        program.wait_for(b"tokens in")
        typing.join()
        self.leave(program)
        self.assertEqual(self.server.prompts[1], large.replace("\r", "\n"))

    def test_history_is_kept_for_the_folder(self):
        program = self.start()
        self.say(program, b"remember me" + ENTER)
        self.leave(program)
        program = self.start()
        self.say(program, UP + ENTER)
        self.leave(program)
        self.assertEqual(self.server.prompts, ["remember me", "remember me"])
        history = list((self.directory / ".yume" / "history").iterdir())
        self.assertEqual([file.stat().st_mode & 0o777 for file in history], [0o600])

    def test_tab_completes_commands_and_files(self):
        (self.work / "file_of_mine.txt").write_text("content\n")
        program = self.start()
        self.say(program, b"look at @file_o" + TAB + ENTER)
        program.type_after(b"> ", b"/hel" + TAB + ENTER)
        program.wait_for(b"/compact")
        self.leave(program)
        self.assertIn("look at @file_of_mine.txt", self.server.prompts[0])

    def test_ctrl_c_forgets_the_line_and_twice_leaves(self):
        program = self.start()
        program.type_after(b"> ", b"not this")
        program.wait_for(b"not this")
        program.type(CTRL_C)
        self.say(program, b"but this" + ENTER)
        program.type_after(b"> ", CTRL_C)
        program.wait_for(b"Ctrl-C once more")
        program.type_after(b"> ", CTRL_C)
        self.assertEqual(program.end_seen()[0], 0)
        self.assertEqual(self.server.prompts, ["but this"])

    def test_ctrl_c_ends_the_turn_and_not_the_conversation(self):
        program = self.start()
        program.type_after(b"> ", b"hold the line" + ENTER)
        self.assertTrue(self.server.arrived.wait(PATIENCE))
        program.type(CTRL_C)
        program.wait_for(b"interrupted")
        self.server.release.set()
        self.say(program, b"go on" + ENTER)
        self.leave(program)
        self.assertEqual(self.server.prompts[-1], "go on")

    def test_what_is_typed_meanwhile_is_the_next_prompt(self):
        program = self.start()
        program.type_after(b"> ", b"hold on" + ENTER)
        self.assertTrue(self.server.arrived.wait(PATIENCE))
        program.wait_for(b"Ctrl-C interrupts")
        program.type("nächst".encode())
        program.wait_for("> nächst".encode())
        program.type(b"xx\x7f\x7fes" + ENTER + b"begun")
        program.wait_for("> nächstes".encode())
        program.wait_for(b"> begun")
        self.server.release.set()
        program.wait_for("heard\x1b[0m nächstes".encode())
        program.wait_for(b"tokens in")
        program.wait_for(b"> begun")
        program.type(b" and ended" + ENTER)
        program.wait_for(b"tokens in")
        self.leave(program)
        self.assertEqual(self.server.prompts, ["hold on", "nächstes", "begun and ended"])

    def test_a_question_is_answered_in_between(self):
        program = self.start()
        program.type_after(b"> ", b"make it" + ENTER)
        program.type_after(b"Allow it? [y/a/n/e] ", b"y\n")
        program.wait_for(b"called")
        self.say(program, b"and on" + ENTER)
        self.leave(program)
        self.assertTrue((self.work / "made").exists())

    def test_the_terminal_may_become_narrow(self):
        program = self.start()
        program.type_after(b"> ", b"hold on" + ENTER)
        self.assertTrue(self.server.arrived.wait(PATIENCE))
        program.wait_for(b"Ctrl-C interrupts")
        fcntl.ioctl(program.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 24, 0, 0))
        program.wait_for(b"Waiting")
        self.server.release.set()
        program.wait_for(b"tokens in")
        self.say(program, b"a line that is longer than the terminal is wide now" + ENTER)
        self.leave(program)
        self.assertEqual(self.server.prompts[1], "a line that is longer than the terminal is wide now")

    def test_a_plain_terminal_gets_plain_lines(self):
        for variables in ({"TERM": "dumb"}, {"NO_COLOR": "1"}, {"CI": "1"}):
            program = self.start(**variables)
            program.type_after(b"> ", b"one\n")
            program.wait_for(b"tokens in")
            program.type_after(b"> ", b"/quit\n")
            code, shown = program.end()
            self.assertEqual(code, 0)
            self.assertNotIn("\x1b", shown)
            self.assertIn("heard one\n", shown)

    def test_a_prompt_may_come_first(self):
        program = self.start("-i", "at once")
        program.wait_for(b"tokens in")
        self.say(program, b"then" + ENTER)
        self.leave(program)
        self.assertEqual(self.server.prompts, ["at once", "then"])
        program = self.start("--continue")
        self.say(program, b"later" + ENTER)
        self.leave(program)
        self.assertEqual(len(list((self.directory / ".claude" / "projects").glob("*/*.jsonl"))), 1)

    def test_without_a_terminal_there_is_none(self):
        for flags in (["-i", "hello"], ["-i", "-p", "hello"]):
            run = subprocess.run([BINARY, "--auth=api-key", *flags], env=self.environment(),
                                 cwd=self.work, stdin=subprocess.DEVNULL, capture_output=True)
            self.assertEqual(run.returncode, 2)
            self.assertIn(b"needs a terminal", run.stderr)

    def test_the_terminal_is_as_it_was(self):
        program = self.start()
        program.wait_for(b"> ")
        program.type(b"x" + ENTER)
        program.wait_for(b"tokens in")
        program.wait_for(b"> ")
        program.type(CTRL_D)
        while program.read():
            pass
        # Its other end is closed; what counts is that it ended by itself, and cleanly.
        _, status = os.waitpid(program.pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 0)
        self.assertEqual(program.shown.count(b"\x1b[?2004h"), program.shown.count(b"\x1b[?2004l"))

    def test_nobody_else_sends_codes_to_the_terminal(self):
        program = self.start()
        self.say(program, b"\x1b[200~\x1b]0;title\x07 \xc2\x9b7m\x1b[66m\x1b[201~" + ENTER)
        self.leave(program)
        own = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z](?<!66m)|\x1b[=>]|[\r\x08]", "", program.shown.decode())
        self.assertNotRegex(own, "[\x00-\x07\x0b-\x1f\x7f-\x9f]")


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=0)
