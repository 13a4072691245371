#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clang-format 14 has nothing to change in src/ and tests/. Other versions format differently."""

import re
import shutil
import subprocess
from pathlib import Path

import lintlib
from lintlib import Case, Violation

TOOL = "clang-format-14"
STYLE = Path(__file__).resolve().parents[2] / ".clang-format"
_WARNING = re.compile(r"^(.*?):(\d+):\d+: (?:error|warning): (.*)$")


def check(root):
    if shutil.which(TOOL) is None:
        message = f"{TOOL} is not installed (./check installs it)"
        return [Violation(TOOL, 1, "format", message)]
    files = [str(path) for _, path in lintlib.code_files(root, "src", "tests")]
    found = []
    for start in range(0, len(files), 100):
        run = subprocess.run(
            [TOOL, "--dry-run", "--Werror", f"--style=file:{STYLE}", *files[start : start + 100]],
            capture_output=True, text=True, errors="replace", check=False,
        )
        # One line for each line to change would be many: the first of each file is enough.
        seen = set()
        for match in filter(None, map(_WARNING.match, run.stderr.splitlines())):
            name = Path(match.group(1)).relative_to(root).as_posix()
            if name not in seen:
                seen.add(name)
                found.append(Violation(name, int(match.group(2)), "format", f"run {TOOL} -i {name}"))
        if run.returncode != 0 and not seen:
            found.append(Violation(TOOL, 1, "format", run.stderr.strip()[:500]))
    return found


CASES = [
    Case("formatted", {"src/a/a.cpp": "int f(int a);\n"}, 0),
    Case("not formatted", {"src/a/a.cpp": "int f( int a ){return a;}\n"}, 1),
    Case("one report a file", {"tests/unit/a.h": "int  a;\nint  b;\nint  c;\n"}, 1),
    Case("golden cases are data", {"tests/golden/a/b/files/x.cpp": "int  a;\n"}, 0),
]

if __name__ == "__main__":
    lintlib.main(check, CASES)
