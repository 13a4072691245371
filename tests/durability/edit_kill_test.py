#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An Edit that is killed, or whose system calls fail, at every possible place.

    edit_kill_test.py EDIT_ONCE SHORT_WRITES

The file has its old or its new bytes, never others, and at most one temporary file is left, which
the next edit in that directory removes. Needs strace.
"""

import errno
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

EDIT_ONCE = None
SHORT_WRITES = None

OLD = "first\r\nold text\r\nlast\n" * 400 + "the one to change\n"
NEW = OLD.replace("the one to change", "the changed one")

# Everything an edit does on the disk. openat and read are also what starting the program consists
# of, but dying there is cheap to try.
KILLED_AT = ["openat", "openat2", "read", "write", "fsync", "renameat", "fchmod", "fchown", "flock",
             "unlinkat", "newfstatat", "getdents64", "close", "flistxattr", "fremovexattr",
             "fsetxattr"]
MOST_CALLS = 400  # of one kind; a test that never ends is no test


class EditUnderFire(unittest.TestCase):
    def setUp(self):
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.file = self.directory / "file.txt"
        self.reset()

    def reset(self):
        self.file.write_bytes(OLD.encode())
        self.file.chmod(0o640)
        self.no_attribute = None
        try:
            os.setxattr(self.file, "user.kept", b"value")
        except OSError as failure:
            if failure.errno != errno.ENOTSUP:
                raise
            self.no_attribute = failure.strerror

    def edit(self, *strace, env=None):
        """(exit code, what was printed); a negative code is the signal."""
        command = ["strace", "-f", "-o", "/dev/null", *strace] if strace else []
        command += [EDIT_ONCE, str(self.directory), "file.txt", "the one to change",
                    "the changed one"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60,
                              env={**os.environ, **(env or {})})
        return done.returncode, done.stdout + done.stderr

    def content(self):
        bytes_ = self.file.read_bytes()
        return {OLD.encode(): "old", NEW.encode(): "new"}.get(bytes_, f"{len(bytes_)} odd bytes")

    def strays(self):
        return [name for name in os.listdir(self.directory) if name.startswith(".yume-")]

    def each_call(self, call, injection):
        """Runs the edit with the injection at the first call, the second, … until it is not met."""
        for number in range(1, MOST_CALLS):
            self.reset()
            code, text = self.edit("-e", f"trace={call}", "-e",
                                   f"inject={call}:{injection}:when={number}")
            yield number, code, text
            if code == 0 and self.content() == "new" and "in place" not in text:
                return
        self.fail(f"more than {MOST_CALLS} calls of {call}")

    def test_f17_killed_at_every_system_call(self):
        seen = set()
        strays = 0
        killed = 0
        for call in KILLED_AT:
            for number, code, text in self.each_call(call, "signal=KILL"):
                with self.subTest(call=call, number=number, code=code):
                    content = self.content()
                    seen.add(content)
                    self.assertIn(content, ("old", "new"))
                    self.assertEqual(self.file.stat().st_mode & 0o777, 0o640)
                    if not self.no_attribute:
                        self.assertEqual(os.getxattr(self.file, "user.kept"), b"value")
                    strays += len(self.strays())
                    self.assertLessEqual(len(self.strays()), 1)
                if self.strays():
                    self.reset()
                    code, text = self.edit()
                    self.assertEqual((code, self.strays()), (0, []), text)
                killed += code != 0
        print(f"killed {killed} times, {strays} temporary files left")
        # Else nothing was tried: killed before and after, and with a temporary file on the disk.
        self.assertEqual(seen, {"old", "new"})
        self.assertGreater(strays, 3)
        if self.no_attribute:
            self.skipTest(f"all but whether user.* attributes are kept in {self.directory.parent} was "
                          f"checked: {self.no_attribute}")

    def test_f14_every_failure_leaves_the_old_or_the_new_bytes(self):
        failures = 0
        for error in ("ENOSPC", "EDQUOT", "EROFS", "EIO", "EFBIG"):
            for call in ("write", "fsync", "renameat", "close"):
                for number, code, text in self.each_call(call, f"error={error}"):
                    with self.subTest(call=call, number=number, error=error, text=text):
                        content = self.content()
                        self.assertIn(content, ("old", "new"))
                        self.assertEqual(self.strays(), [])
                        if code == 3:
                            failures += 1
                            power = "might not survive a power failure" in text
                            self.assertEqual(content, "new" if power else "old")
        self.assertGreaterEqual(failures, 15)

    def test_f16_short_writes_make_the_same_file(self):
        code, text = self.edit(env={"LD_PRELOAD": SHORT_WRITES})
        self.assertEqual((code, self.content()), (0, "new"), text)

    def test_f20_what_cannot_be_renamed_over_is_written_in_place(self):
        for error in ("EXDEV", "EBUSY", "EPERM"):
            self.reset()
            inode = self.file.stat().st_ino
            code, text = self.edit("-e", "trace=renameat", "-e", f"inject=renameat:error={error}")
            self.assertEqual((code, self.content()), (0, "new"), text)
            self.assertEqual(self.file.stat().st_ino, inode)
            self.assertIn("written in place; its old content is in ", text)
            backup = text.split("its old content is in ")[1].split(".bak")[0] + ".bak"
            self.assertEqual(Path(backup).read_bytes(), OLD.encode())
            self.assertEqual(self.strays(), [])


if __name__ == "__main__":
    SHORT_WRITES = sys.argv.pop(2)
    EDIT_ONCE = sys.argv.pop(1)
    unittest.main(verbosity=0)
