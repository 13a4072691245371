#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A source file has at most 500 lines, a test file 800: longer ones do more than one thing."""

import lintlib
from lintlib import Case, Violation

LIMITS = {"src": 500, "tests": 800}


def check(root):
    found = []
    for top, limit in LIMITS.items():
        for name, path in lintlib.code_files(root, top, suffixes=lintlib.CODE_SUFFIXES + (".py",)):
            lines = len(path.read_bytes().splitlines())
            if lines > limit:
                found.append(Violation(name, limit + 1, "file-size", f"{lines} lines, at most {limit}"))
    return found


CASES = [
    Case("500 lines of source", {"src/a/a.cpp": "\n" * 500}, 0),
    Case("501 lines of source", {"src/a/a.h": "\n" * 501}, 1),
    Case("800 lines of test", {"tests/unit/a.cpp": "\n" * 800}, 0),
    Case("801 lines of test", {"tests/unit/a.cpp": "\n" * 801}, 1),
    Case("golden cases are data", {"tests/golden/a/b/files/big.cpp": "\n" * 900}, 0),
    Case("the golden runner is code", {"tests/golden/runner/a.cpp": "\n" * 900}, 1),
]

if __name__ == "__main__":
    lintlib.main(check, CASES)
