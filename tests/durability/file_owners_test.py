#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files that belong to others or are immutable: what the file tools say, and what is left of them.

    file_owners_test.py BINARY

The whole yume-cli reads and edits them, as root and as another user, so most of it needs root (F-06).
"""

import errno
import fcntl
import json
import os
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from scripted_agent import call, command_line, environment, serve, tool_results  # noqa: E402

BINARY = None
OTHER, THIRD = 65534, 12345  # users without an account, if need be
OLD, NEW = "old text\n", "new text\n"
DONE = "The file {} has been updated successfully."
DENIED = "cannot write {}: permission denied: "
IS_ROOT = os.getuid() == 0
NEEDS_ROOT = unittest.skipUnless(IS_ROOT, "needs root: it gives files away or makes them immutable")

FS_IOC_GETFLAGS, FS_IOC_SETFLAGS = 0x80086601, 0x40086602
IMMUTABLE, APPEND_ONLY = 0x10, 0x20
ACCESS_LIST = "system.posix_acl_access"
DEFAULT_LIST = "system.posix_acl_default"


def access_list(**entries):
    """The kernel's form of user::rw-, user:OTHER:rw-, group::---, mask::rw-, other::---."""
    tags = {"owner": 1, "user": 2, "group": 4, "mask": 16, "other": 32}
    nobody = 0xFFFFFFFF
    return struct.pack("<I", 2) + b"".join(
        struct.pack("<HHI", tags[name], entries[name], OTHER if name == "user" else nobody)
        for name in tags if name in entries)


def mark(path, flags):
    """chattr; returns errno, or 0."""
    fd = os.open(path, os.O_RDONLY)
    try:
        before = struct.unpack("l", fcntl.ioctl(fd, FS_IOC_GETFLAGS, bytes(8)))[0]
        kept = before & ~(IMMUTABLE | APPEND_ONLY)
        fcntl.ioctl(fd, FS_IOC_SETFLAGS, struct.pack("l", kept | flags))
        return 0
    except OSError as failure:
        return failure.errno
    finally:
        os.close(fd)


def group_of(user):
    """Whoever is not us has the group of the same number."""
    return os.getgid() if user == os.getuid() else user


class Owners(unittest.TestCase):
    def setUp(self):
        self.place(None)

    def place(self, parent):
        """A new directory for everything; `home` belongs to whoever runs, `d` to root."""
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory(dir=parent)))
        self.root.chmod(0o755)
        self.directory = self.root / "d"
        self.directory.mkdir(mode=0o755)
        self.file = self.directory / "file"

    def put(self, mode=0o644, owner=(0, 0), name="file"):
        path = self.directory / name
        path.write_text(OLD)
        os.chown(path, *owner)
        path.chmod(mode)
        return path

    def run_calls(self, *calls, user, homeless=False):
        """(text, is error) of each, made by a yume-cli of that user in the directory."""
        home = Path(tempfile.mkdtemp(dir=self.root))
        os.chown(home, user, group_of(user))
        server = serve(calls)
        identity = {"user": user, "group": user, "extra_groups": []} if user != os.getuid() else {}
        variables = environment(home)
        if homeless:
            del variables["HOME"]
        done = subprocess.run(
            command_line(BINARY, server, "-p", "--prompt", "go"), env=variables,
            cwd=self.directory if user == 0 else home, capture_output=True, text=True, timeout=120,
            **identity)
        server.close()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        results = tool_results(map(json.loads, done.stdout.splitlines()))
        self.assertEqual(len(results), len(calls))
        return results

    def edit(self, user, path=None, **how):
        """What Edit said; Read came before it."""
        path = path or self.file
        read, edited = self.run_calls(
            call("Read", file_path=str(path)),
            call("Edit", file_path=str(path), old_string="old", new_string="new"), user=user, **how)
        self.assertFalse(read[1], read)
        return edited

    def expect_replaced(self, said, path=None):
        path = path or self.file
        self.assertEqual(said, (DONE.format(path), False))
        self.expect_new(path)

    def expect_in_place(self, said, path=None):
        """The old bytes are in the file that is named."""
        path = path or self.file
        text, failed = said
        self.assertFalse(failed, text)
        self.assertIn("written in place; its old content is in ", text)
        backup = Path(text.split("its old content is in ")[1].split(".bak")[0] + ".bak")
        self.assertEqual(backup.read_text(), OLD)
        self.expect_new(path)

    def expect_new(self, path):
        self.assertEqual(path.read_text(), NEW)
        self.expect_no_stray_files(path.parent)

    def expect_refused(self, said, reason, path=None):
        path = path or self.file
        self.assertEqual(said, (DENIED.format(path) + reason, True))
        self.assertEqual(path.read_text(), OLD)
        self.expect_no_stray_files(path.parent)

    def expect_no_stray_files(self, directory):
        self.assertEqual([name for name in os.listdir(directory) if name.startswith(".yume-")], [])

    def identity(self, path):
        status = path.stat()
        return status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)


