#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A whole turn with an Edit, killed at each system call that changes something between the line that
announces the call and the one that ends the turn.

    turn_kill_test.py BINARY

The file has its old or its new bytes, and nothing of the edit is on the disk before the host has the
line of the call. Each write, sync, rename and their like is tried once; with YUME_LONG=1 every system
call of any kind, and ten times. Needs root with CAP_SYS_PTRACE: the program is not dumpable, so that
nobody else can look at what its calls are about. Exits with 77 where it cannot be traced.
"""

import os
import platform
import re
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from scripted_agent import call, command_line, environment, serve  # noqa: E402
from traced_process import TracedProgram, why_no_tracing  # noqa: E402

BINARY = None
LONG = os.environ.get("YUME_LONG") == "1"
NOT_HERE = 77
OLD = "first\nold text\nlast\n" * 400 + "the one to change\n"
NEW = OLD.replace("the one to change", "the changed one")
ANNOUNCED, ENDED = b'"name":"Edit"', b'{"type":"result"'

# What changes something, by the number of the call: its name, and which argument is the descriptor
# or, for "path", the path.
CALLS = {
    "x86_64": {1: ("write", 0), 18: ("pwrite64", 0), 20: ("writev", 0), 44: ("sendto", 0),
               46: ("sendmsg", 0), 73: ("flock", 0), 74: ("fsync", 0), 75: ("fdatasync", 0),
               77: ("ftruncate", 0), 82: ("rename", "path", 0), 83: ("mkdir", "path", 0),
               87: ("unlink", "path", 0), 91: ("fchmod", 0), 93: ("fchown", 0),
               190: ("fsetxattr", 0), 199: ("fremovexattr", 0), 257: ("openat", "path", 1),
               258: ("mkdirat", "path", 1), 263: ("unlinkat", "path", 1),
               264: ("renameat", "path", 1), 316: ("renameat2", "path", 1)},
    "aarch64": {7: ("fsetxattr", 0), 16: ("fremovexattr", 0), 32: ("flock", 0),
                34: ("mkdirat", "path", 1), 35: ("unlinkat", "path", 1),
                38: ("renameat", "path", 1), 46: ("ftruncate", 0), 52: ("fchmod", 0),
                55: ("fchown", 0), 56: ("openat", "path", 1), 64: ("write", 0), 66: ("writev", 0),
                68: ("pwrite64", 0), 82: ("fsync", 0), 83: ("fdatasync", 0), 206: ("sendto", 0),
                211: ("sendmsg", 0), 276: ("renameat2", "path", 1)},
}.get(platform.machine())
# Random names, numbers of pipes and sockets, the session's folder, which is named after ours.
CHANCE = re.compile(r"[0-9a-f]{16}|[0-9a-f-]{36}|(?<=:)\[[0-9]+\]|(?<=/projects/)[^/]+")
WRITE = next((number for number, what in (CALLS or {}).items() if what[0] == "write"), None)


class Turn:
    """One run in a directory of its own. It dies at one place if it is given one: the n-th call of a
    kind. Else whoever is about to write the line of the Edit is held until nothing else goes on."""

    def __init__(self, place=None):
        self.place = place
        self.seen = Counter()
        self.order = []
        self.inside = False
        self.began_unannounced = False

    def run(self):
        with tempfile.TemporaryDirectory() as root:
            self.root = root
            directory = Path(root, "d")
            directory.mkdir()
            file = directory / "file.txt"
            file.write_text(OLD)
            server = serve([
                call("Read", file_path=str(file)),
                call("Edit", file_path=str(file), old_string="the one to change",
                     new_string="the changed one")])
            env = environment(root)
            # The leak checker cannot work in a traced process.
            env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
            program = TracedProgram(command_line(BINARY, server, "-p", "--prompt", "go"), env, directory)
            self.code = program.run(self.at_call)
            server.close()
            self.announced = ANNOUNCED in program.printed.rpartition(b"\n")[0]
            self.content = {OLD: "old", NEW: "new"}.get(file.read_text(), "odd")
            self.strays = [name for name in os.listdir(directory) if name.startswith(".yume-")]
        return self

    def at_call(self, program, number, arguments):
        line = b""
        if number == WRITE and arguments[0] == 1:
            line = program.memory(arguments[1], arguments[2])
            self.inside |= ANNOUNCED in line
        kind = self.kind(program, number, arguments) if self.inside else None
        if kind is None:
            return False
        if kind.startswith("openat .yume-"):
            self.began_unannounced = ANNOUNCED not in program.output()
        self.seen[kind] += 1
        self.order.append(kind + (" result" if b'"type":"tool_result"' in line else ""))
        if (kind, self.seen[kind]) == self.place:
            program.kill()
        self.inside = ENDED not in line
        return self.place is None and ANNOUNCED in line

    def kind(self, program, number, arguments):
        """What the call does to what, without what differs from run to run; None: not of interest."""
        name, *where = CALLS.get(number, (f"call {number}", None))
        if where == [None]:
            return name if LONG else None
        if name == "openat" and not arguments[2] & os.O_CREAT:
            return None
        about = (program.text(arguments[where[1]]) if where[0] == "path"
                 else program.file(arguments[where[0]]))
        return f"{name} {CHANCE.sub('*', about.replace(self.root, ''))}"


def undone(order, file):
    """The writes to a file behind its last sync."""
    last = max(place for place, kind in enumerate(order) if kind == f"fsync {file}")
    return [kind for kind in order[last:] if kind == f"write {file}"]


class TurnUnderFire(unittest.TestCase):
    def test_killed_between_the_call_and_the_result(self):
        undisturbed = Turn().run()
        self.assertEqual((undisturbed.code, undisturbed.content), (0, "new"))
        self.assertFalse(undisturbed.began_unannounced)
        places = [(kind, nth + 1) for kind, count in undisturbed.seen.items() for nth in range(count)]
        # The edit itself is among what is tried.
        for needed in ("openat .yume-*.tmp", "write /d/.yume-*.tmp", "fsync /d/.yume-*.tmp",
                       "renameat .yume-*.tmp", "fsync /d"):
            self.assertIn(needed, undisturbed.seen)
        met = Counter()
        for place in places * (10 if LONG else 1):
            turn = Turn(place).run()
            with self.subTest(place=place):
                self.expect_sound(turn)
            met[turn.content, turn.announced] += turn.code < 0
        print(f"{len(places)} places, killed {met.total()} times:", dict(met))
        # Threads race, so that a place is not always met; these ends must be among them all the same.
        self.assertGreater(met["old", False], 0)
        self.assertGreater(met["old", True], 0)
        self.assertGreater(met["new", True], 0)

    def test_synced_before_it_counts(self):
        """What a power cut may lose is what was not synced: the new bytes before they get the file's
        name, and the name before the host is told."""
        order = Turn().run().order
        steps = [order.index(step) for step in (
            "write /d/.yume-*.tmp", "fsync /d/.yume-*.tmp", "renameat .yume-*.tmp", "fsync /d",
            "write pipe:* result")]
        self.assertEqual(steps, sorted(steps), order)
        self.assertEqual(undone(order, "/d/.yume-*.tmp"), [])

    def expect_sound(self, turn):
        self.assertIn(turn.content, ("old", "new"))
        self.assertFalse(turn.content == "new" and not turn.announced)
        self.assertFalse(turn.began_unannounced)
        self.assertLessEqual(len(turn.strays), 1)
        if turn.code >= 0:
            self.assertEqual((turn.code, turn.content, turn.strays), (0, "new", []))


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    if os.getuid() != 0 or CALLS is None:
        print("skipped: needs root, and the numbers of system calls on", platform.machine())
        sys.exit(NOT_HERE)
    if (reason := why_no_tracing()) is not None:
        print("skipped: the program cannot be traced:", reason)
        sys.exit(NOT_HERE)
    unittest.main(verbosity=0)
