#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What shells complete of the command line, asked of the shells themselves; the manual page.

    completion_test.py BINARY

Only what a shell offers is looked at. PowerShell is not in the distribution: its script is checked by the unit
tests.
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BINARY = None


def output_of(*command, stdin=None):
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False,
                          env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"})
    return done.returncode, done.stdout, done.stderr


def script_for(shell):
    code, script, errors = output_of(BINARY, "completions", shell)
    assert code == 0 and not errors, errors
    return script


class Shells(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def file_for(self, shell):
        path = self.folder / f"completion.{shell}"
        path.write_text(script_for(shell))
        return path

    def bash(self, *words):
        """What bash offers for the last of the words, which bash has taken apart."""
        quoted = " ".join("'" + word + "'" for word in words)
        code, offered, errors = output_of(
            "bash", "--norc", "-c",
            f"source {self.file_for('bash')}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1};"
            "_yume_cli; printf '%s\\n' \"${COMPREPLY[@]}\"")
        self.assertEqual((code, errors), (0, ""))
        return offered.split()

    def fish(self, line):
        code, offered, errors = output_of(
            "fish", "--no-config", "-c", f"source {self.file_for('fish')}; complete -C '{line}'")
        self.assertEqual((code, errors), (0, ""))
        return [one.split("\t")[0] for one in offered.splitlines()]

    def test_bash(self):
        self.assertEqual(self.bash("yume-cli", "--output-format", ""), ["text", "json", "stream-json"])
        self.assertEqual(self.bash("yume-cli", "--output-format", "=", "st"), ["stream-json"])
        self.assertEqual(self.bash("yume-cli", "--permission-mode", "=", "pl"), ["plan"])
        self.assertEqual(self.bash("yume-cli", "--outp"), ["--output-format", "--output-file"])
        self.assertEqual(self.bash("yume-cli", "sessi"), ["sessions"])
        self.assertEqual(self.bash("yume-cli", "sessions", "ex"), ["export"])
        self.assertEqual(self.bash("yume-cli", "sessions", "export", "--format", "h"), ["html"])
        self.assertEqual(self.bash("yume-cli", "sessions", "list", "--m"), [])
        self.assertEqual(self.bash("yume-cli", "completions", "z"), ["zsh"])
        # File names are readline's business.
        self.assertEqual(self.bash("yume-cli", "--settings", "x"), [])
        self.assertEqual(self.bash("yume-cli", "fix", "the"), [])

    def test_fish(self):
        self.assertEqual(self.fish("yume-cli --output-format "), ["json", "stream-json", "text"])
        self.assertIn("sessions", self.fish("yume-cli "))
        self.assertEqual(self.fish("yume-cli sessions ex"), ["export"])
        self.assertEqual(self.fish("yume-cli sessions export --format h"), ["html"])
        self.assertIn("--permission-mode", self.fish("yume-cli --perm"))
        self.assertNotIn("--permission-mode", self.fish("yume-cli models --"))
        self.assertEqual(self.fish("yume-cli detect cl"), ["claude"])

    def test_sessions(self):
        """Asked of the program itself, by the name that was typed."""
        fake = self.folder / "bin" / "yume-cli"
        fake.parent.mkdir()
        fake.write_text("#!/bin/sh\n[ \"$*\" = 'sessions list' ] || exit 1\n"
                        "printf 'ID        UPDATED           TITLE\\n'\n"
                        "printf 'aaaa1111  2026-01-02 03:04  one $(touch x)\\n'\n"
                        "printf 'bbbb2222  2026-01-02 03:04  two\\n'\n")
        fake.chmod(0o755)
        self.assertEqual(self.bash(str(fake), "--resume", ""), ["aaaa1111", "bbbb2222"])
        self.assertEqual(self.bash(str(fake), "-r", "b"), ["bbbb2222"])
        self.assertEqual(self.bash(str(fake), "sessions", "show", "a"), ["aaaa1111"])
        self.assertEqual(self.bash(str(fake), "sessions", "list", ""), [])
        path = os.environ["PATH"]
        os.environ["PATH"] = f"{fake.parent}:{path}"
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        self.assertEqual(self.fish("yume-cli --resume "), ["aaaa1111", "bbbb2222"])
        self.assertEqual(self.fish("yume-cli sessions delete b"), ["bbbb2222"])
        code, offered, errors = output_of(
            "zsh", "-f", "-c", f"autoload -Uz compinit; compinit -u -D; source {self.file_for('zsh')}; "
            "compadd() { shift 4; print -l ${(P)1}; print -l $titles }; _yume_cli_sessions")
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual(offered.splitlines()[:2], ["aaaa1111", "bbbb2222"])
        self.assertIn("two", offered)

    def test_zsh_takes_the_script(self):
        script = self.file_for("zsh")
        code, registered, errors = output_of(
            "zsh", "-f", "-c",
            f"autoload -Uz compinit; compinit -u -D; source {script}; print $_comps[yume-cli]")
        self.assertEqual((code, registered, errors), (0, "_yume_cli\n", ""))

    def test_another_shell(self):
        code, out, errors = output_of(BINARY, "completions", "bsh")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("did you mean bash?", errors)
        self.assertIn("bash, zsh, fish or powershell", errors)

    def test_manual_page(self):
        code, page, _ = output_of(BINARY, "man")
        self.assertEqual(code, 0)
        code, text, warnings = output_of("groff", "-man", "-ww", "-Tascii", "-P-cbou", stdin=page)
        self.assertEqual((code, warnings), (0, ""))
        for said in ("--output-format format", "yume-cli sessions list", "~/.yume/settings.json"):
            self.assertIn(said, text)


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
