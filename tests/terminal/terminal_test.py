#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program on a terminal: what a person sees, and what Ctrl-C and Ctrl-D do.

    terminal_test.py BINARY
"""

import json
import os
import pty
import select
import signal
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402

BINARY = None
PATIENCE = 60  # seconds; only a hang takes so long
CTRL_C = b"\x03"
CTRL_D = b"\x04"


class Gemini(Server):
    """Says "hello"; to "hold the line" only when it is released."""

    def __init__(self):
        self.arrived = threading.Event()
        self.release = threading.Event()
        super().__init__(self.answer)

    def answer(self, _, body):
        if b"hold the line" in body:
            self.arrived.set()
            self.release.wait()
        reply = {"candidates": [{"content": {"role": "model", "parts": [{"text": "hello"}]},
                                 "finishReason": "STOP"}],
                 "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5}}
        return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()


class OnTerminal:
    """A program whose three streams are one terminal, and which the terminal's keys reach."""

    def __init__(self, arguments, environment, cwd):
        self.shown = b""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.execve(BINARY, ["yume-cli", *arguments], environment)

    def read(self):
        """False at the end."""
        ready, _, _ = select.select([self.terminal], [], [], PATIENCE)
        if not ready:
            os.kill(self.pid, signal.SIGKILL)
            raise AssertionError(f"hangs; shown so far: {self.shown}")
        try:
            more = os.read(self.terminal, 4096)
        except OSError:  # how Linux tells that nobody has the terminal open any more
            return False
        self.shown += more
        return more != b""

    def type_after(self, text, keys):
        while text not in self.shown:
            if not self.read():
                raise AssertionError(f"ended before {text}: {self.shown}")
        os.write(self.terminal, keys)

    def end(self):
        while self.read():
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(status), self.shown.decode().replace("\r\n", "\n")


class Terminal(unittest.TestCase):
    def setUp(self):
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.server = Gemini()
        self.addCleanup(self.server.close)
        self.addCleanup(self.server.release.set)

    def start(self, *arguments):
        environment = {"HOME": str(self.directory), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                       "TERM": "xterm", "METADATA_SERVER_DETECTION": "none",
                       "GOOGLE_GEMINI_BASE_URL": self.server.url}
        environment |= {name: value for name, value in os.environ.items() if "SAN_OPTIONS" in name}
        return OnTerminal(arguments, environment, self.directory)

    def sessions(self):
        return sorted((self.directory / ".claude" / "projects").glob("*/*.jsonl"))

    def a_session(self):
        self.assertEqual(self.start("--auth", "api-key", "a prompt").end(), (0, "hello\n"))
        return self.sessions()[0].stem

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

    def test_without_a_prompt_it_says_what_to_do(self):
        code, shown = self.start().end()
        self.assertEqual(code, 2)
        self.assertIn("yume-cli --help", shown)


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=0)
