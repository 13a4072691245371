#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Only the line writer puts bytes on stdout: hosts read every line of it.

OWNERS may do as they need. stdout_stream() is declared by the seam and called by the composition
root. Pointing a child's stdout elsewhere (dup2), handing the terminal to a pager or a login
(terminal_program) and writing to stderr are not writes to stdout.
"""

import re

import lintlib
from lintlib import Case, Violation

OWNERS = re.compile(r"^src/(protocol/line_writer\.(h|cpp)"
                    r"|platform/(stdio_(posix|win32)|terminal_program_win32)\.cpp)$")
STREAM_USERS = {"src/platform/stdio.h", "src/app/run.cpp"}

PATTERNS = [
    (re.compile(r"\bw?cout\b"), "std::cout"),
    (re.compile(r"\bprintf\s*\("), "printf"),
    (re.compile(r"\bprint(ln)?\s*\(\s*stdout\b"), "print(stdout"),
    (re.compile(r"\bputs\s*\("), "puts"),
    (re.compile(r"\bputchar\s*\("), "putchar"),
    (re.compile(r"\bfputs\b"), "fputs"),
    (re.compile(r"\bfwrite\b"), "fwrite"),
    (re.compile(r"\bstdout\b"), "stdout"),
    (re.compile(r"\bSTDOUT_FILENO\b"), "STDOUT_FILENO"),
    (re.compile(r"\bSTD_OUTPUT_HANDLE\b"), "STD_OUTPUT_HANDLE"),
    (re.compile(r"\bwrite\s*\(\s*1\s*,"), "write(1"),
]
STREAM = re.compile(r"\bstdout_stream\s*\(")
HARMLESS = re.compile(r"\bstderr\b|dup2\s*\(")


def check(root):
    found = []
    for name, path in lintlib.code_files(root, "src"):
        if OWNERS.match(name):
            continue
        code = lintlib.strip_text(path.read_text(encoding="utf-8", errors="replace"))
        for number, line in enumerate(code.split("\n"), 1):
            if STREAM.search(line) and name not in STREAM_USERS:
                found.append(Violation(name, number, "stdout-owner", "stdout_stream() belongs to src/app/run.cpp"))
            if HARMLESS.search(line):
                continue
            for pattern, what in PATTERNS:
                if pattern.search(line):
                    message = f"{what}: only src/protocol/line_writer may write to stdout"
                    found.append(Violation(name, number, "stdout-owner", message))
                    break
    return found


def line(text, path="src/agent/a.cpp"):
    return {path: text + "\n"}


CASES = [
    Case("cout", line('std::cout << "x";'), 1),
    Case("printf", line('std::printf("x");'), 1),
    Case("snprintf is fine", line('std::snprintf(buffer, 4, "x");'), 0),
    Case("puts", line('puts("x");'), 1),
    Case("fputs", line('fputs("x", file);'), 1),
    Case("fputs to stderr is fine", line('std::fputs("x", stderr);'), 0),
    Case("fwrite", line("fwrite(p, 1, n, stdout);"), 1),
    Case("write(1", line("::write(1, p, n);"), 1),
    Case("write(10 is fine", line("::write(10, p, n);"), 0),
    Case("STDOUT_FILENO", line("::write(STDOUT_FILENO, p, n);"), 1),
    Case("a child's dup2 is fine", line("::dup2(fd, STDOUT_FILENO);"), 0),
    Case("a pager's", line("inheritable(STD_OUTPUT_HANDLE);", "src/platform/terminal_program_win32.cpp"), 0),
    Case("a borrowed stdout stream", line("auto out = platform::stdout_stream();"), 1),
    Case("the composition root makes the stream", line("auto out = platform::stdout_stream();", "src/app/run.cpp"), 0),
    Case("the composition root doesn't print", line('std::cout << "x";', "src/app/run.cpp"), 1),
    Case("the line writer may", line("::write(1, p, n);", "src/protocol/line_writer.cpp"), 0),
    Case("the platform stream may", line("::write(STDOUT_FILENO, p, n);", "src/platform/stdio_posix.cpp"), 0),
    Case("comments and strings are ignored", line('// stdout\nlog("stdout"); /* std::cout */'), 0),
    Case("tests may print", line('std::cout << "x";', "tests/unit/a.cpp"), 0),
]

if __name__ == "__main__":
    lintlib.main(check, CASES)
