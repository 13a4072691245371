#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `sessions stats` adds up, and the pages that `sessions export --all` leaves.

    stats_test.py BINARY
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from streaming_gemini import Gemini, call, text  # noqa: E402

BINARY = None


class Stats(unittest.TestCase):
    def setUp(self):
        self.home = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.work = self.home / "work"
        self.work.mkdir()
        (self.work / "a.txt").write_text("content\n")
        self.gemini = Gemini()
        self.addCleanup(self.gemini.close)

    def run_program(self, *arguments, code=0):
        environment = {"HOME": str(self.home), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                       "METADATA_SERVER_DETECTION": "none",
                       "GOOGLE_GEMINI_BASE_URL": self.gemini.url}
        environment |= {name: value for name, value in os.environ.items() if "SAN_OPTIONS" in name}
        run = subprocess.run([BINARY, *arguments], cwd=self.work, env=environment, check=False,
                             capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def turn(self, prompt, *flags):
        self.run_program("-p", "--auth=api-key", *flags, prompt)

    def stats(self):
        return json.loads(self.run_program("sessions", "stats", "--json").stdout)

    def test_what_subagents_used_counts_and_copies_do_not(self):
        self.gemini.expect({
            "delegate it": [[call("Agent", description="Look", prompt="look around",
                                  subagent_type="general-purpose")], [text("Done.")]],
            "look around": [[call("Read", file_path="a.txt")], [text("It is there.")]]})
        self.turn("delegate it")
        stats = self.stats()
        # Each request of the script used 100 tokens and made 10.
        self.assertEqual((stats["sessions"], stats["subagents"], stats["requests"]), (1, 1, 4))
        self.assertEqual((stats["inputTokens"], stats["outputTokens"]), (400, 40))
        self.assertEqual([(one["cwd"], one["requests"]) for one in stats["projects"]],
                         [(str(self.work), 4)])
        self.assertIn("1 session, 1 subagent, 4 requests",
                      self.run_program("sessions", "stats").stdout)
        self.gemini.expect([[text("More.")]])
        self.turn("and more", "--continue", "--fork-session")
        stats = self.stats()
        self.assertEqual((stats["sessions"], stats["subagents"], stats["requests"]), (2, 1, 5))
        self.assertEqual(stats["inputTokens"], 500)

    def test_pages_of_all_sessions_are_not_replaced_unasked(self):
        self.gemini.expect([[text("One.")]])
        self.turn("the first <b>prompt</b>")
        pages = self.home / "pages"
        export = ("sessions", "export", "--all", "--format", "html", "--output", str(pages))
        self.run_program(*export)
        index = (pages / "index.html").read_text()
        self.assertIn("the first &lt;b&gt;prompt&lt;/b&gt;", index)
        self.assertIn('id="search"', index)
        self.assertEqual(len(list(pages.iterdir())), 2)
        (pages / "index.html").write_text("mine")
        self.assertIn("exists. Add --force", self.run_program(*export, code=1).stderr)
        self.assertEqual((pages / "index.html").read_text(), "mine")
        self.run_program(*export, "--force")
        self.assertEqual((pages / "index.html").read_text(), index)


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
