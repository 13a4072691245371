#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program on a terminal: what a person sees, and what Ctrl-C and Ctrl-D do.

    terminal_test.py BINARY
"""

import json
import os
import re
import signal
import socket
import sys
import tempfile
import threading
import unittest
from datetime import datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402
from on_terminal import CTRL_C, CTRL_D, PATIENCE, OnTerminal  # noqa: E402

BINARY = None


class Gemini(Server):
    """Says "hello"; to "hold the line" only when it is released."""

    def __init__(self):
        self.asked = 0
        self.text = "hello"
        self.arrived = threading.Event()
        self.release = threading.Event()
        super().__init__(self.answer)

    def answer(self, _, body):
        self.asked += 1
        part = {"text": self.text}
        if b"use a tool" in body and b"functionResponse" not in body:
            part = {"functionCall": {"name": "Read", "args": {"file_path": "missing"}}}
        if b"hold the line" in body:
            self.arrived.set()
            self.release.wait()
        reply = {"candidates": [{"content": {"role": "model", "parts": [part]},
                                 "finishReason": "STOP"}],
                 "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5}}
        return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()


class Terminal(unittest.TestCase):
    def setUp(self):
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.server = Gemini()
        self.addCleanup(self.server.close)
        self.addCleanup(self.server.release.set)

    def start(self, *arguments, columns=100, **variables):
        environment = {"HOME": str(self.directory), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                       "TERM": "xterm", "LANG": "C.UTF-8", "METADATA_SERVER_DETECTION": "none",
                       "GOOGLE_GEMINI_BASE_URL": self.server.url}
        environment |= {name: value for name, value in os.environ.items() if "SAN_OPTIONS" in name}
        return OnTerminal([BINARY, *arguments], environment | variables, self.directory, columns)

    def sessions(self):
        return sorted((self.directory / ".claude" / "projects").glob("*/*.jsonl"))

    def a_session(self):
        self.assert_answered(self.start("--auth", "api-key", "a prompt"))
        return self.sessions()[0].stem

    # The answer, and below it what it took.
    def assert_answered(self, program, why=None):
        code, seen = program.end_seen()
        self.assertEqual(code, 0, why)
        self.assertRegex(seen, r"\Ahello\n\n[0-9.]+ s · 10 tokens in, 5 out · less than \$0\.0001\n\Z", why)

    def test_the_demo_is_a_show(self):
        program = self.start("demo", GEMINI_API_KEY="")
        program.type_after(b"Allow it?", b"y\n")
        code, seen = program.end_seen()
        self.assertEqual(code, 0)
        self.assertIn("Nothing leaves this machine.", seen)
        self.assertIn("● Read greet.py  4 lines\n", seen)
        self.assertIn('    +    return "Hello, " + name\n', seen)
        self.assertIn("Done: greet.py now says \"Hello\".\n", seen)
        code, shown = self.start("demo", "--output-format", "stream-json").end()
        self.assertEqual(code, 0)
        for line in shown.splitlines():
            json.loads(line)

    def test_ctrl_c_ends_a_turn_and_keeps_its_session(self):
        program = self.start("--auth", "api-key", "hold the line")
        self.assertTrue(self.server.arrived.wait(PATIENCE))
        os.write(program.terminal, CTRL_C)
        code, shown = program.end()
        self.assertEqual(code, 0)
        self.assertIn("interrupted", shown)
        self.assertIn("hold the line", self.sessions()[0].read_text())

    def test_delete_asks_first(self):
        session = self.a_session()
        for keys, code in ((b"n\n", 1), (b"\n", 1), (CTRL_D, 1), (CTRL_C, -signal.SIGINT)):
            program = self.start("sessions", "delete", session[:8])
            program.type_after(b"[y/N]", keys)
            self.assertEqual(program.end()[0], code, keys)
            self.assertEqual(len(self.sessions()), 1)
        program = self.start("sessions", "delete", session[:8])
        program.type_after(b"[y/N]", b"y\n")
        code, shown = program.end()
        self.assertEqual(code, 0)
        self.assertIn(f"Deleted session {session}.", shown)
        self.assertEqual(self.sessions(), [])

    def test_lists_and_shows_with_colours(self):
        session = self.a_session()
        code, shown = self.start("sessions", "list").end()
        self.assertEqual(code, 0)
        self.assertIn("a prompt", shown)
        code, shown = self.start("sessions", "show", session).end()
        self.assertEqual(code, 0)
        self.assertIn("\x1b[", shown)
        self.assertIn("hello", shown)

    def test_a_mistyped_command_is_sent_only_when_meant(self):
        for words in (["session", "list"], ["mcp", "list"], ["model"]):
            for keys, code in ((b"n\n", 2), (b"\n", 2), (CTRL_D, 2), (CTRL_C, -signal.SIGINT)):
                program = self.start("--auth=api-key", *words)
                program.type_after(b"as a prompt? [y/N]", keys)
                self.assertEqual(program.end()[0], code, (words, keys))
        self.assertEqual(self.server.asked, 0)
        program = self.start("--auth=api-key", "model")
        program.type_after(b"as a prompt? [y/N]", b"y\n")
        code, shown = program.end()
        self.assertEqual(code, 0)
        self.assertIn("hello", shown)
        self.assertEqual(self.server.asked, 1)

    def test_prompts_are_sent_unasked(self):
        for words in (["hello"], ["model the data as a graph"], ["--", "model"]):
            self.assert_answered(self.start("--auth=api-key", *words), words)

    def test_the_word_help_shows_the_help(self):
        code, shown = self.start("help").end()
        self.assertEqual(code, 0)
        self.assertIn("Usage: yume-cli [options] [prompt]", shown)
        self.assertEqual(self.server.asked, 0)

    def test_escape_codes_are_not_for_everyone(self):
        prompt = ("--auth=api-key", "use a tool")
        self.assertIn("\x1b[1mRead\x1b[0m missing", self.start(*prompt).end()[1])
        session = self.sessions()[0].stem
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"CI": "true"}):
            for words in (prompt, ("sessions", "show", session), ("doctor", "--auth=api-key")):
                code, shown = self.start(*words, **variables).end()
                self.assertEqual(code, 0, shown)
                self.assertNotIn("\x1b", shown, (words, variables))

    def test_nobody_else_sends_codes_to_the_terminal(self):
        codes = "\x1b]0;title\x07\x1b[66m\x9b7m\x08"
        odd = self.directory / f"odd{codes}"
        (odd / ".yume").mkdir(parents=True)
        (self.directory / f"target{codes}").write_text("x")
        (odd / "CLAUDE.md").symlink_to(self.directory / f"target{codes}")  # a notice names it
        (odd / ".yume" / "settings.json").write_text(json.dumps(
            {"permissions": {"allow": [f"Bash(x{codes})"], "deny": [f"Bash(y{codes})"],
                             "additionalDirectories": [f"/x{codes}"]}, f"key{codes}": 1}))
        self.directory = odd
        self.server.text = f"hello {codes}"
        home = {"HOME": str(odd.parent)}
        self.start("--auth=api-key", "use a tool", **home).end()
        session = next((odd.parent / ".claude" / "projects").glob("*/*.jsonl")).stem
        for words in (("--auth=api-key", "hi"), ("--auth=api-key", "use a tool"),
                      ("--auth=api-key", "--output-format=text", "use a tool"),
                      ("sessions", "list"), ("sessions", "list", "--all"),
                      ("sessions", "show", "--no-pager", session), ("sessions", "show", codes),
                      *(("sessions", "export", session, "--format", form)
                        for form in ("md", "html", "jsonl")),
                      ("permissions", "list"), ("permissions", "explain", f"Bash(y{codes})"),
                      ("trust", "--yes"), ("trust", "--list"), ("doctor", "--auth=api-key"),
                      ("--cwd", codes, "hi"), ("--settings", codes, "hi"),
                      ("--resume", codes, "hi"), (f"--{codes}", "hi"),
                      ("--disallowedTools", f"{codes}(", "hi"), ("--model", codes, "hi")):
            _, shown = self.start(*words, **home).end()
            own = re.sub("\x1b\\[[0-9;]*[mAJK](?<!66m)|\r", "", shown)
            self.assertNotRegex(own, "[\x00-\x08\x0b-\x1f\x7f-\x9f]", words)

    def test_lists_fit_sixty_columns(self):
        self.start("--auth=api-key", "a prompt that is much longer than any narrow terminal is").end()
        for words in (("models",), ("sessions", "list"), ("sessions", "list", "--all"),
                      ("doctor", "--auth=api-key")):
            for columns, variables in ((60, {}), (200, {"COLUMNS": "60"})):
                code, shown = self.start(*words, columns=columns, **variables).end()
                self.assertEqual(code, 0, shown)
                plain = re.sub("\x1b\\[[0-9;]*m", "", shown)
                for line in plain.splitlines():
                    self.assertLessEqual(len(line), 60, (words, line))

    def test_a_list_has_local_times_and_short_ids_that_work(self):
        session = self.a_session()
        other = self.sessions()[0].with_name(f"{session[:9]}0000-4000-8000-000000000000.jsonl")
        other.write_text(self.sessions()[0].read_text())
        _, shown = self.start("sessions", "list", "--json", TZ="EAST-5:45").end()
        listed = {one["id"]: one for one in json.loads(shown)["sessions"]}
        self.assertIn(session, listed)
        at = datetime.fromisoformat(listed[session]["updated"].replace("Z", "+00:00"))
        local = (at + timedelta(hours=5, minutes=45)).strftime("%Y-%m-%d %H:%M")
        _, shown = self.start("sessions", "list", TZ="EAST-5:45").end()
        rows = [line.split() for line in shown.splitlines()[1:]]
        self.assertEqual({" ".join(row[1:3]) for row in rows}, {local})
        for row in rows:
            self.assertLess(len(row[0]), 36)
            code, shown = self.start("sessions", "show", row[0]).end()
            self.assertEqual(code, 0, shown)
            self.assert_answered(self.start("--auth=api-key", "--resume", row[0], "and now?"))
        code, shown = self.start("--auth=api-key", "--resume", session[:8], "and now?").end()
        self.assertEqual(code, 1)
        self.assertIn(f"'{session[:8]}' may be one of 2 sessions", shown)
        self.assertIn(session, shown)
        self.assertIn(other.stem, shown)

    def test_waits_are_explained_in_every_format(self):
        nobody = socket.create_server(("127.0.0.1", 0))
        address = f"127.0.0.1:{nobody.getsockname()[1]}"
        nobody.close()
        for form in ((), ("--output-format", "text"), ("--output-format", "json")):
            code, shown = self.start("--auth=api-key", "-p", *form, "hello", YUME_MAX_RETRIES="1",
                                     GOOGLE_GEMINI_BASE_URL=f"http://{address}").end()
            self.assertEqual(code, 1, shown)
            self.assertRegex(shown, f"cannot connect to {address}: Connection refused; "
                                    r"trying again in 0\.\d s \(1 of 1\)")


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=0)