@NEEDS_ROOT
class FilesOfOthers(Owners):
    def test_one_that_may_not_be_written(self):
        self.put()
        self.expect_refused(
            self.edit(OTHER), "it belongs to root (mode 0644), and this program runs as user 65534; "
            "only root can change that")
        self.assertEqual(self.identity(self.file), (0, 0, 0o644))

    def test_one_of_a_third_user_in_a_directory_of_ours(self):
        """It could be renamed over, and would then be ours."""
        os.chown(self.directory, OTHER, OTHER)
        self.put(owner=(THIRD, THIRD))
        self.expect_refused(
            self.edit(OTHER), "it belongs to user 12345 (mode 0644), and this program runs as user "
            "65534; only user 12345 or root can change that")
        self.assertEqual(self.identity(self.file), (THIRD, THIRD, 0o644))

    def test_one_that_may_be_written_in_a_directory_of_ours(self):
        os.chown(self.directory, OTHER, OTHER)
        self.put(0o666)
        inode = self.file.stat().st_ino
        self.expect_in_place(self.edit(OTHER))
        self.assertEqual(self.identity(self.file), (0, 0, 0o666))
        self.assertEqual(self.file.stat().st_ino, inode)

    def test_one_that_may_be_written_without_a_place_for_what_was(self):
        """No HOME, and no account that could tell one."""
        os.chown(self.directory, THIRD, THIRD)
        self.put(0o666)
        text, failed = self.edit(THIRD, homeless=True)
        self.assertTrue(failed, text)
        self.assertIn("there is no place for its old content; set HOME", text)
        self.assertEqual(self.file.read_text(), OLD)
        self.assertEqual(self.identity(self.file), (0, 0, 0o666))
        self.expect_no_stray_files(self.directory)

    def test_one_whose_group_we_are_not_in(self):
        os.chown(self.directory, OTHER, OTHER)
        self.put(0o660, owner=(OTHER, THIRD))
        self.expect_in_place(self.edit(OTHER))
        self.assertEqual(self.identity(self.file), (OTHER, THIRD, 0o660))

    def test_in_a_sticky_directory(self):
        self.directory.chmod(0o1777)
        self.put(0o666)
        self.expect_in_place(self.edit(OTHER))
        self.assertEqual(self.identity(self.file), (0, 0, 0o666))
        self.put(0o644)
        self.expect_refused(
            self.edit(OTHER), "it belongs to root (mode 0644), and this program runs as user 65534; "
            "only root can change that")

    def test_what_root_left_when_it_was_killed_is_removed(self):
        """Root gives a temporary file to the owner of the old one before it writes it."""
        self.put(owner=(THIRD, THIRD))
        self.put(0o600, owner=(THIRD, THIRD), name=".yume-0000000000000000.tmp")
        self.expect_replaced(self.edit(0))
        self.assertEqual(self.identity(self.file), (THIRD, THIRD, 0o644))

    def test_ours_in_a_sticky_directory(self):
        self.directory.chmod(0o1777)
        self.put(0o600, owner=(OTHER, OTHER))
        self.expect_replaced(self.edit(OTHER))
        self.assertEqual(self.identity(self.file), (OTHER, OTHER, 0o600))

    def test_ours_in_a_directory_that_is_not(self):
        """One that may be listed, and one that may only be entered."""
        for mode in (0o755, 0o711):
            with self.subTest(mode=oct(mode)):
                self.directory.chmod(mode)
                self.put(0o600, owner=(OTHER, OTHER))
                self.expect_in_place(self.edit(OTHER))

    def test_ours_in_a_directory_that_may_not_be_listed(self):
        os.chown(self.directory, OTHER, OTHER)
        self.directory.chmod(0o300)
        self.put(0o600, owner=(OTHER, OTHER))
        self.expect_replaced(self.edit(OTHER))

    def test_a_new_one_in_a_directory_that_is_not_ours(self):
        said = self.run_calls(call("Write", file_path=str(self.file), content="x"), user=OTHER)
        self.assertEqual(said, [(
            DENIED.format(self.file) + f"its directory {self.directory} belongs to root (mode 0755), "
            "and this program runs as user 65534; only root can change that", True)])

    def test_what_may_not_be_read_or_entered(self):
        self.put(0o600)
        closed = self.directory / "closed"
        closed.mkdir(mode=0o700)
        (closed / "file").write_text(OLD)
        said = self.run_calls(call("Read", file_path=str(self.file)),
                              call("Read", file_path=str(closed / "file")),
                              call("LS", path=str(closed)),
                              call("Grep", pattern="old", path=str(self.file)),
                              call("Grep", pattern="old", path=str(closed)),
                              call("Glob", pattern="*", path=str(closed)), user=OTHER)
        runs_as = "and this program runs as user 65534; only root can change that"
        self.assertEqual(said[0], (f"cannot read {self.file}: permission denied: it belongs to root "
                                   f"(mode 0600), {runs_as}", True))
        self.assertEqual(said[1], (f"<tool_use_error>cannot resolve {closed / 'file'}: permission "
                                   f"denied: the directory {closed} belongs to root (mode 0700), "
                                   f"{runs_as}</tool_use_error>", True))
        for text, failed in said[2:]:
            with self.subTest(text):
                self.assertTrue(failed)
                self.assertIn("permission denied: it belongs to root", text)
                self.assertIn(runs_as, text)

    def test_root_keeps_owner_group_and_mode(self):
        os.chown(self.directory, OTHER, OTHER)
        for mode in (0o600, 0o444, 0o664, 0o4755, 0o2755, 0o000):
            with self.subTest(mode=oct(mode)):
                self.put(mode, owner=(OTHER, THIRD))
                self.expect_replaced(self.edit(0))
                self.assertEqual(self.identity(self.file), (OTHER, THIRD, mode))

    def test_root_in_a_sticky_directory_of_another(self):
        os.chown(self.directory, OTHER, OTHER)
        self.directory.chmod(0o1777)
        self.put(0o640, owner=(THIRD, THIRD))
        self.expect_replaced(self.edit(0))
        self.assertEqual(self.identity(self.file), (THIRD, THIRD, 0o640))


