# SPDX-License-Identifier: MIT
"""What the lints share: walking the sources, stripping comments and strings, reporting, self-tests.

A lint is a function check(root) -> list of Violation. Run as

    <lint>.py [root]       prints "file:line: rule: message" per violation; exit 1 if there is one
    <lint>.py --self-test  runs the lint's cases on small trees; exit 1 if one is judged wrongly
"""

import re
import sys
import tempfile
from pathlib import Path
from typing import Callable, Iterator, NamedTuple

CODE_SUFFIXES = (".h", ".cpp", ".cc")


class Violation(NamedTuple):
    file: str
    line: int
    rule: str
    message: str


class Case(NamedTuple):
    """One self-test: files (path -> text) and how many violations the lint must find in them."""

    name: str
    files: dict
    violations: int


def code_files(root: Path, *tops: str, suffixes=CODE_SUFFIXES) -> Iterator[tuple[str, Path]]:
    """(path relative to root, path) of our own code, sorted. Golden cases are data, not code."""
    for top in tops:
        for path in sorted((root / top).rglob("*")):
            relative = path.relative_to(root).as_posix()
            if path.suffix not in suffixes or not path.is_file():
                continue
            if relative.startswith("tests/golden/") and not relative.startswith("tests/golden/runner/"):
                continue
            if relative.startswith("tests/conformance/node_modules/"):
                continue
            yield relative, path


_TOKENS = re.compile(
    r'R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"'
    r'|//[^\n]*'
    r'|/\*.*?\*/'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)


def strip_text(code: str, keep_strings: bool = False) -> str:
    """The code with comments and string contents blanked; line numbers stay."""

    def blank(match: re.Match) -> str:
        token = match.group(0)
        if keep_strings and not token.startswith("/"):
            return token
        newlines = "\n" * token.count("\n")
        return newlines if token.startswith("/") else '""' + newlines

    return _TOKENS.sub(blank, code)


_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def includes(path: Path) -> Iterator[tuple[int, str, str]]:
    """(line, '<' or '"', header) of each #include outside comments."""
    code = strip_text(path.read_text(encoding="utf-8", errors="replace"), keep_strings=True)
    for number, line in enumerate(code.split("\n"), 1):
        match = _INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def _self_test(check: Callable, cases: list[Case]) -> int:
    failures = 0
    if not any(case.violations for case in cases) or all(case.violations for case in cases):
        print("self-test needs a case that fails and one that passes")
        failures += 1
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in case.files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            found = check(root)
        if len(found) != case.violations:
            failures += 1
            print(f"self-test '{case.name}': {len(found)} violations, expected {case.violations}")
            for violation in found:
                print(f"  {violation.file}:{violation.line}: {violation.rule}: {violation.message}")
    print(f"self-test: {len(cases) - failures} of {len(cases)} cases judged rightly")
    return 1 if failures else 0


def main(check: Callable, cases: list[Case]) -> None:
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        sys.exit(_self_test(check, cases))
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[2]
    found = check(root)
    for violation in found:
        print(f"{violation.file}:{violation.line}: {violation.rule}: {violation.message}")
    sys.exit(1 if found else 0)
