#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A path becomes text only through to_utf8(): the standard library's own conversions use the code
page of the user on Windows.

Text that becomes a path cannot be seen here, as most of it does so without a word; what is built for
Windows is searched for that instead (tests/windows/narrow_paths.py).
"""

import re

import lintlib
from lintlib import Case, Violation

OWNER = re.compile(r"src/util/path_text\.cpp")
# The native text of a path, to be handed to the system.
NATIVE = re.compile(r"src/platform/[^/]*_win32\.(h|cpp)")
# Without arguments: JsonWriter has a string(value), too.
TO_TEXT = re.compile(r"(?:\.|->)\s*((?:generic_)?(?:u8|u16|u32|w)?string)\s*(?:<[^>]*>)?\s*\(\s*\)")
FROM_TEXT = re.compile(r"\bu8path\s*\(")


def check(root):
    found = []
    for name, path in lintlib.code_files(root, "src"):
        if OWNER.fullmatch(name):
            continue
        code = lintlib.strip_text(path.read_text(encoding="utf-8", errors="replace"))
        for match in TO_TEXT.finditer(code):
            if match.group(1) == "wstring" and NATIVE.fullmatch(name):
                continue
            line = code.count("\n", 0, match.start(1)) + 1
            found.append(Violation(name, line, "path-text", f"{match.group(1)}(): use to_utf8(path) or to_generic_utf8(path)"))
        for match in FROM_TEXT.finditer(code):
            line = code.count("\n", 0, match.start()) + 1
            found.append(Violation(name, line, "path-text", "u8path(): use path_from_utf8(text)"))
    return found


def one(path, code):
    return {path: code + "\n"}


CASES = [
    Case("string()", one("src/app/a.cpp", "x = path.string();"), 1),
    Case("of an expression, over lines", one("src/app/a.cpp", "x = (a / b)\n  .string();"), 1),
    Case("by a pointer", one("src/app/a.cpp", "x = path->generic_string();"), 1),
    Case("of another kind", one("src/app/a.cpp", "x = path.u8string() + path.generic_string<char>();"), 2),
    Case("to_utf8()", one("src/app/a.cpp", "x = to_utf8(path) + to_generic_utf8(path);"), 0),
    Case("a JSON string", one("src/app/a.cpp", "writer.string(text).string( other );"), 0),
    Case("in a comment or text", one("src/app/a.cpp", '// path.string()\nx = "path.string()";'), 0),
    Case("native text for the system", one("src/platform/a_win32.cpp", "x = path.wstring();"), 0),
    Case("native text elsewhere", one("src/app/a.cpp", "x = path.wstring();"), 1),
    Case("narrow text on Windows", one("src/platform/a_win32.cpp", "x = path.string();"), 1),
    Case("u8path", one("src/app/a.cpp", "x = std::filesystem::u8path(text);"), 1),
    Case("its owner", one("src/util/path_text.cpp", "x = path.generic_string<char>();"), 0),
    Case("tests", one("tests/unit/a.cpp", "x = path.string();"), 0),
]

if __name__ == "__main__":
    lintlib.main(check, CASES)