class Attributes(Owners):
    def edited_by_owner_and_root(self):
        yield os.getuid()
        if IS_ROOT:
            os.chown(self.directory, OTHER, OTHER)
            yield OTHER

    def attach(self, path, attributes):
        """Those that the file system knows, and why it has not the others, or None."""
        given, reason = {}, None
        for name, value in attributes.items():
            try:
                os.setxattr(path, name, value)
                given[name] = value
            except OSError as failure:
                if failure.errno != errno.ENOTSUP:
                    raise
                reason = f"no attribute {name} in {self.root.parent}: {failure.strerror}"
        return given, reason

    def test_extended_attributes_and_the_access_list_are_kept(self):
        entries = access_list(owner=6, user=6, group=0, mask=6, other=0)
        for user in self.edited_by_owner_and_root():
            with self.subTest(user=user):
                self.put(0o600, owner=(user, group_of(user)))
                given, missing = self.attach(self.file, {
                    "user.mime_type": b"text/plain", "user.empty": b"", ACCESS_LIST: entries})
                before = self.identity(self.file)
                if ACCESS_LIST in given:
                    self.assertEqual(before[2], 0o660)  # what the group's bits say with a list
                self.expect_replaced(self.edit(user))
                self.assertEqual(self.identity(self.file), before)
                self.assertEqual({name: os.getxattr(self.file, name) for name in given}, given)
                if missing:
                    self.skipTest(missing)  # the others were looked at

    def test_a_directory_that_gives_access_to_new_files(self):
        """An edit gives nobody more than the file had."""
        self.put(0o640, owner=(os.getuid(), os.getgid()))
        _, missing = self.attach(self.directory, {
            DEFAULT_LIST: access_list(owner=7, user=7, group=7, mask=7, other=0)})
        if missing:
            self.skipTest(missing)
        self.expect_replaced(self.edit(os.getuid()))
        self.assertNotIn(ACCESS_LIST, os.listxattr(self.file))
        self.assertEqual(self.identity(self.file)[2], 0o640)
        said = self.run_calls(
            call("Write", file_path=str(self.directory / "new"), content="x"), user=os.getuid())
        self.assertFalse(said[0][1], said)
        self.assertIn(ACCESS_LIST, os.listxattr(self.directory / "new"))


