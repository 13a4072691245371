#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Working directories that are moved, removed or unmounted, and homes that cannot be written.

    lost_places_test.py BINARY

Every tool says so, nothing crashes, and nothing is written where nobody would look for it.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from scripted_agent import call, command_line, environment, serve, tool_results  # noqa: E402

BINARY = None
OTHER = 65534
NEEDS_ROOT = unittest.skipUnless(os.getuid() == 0, "needs root: it mounts, and runs as another user")


class LostPlaces(unittest.TestCase):
    def setUp(self):
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.root.chmod(0o755)
        self.directory = self.root / "d"
        self.directory.mkdir()
        self.home = self.root / "home"
        self.home.mkdir()

    def start(self, calls, **identity):
        """What a run in the directory printed; it has to end well."""
        server = serve(calls)
        done = subprocess.run(command_line(BINARY, server, "-p", "--prompt", "go"),
                              env=environment(self.home), cwd=self.directory, capture_output=True,
                              text=True, timeout=120, **identity)
        server.close()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def lose(self, change):
        """The texts of one call of every tool, after the directory was changed in mid-turn."""
        def calls():
            yield call("Read", file_path="f")
            change()
            yield call("Read", file_path="f")
            yield call("Edit", file_path="f", old_string="old", new_string="new")
            yield call("Write", file_path="new/one", content="x")
            yield call("Glob", pattern="*")
            yield call("Grep", pattern="old")
            yield call("LS", path=".")
            yield call("Bash", command="pwd")

        results = tool_results(self.start(calls()))[1:]
        self.assertEqual(len(results), 7)
        return results

    def expect_all_fail(self, results):
        for text, failed in results:
            with self.subTest(text):
                self.assertTrue(failed)
                self.assertIn(str(self.directory), text)
        self.assertFalse(self.directory.exists())
        self.assertIn("which was moved or removed", results[0][0])
        self.assertEqual(results[2][0], f"The working directory {self.directory} was moved or removed. "
                         "Find out where the project is now, and use absolute paths.")

    def test_a_working_directory_that_is_moved(self):
        (self.directory / "f").write_text("old")
        self.expect_all_fail(self.lose(lambda: self.directory.rename(self.root / "elsewhere")))
        self.assertEqual((self.root / "elsewhere" / "f").read_text(), "old")

    def test_a_working_directory_that_is_removed(self):
        (self.directory / "f").write_text("old")
        self.expect_all_fail(self.lose(lambda: shutil.rmtree(self.directory)))

    @NEEDS_ROOT
    def test_a_working_directory_that_is_unmounted(self):
        mounted = subprocess.run(["mount", "-t", "tmpfs", "none", self.directory],
                                 capture_output=True, text=True)
        if mounted.returncode != 0:
            self.skipTest(mounted.stderr.strip())
        (self.directory / "f").write_text("old")
        results = self.lose(lambda: subprocess.run(["umount", "-l", self.directory], check=True))
        # The empty directory that it was mounted on is there, and is what everybody sees.
        self.assertEqual([failed for _, failed in results[:2]], [True, True])
        self.assertIn("File does not exist", results[0][0])

    def test_a_start_in_a_removed_directory(self):
        script = f"cd '{self.directory}' && rmdir '{self.directory}' && exec \"$@\""
        server = serve([])
        done = subprocess.run(
            ["/bin/sh", "-c", script, "sh", *command_line(BINARY, server, "-p", "--prompt", "go")],
            env=environment(self.home), capture_output=True, text=True, timeout=120)
        server.close()
        self.assertEqual(done.returncode, 1)
        result = json.loads(done.stdout)
        self.assertEqual(result["errors"], ["Error: the working directory does not exist any more"])

    @NEEDS_ROOT
    def test_a_home_that_cannot_be_written(self):
        """Tools work on; a file that could only be written in place is left alone, as there is no
        place for its old bytes."""
        os.chown(self.directory, OTHER, OTHER)
        (self.directory / "mine").write_text("old")
        os.chown(self.directory / "mine", OTHER, OTHER)
        (self.directory / "shared").write_text("old")
        (self.directory / "shared").chmod(0o666)
        calls = [call("Read", file_path="mine"), call("Read", file_path="shared")] + [
            call("Edit", file_path=name, old_string="old", new_string="new")
            for name in ("mine", "shared")] + [call("Bash", command="yes | head -c 100000")]
        lines = self.start(calls, user=OTHER, group=OTHER, extra_groups=[])
        results = tool_results(lines)
        self.assertEqual(results[2], ("The file mine has been updated successfully.", False))
        self.assertEqual((self.directory / "mine").read_text(), "new")
        text, failed = results[3]
        self.assertTrue(failed)
        self.assertTrue(text.startswith(
            f"cannot write {self.directory}/shared: it can only be written in place, and its old "
            f"content cannot be kept: cannot write {self.home}/.yume/tmp/"), text)
        self.assertEqual((self.directory / "shared").read_text(), "old")
        text, failed = results[4]
        self.assertFalse(failed, text)
        self.assertLess(len(text), 40_000)
        self.assertEqual(lines[-1]["subtype"], "success")

    def findings(self, **limits):
        """What the doctor found, by the name of the check."""
        done = subprocess.run([BINARY, "doctor", "--json", "--auth", "api-key", "--api-base",
                               "http://127.0.0.1:9"], env=environment(self.home), cwd=self.directory,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                              **limits)
        return {one["check"]: one for one in json.loads(done.stdout)}

    def test_the_doctor_sees_that_nothing_can_be_written(self):
        self.assertEqual(self.findings()["config"]["status"], "ok")

        def fill_disk():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        found = self.findings(preexec_fn=fill_disk)["config"]
        self.assertEqual(found["status"], "warn", found)
        self.assertEqual(list(self.home.iterdir()), [], "it leaves nothing behind")

    @NEEDS_ROOT
    def test_the_doctor_sees_a_full_disk(self):
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "none", self.home],
                                 capture_output=True, text=True)
        if mounted.returncode != 0:
            self.skipTest(mounted.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", "-l", self.home], check=True)
        with open(self.home / "filler", "wb", buffering=0) as filler, self.assertRaises(OSError):
            while True:
                filler.write(bytes(4096))
        found = self.findings()["config"]
        self.assertEqual(found["status"], "warn", found)
        self.assertIn("no space left on device", found["detail"])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as copies:
        # Where other users find it, wherever it was built.
        os.chmod(copies, 0o755)
        BINARY = shutil.copy(sys.argv.pop(1), copies)
        os.chmod(BINARY, 0o755)
        unittest.main(verbosity=0)
