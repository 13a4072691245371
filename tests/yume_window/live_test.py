#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the released window shows of every golden turn of the app when texts are shown while they grow.

    live_test.py GOLDEN_RUNNER YUME_CLI

The golden cases themselves are without such lines, as their number depends on the time. Here the
program is run again, with a line for every piece that comes. Then each answer must still be shown
once, at the end and after every single line; and apart from those lines nothing may be different:
neither the other lines nor the requests nor what is left on disk.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from golden_cases import Case, find_cases
from window import Kind, Window
from window_test import GOLDEN, app_failures, failures_at_once, judge, print_table

EVERY_PIECE = "YUME_CLI_LIVE_TEXT=0"
AREA = "yume_app/"
# Fewer would mean that the program does not show growing texts at all.
LEAST_LIVE_CASES = 20
# A line with the id of its row, and whether more of the text is to come.
ROW = re.compile(r'^\{"type":"assistant","id":"bash-[^"]*",("streaming":true,)?')


class LiveCase(Case):
    """A golden case with what the program wrote this time."""

    def __init__(self, case, folder):
        super().__init__(case.folder, GOLDEN)
        self.actual = folder / case.name

    def lines(self):
        path = self.actual / "stdout.ndjson"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        return re.sub(r"%\{(ms|bytes:\d+)\}", "1", text).splitlines()

    @property
    def says_it_itself(self):
        return "YUME_CLI_LIVE_TEXT" in (self.config.get("env") or {})


def is_live(line):
    return bool((found := ROW.match(line)) and found[1])


# -- nothing else is different ----------------------------------------------------------------------

def files_of(folder):
    """(name, text) of all that a case shows, stdout first."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    paths.sort(key=lambda path: path.name != "stdout.ndjson")
    return [(path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8", errors="replace"))
            for path in paths]


def without_live_lines(text):
    """The lines that every version of the dialect has, without the id of a row."""
    kept = [line for line in text.splitlines() if not is_live(line)]
    return "\n".join(ROW.sub('{"type":"assistant",', line) for line in kept)


def renumbered(text):
    """Macros are numbered as they come, and some came in the lines that were left out."""
    numbers = {}
    return re.sub(r"%\{(\w+):(\d+)\}", lambda found: "%{{{}:{}}}".format(
        found[1], numbers.setdefault(found[0], len(numbers))), text)


def transcript(folder):
    parts = [name + "\n" + (without_live_lines(text) if name == "stdout.ndjson" else text).strip()
             for name, text in files_of(folder)]
    return renumbered("\n".join(parts))


def differences(case):
    expected, actual = transcript(case.folder / "expect"), transcript(case.actual)
    if expected == actual:
        return []
    pairs = zip(expected.splitlines() + [""], actual.splitlines() + [""])
    first = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
    return [f"{case.name}: more than growing texts is different:\n  {first[0]}\n  {first[1]}"]


# -- shown once all the time ------------------------------------------------------------------------

def texts_after_each_line(case):
    window = Window()
    window.start()
    for number, line in enumerate(case.lines()):
        window.read_line(line, at_ms=120 + number)
        yield [row.text for row in window.shown(Kind.text)]


def is_beginning(shown, final):
    """The same rows as in the end, but for those to come and what the last one does not say yet."""
    if not shown:
        return True
    return (len(shown) <= len(final) and shown[:-1] == final[:len(shown) - 1]
            and final[len(shown) - 1].startswith(shown[-1]))


def steps_wrong(case):
    steps = list(texts_after_each_line(case))
    return [f"{case.name}: after line {number} the window shows {shown}, and in the end {steps[-1]}"
            for number, shown in enumerate(steps, 1) if not is_beginning(shown, steps[-1])]


def run_program(runner, program, folder):
    run = subprocess.run([runner, "--cases", GOLDEN, "--binary", program, "--filter", AREA,
                          "--env", EVERY_PIECE, "--actual", folder],
                         stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0:
        sys.exit(run.stdout + "FAILED: the program could not be run")


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        run_program(*arguments, folder)
        cases = [LiveCase(case, Path(folder)) for case in find_cases(GOLDEN)
                 if case.name.startswith(AREA)]
        judged = {case.name: judge(case) for case in cases}
        print_table("yume-app, texts shown while they grow", judged)
        failures = app_failures(judged) + failures_at_once(cases, judged)
        for case in cases:
            failures += steps_wrong(case)
            if not case.says_it_itself:
                failures += differences(case)
        live = sum(any(map(is_live, case.lines())) for case in cases)
    if live < LEAST_LIVE_CASES:
        failures.append(f"only {live} cases have lines of growing texts")
    print()
    for failure in failures:
        print(f"FAILED {failure}")
    print(f"{len(cases)} cases, {live} with growing texts, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
