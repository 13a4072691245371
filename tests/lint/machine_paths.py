#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No file of the project names a folder of the machine it was written on."""

import re

import lintlib
from lintlib import Case, Violation

SKIPPED_FOLDERS = {"build", "node_modules", ".cache", "__pycache__"}
GIT = ".git"  # a folder, or in a linked worktree a file
# Spelt so that this file doesn't match itself. A path that goes on to the left (a/root/b) is
# another's and fine.
PATHS = re.compile(r"(?<![\w.~}\])-])/(?:w[o]rk|r[o]ot|f[a]rm)/")


def files(root):
    for path in sorted(root.iterdir()):
        if path.is_symlink() or path.name == GIT:
            continue
        if path.is_dir():
            if path.name not in SKIPPED_FOLDERS:
                yield from files(path)
        elif path.is_file():
            yield path


def check(root):
    found = []
    for path in files(root):
        data = path.read_bytes()
        if b"\0" in data[:4096]:
            continue
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(data.decode("utf-8", errors="replace").split("\n"), 1):
            match = PATHS.search(line)
            if match:
                found.append(Violation(name, number, "machine-path", f"names {match.group(0)}"))
    return found


ROOT, WORK, FARM = "/ro" + "ot/", "/wo" + "rk/", "/fa" + "rm/"
CASES = [
    Case("in code", {"src/a.cpp": f'open("{WORK}x");\n'}, 1),
    Case("in a script", {"check": f"cd {ROOT}x\n"}, 1),
    Case("in a page", {"docs/a.md": f"See {FARM}x.\n"}, 1),
    Case("inside another path", {"docs/a.md": f"src{WORK}x and $HOME{ROOT}x are others.\n"}, 0),
    Case("another word", {"docs/a.md": "/home/u/ and /workspace/ are fine.\n"}, 0),
    Case("a linked worktree", {".git": f"gitdir: {WORK}x/.git/worktrees/y\n"}, 0),
    Case("builds are not ours", {"build/x/log": f"{WORK}x\n"}, 0),
]

if __name__ == "__main__":
    lintlib.main(check, CASES)