@NEEDS_ROOT
class Immutable(Owners):
    def setUp(self):
        reasons = []
        for parent in (None, "/dev/shm", os.getcwd()):
            if parent is not None and not os.access(parent, os.W_OK):
                continue
            self.place(parent)
            self.put()
            reason = mark(self.file, IMMUTABLE)
            if reason == 0:
                self.addCleanup(mark, self.directory, 0)
                self.addCleanup(lambda: self.file.exists() and mark(self.file, 0))
                return
            reasons.append(f"{parent or tempfile.gettempdir()}: {errno.errorcode[reason]}")
        self.skipTest(f"no file can be made immutable here ({', '.join(reasons)})")

    def refusal(self, sort, letter, name="it"):
        return (f"cannot write {self.file}: operation not permitted: {name} is marked {sort}; root "
                f"can lift that with chattr -{letter}", True)

    def test_immutable_and_append_only_files(self):
        for flags, sort, letter in ((IMMUTABLE, "immutable", "i"), (APPEND_ONLY, "append-only", "a")):
            for user in (0, OTHER):
                with self.subTest(sort, user=user):
                    mark(self.file, 0)
                    os.chown(self.directory, user, user)
                    self.put(owner=(user, user))
                    self.assertEqual(mark(self.file, flags), 0)
                    self.assertEqual(self.edit(user), self.refusal(sort, letter))
                    self.assertEqual(self.file.read_text(), OLD)
                    self.expect_no_stray_files(self.directory)

    def test_write_says_the_same(self):
        said = self.run_calls(call("Read", file_path=str(self.file)),
                              call("Write", file_path=str(self.file), content=NEW), user=0)
        self.assertEqual(said[1], self.refusal("immutable", "i"))
        self.assertEqual(self.file.read_text(), OLD)

    def test_an_immutable_directory(self):
        mark(self.file, 0)
        self.assertEqual(mark(self.directory, IMMUTABLE), 0)
        self.expect_in_place(self.edit(0))
        mark(self.directory, 0)
        self.file.unlink()
        self.assertEqual(mark(self.directory, IMMUTABLE), 0)
        said = self.run_calls(call("Write", file_path=str(self.file), content="x"), user=0)
        self.assertEqual(said, [self.refusal("immutable", "i", f"its directory {self.directory}")])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as copies:
        # Where other users find it, wherever it was built.
        os.chmod(copies, 0o755)
        BINARY = shutil.copy(sys.argv.pop(1), copies)
        os.chmod(BINARY, 0o755)
        unittest.main(verbosity=0)
