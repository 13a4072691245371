#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A session on a terminal is shown a screen at a time, through a pager of the person's.

    pager_test.py BINARY
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402
from on_terminal import OnTerminal  # noqa: E402

BINARY = None
LONG = "\n".join(f"line {number}" for number in range(20000))


def answer(_, __):
    reply = {"candidates": [{"content": {"role": "model", "parts": [{"text": LONG}]},
                             "finishReason": "STOP"}],
             "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5}}
    return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()


class Pager(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Path(cls.enterClassContext(tempfile.TemporaryDirectory())).resolve()
        cls.work = cls.home / "work"
        cls.work.mkdir()
        server = Server(answer)
        cls.addClassCleanup(server.close)
        cls.environment = {"HOME": str(cls.home), "GEMINI_API_KEY": "key", "TERM": "xterm",
                           "METADATA_SERVER_DETECTION": "none",
                           "GOOGLE_GEMINI_BASE_URL": server.url}
        cls.environment |= {name: value for name, value in os.environ.items()
                            if "SAN_OPTIONS" in name}
        subprocess.run([BINARY, "-p", "--auth=api-key", "a prompt"], cwd=cls.work, check=True,
                       env=cls.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        cls.session = next((cls.home / ".claude" / "projects").glob("*/*.jsonl")).stem
        cls.plain = subprocess.run([BINARY, "sessions", "show", cls.session], cwd=cls.work,
                                   env=cls.environment, check=True, capture_output=True,
                                   text=True).stdout

    def pager(self, name, script, folder=None):
        folder = folder or self.home / "bin"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
        return folder

    def show(self, *arguments, path, **variables):
        environment = self.environment | {"PATH": f"{path}:/usr/bin:/bin"} | variables
        return OnTerminal([BINARY, "sessions", "show", self.session, *arguments], environment,
                          self.work)

    def test_a_pipe_gets_all_of_it_and_no_codes(self):
        self.assertIn("line 19999", self.plain)
        self.assertNotIn("\x1b", self.plain)

    def test_the_pager_of_the_person_gets_the_text_and_the_terminal(self):
        path = self.pager("mine", 'echo "paged by $1"; head -n 3; read -r key < /dev/tty; '
                                  'echo "pressed $key"')
        program = self.show(path=path, PAGER="mine --softly")
        program.type_after(b"paged by --softly", b"q\n")
        code, shown = program.end()
        self.assertEqual(code, 0)
        self.assertIn("a prompt", shown)
        self.assertNotIn("line 19999", shown)
        self.assertTrue(shown.endswith("pressed q\n"), shown)

    def test_less_is_the_usual_one(self):
        path = self.pager("less", 'echo "less $@ LESS=$LESS"')
        code, shown = self.show(path=path).end()
        self.assertEqual((code, shown), (0, "less -FRX LESS=FRX\n"))

    def test_a_pager_that_ends_early_is_no_error(self):
        for script in ("exit 0", "exit 1", "kill -9 $$", "exec <&-"):
            path = self.pager("early", script)
            self.assertEqual(self.show(path=path, PAGER="early").end(), (0, ""), script)

    def test_what_is_no_pager_is_passed_over(self):
        path = self.pager("less", "echo less")
        self.pager("odd", "echo odd")
        broken = self.home / "bin" / "broken"
        broken.write_text("#!/no/such/interpreter\n")
        broken.chmod(0o755)
        for pager in ("missing", "odd | cat", "./odd", "$(odd)"):
            self.assertEqual(self.show(path=path, PAGER=pager).end(), (0, "less\n"), pager)
        for variables in ({"PAGER": "broken"}, {"TERM": "dumb"}, {"NO_COLOR": "1"}):
            code, shown = self.show(path=path, **variables).end()
            self.assertEqual(code, 0)
            self.assertIn("line 19999", shown, variables)

    def test_no_pager_of_the_folder_that_is_worked_in(self):
        self.pager("evil", "echo evil", self.work)
        self.pager("less", "echo evil", self.work)
        good = self.pager("less", "echo good")
        for path in (f".:{self.work}:{good}", f":{good}", f"../work:{good}"):
            self.assertEqual(self.show(path=path, PAGER="evil").end(), (0, "good\n"), path)

    def test_no_pager_when_there_shall_be_none(self):
        path = self.pager("less", "echo less")
        for flag in ("--no-pager", "--json"):
            code, shown = self.show(flag, path=path).end()
            self.assertEqual(code, 0)
            self.assertIn("line 19999", shown, flag)


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
