#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the released window shows for every golden transcript of both Yume dialects, as a table.

    window_test.py [CASES]

In the lines for the app (`yume-app`) everything that lines can cure must be right. Flat lines
(`yume`) are the documented contract, and the released window shows most of them wrong: what is wrong,
and by which of the window's quirks, must be what flat_failures.txt says. So this test is seen to fail
where the real window does.

No program is run: the lines are those that the golden runner compares with the program's.
"""

import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from golden_cases import DIALECTS, find_cases
from window import Kind, Quirk, Window

HERE = Path(__file__).resolve().parent
GOLDEN = HERE.parent / "golden"
FLAT_FAILURES = HERE / "flat_failures.txt"

# A golden case has no times. Lines come as the dialects promise: not before the window listens, and
# far enough from each other. What happens else is asked in window_model_test.py.
FIRST_LINE_MS = 120
GAP_MS = 5

LONGEST_BLOCK = 900_000  # bytes; a line has at most 1,000,000
VIEWS = Path(".yume/sessions/gemini")
NOT_APPLICABLE = "-"


@dataclass
class Cell:
    """One thing that was looked at in one case."""
    shown: str = NOT_APPLICABLE
    problems: list = field(default_factory=list)
    causes: set = field(default_factory=set)  # quirks, where something is wrong
    curable: bool = True                      # by other lines

    @property
    def right(self):
        return not self.problems


class Problems:
    """Collects what is wrong in a cell, with the quirks that have done it."""

    def __init__(self, window):
        self.window = window
        self.found = []
        self.causes = set()

    def add(self, problem, *possible_causes):
        self.found.append(problem)
        self.causes |= self.window.quirks & set(possible_causes)

    def cell(self, shown, curable=True):
        return Cell(shown, self.found, self.causes, curable)


def run_process(window, lines, error_lines=(), first_ms=FIRST_LINE_MS, gap_ms=GAP_MS):
    window.start()
    for number, line in enumerate(lines):
        window.read_line(line, at_ms=first_ms + gap_ms * number)
    for line in error_lines:
        window.read_error_line(line)
    window.end_process()
    window.shown()  # so that what the chat leaves out is noted too


def replay(case, gap_ms=GAP_MS, cured=()):
    """The window after all lines of a case, in a tab that knew the conversation's size before."""
    lines = case.lines()
    began = any('"subtype":"init"' in line for line in lines)
    window = Window(case.size_before(began), cured)
    run_process(window, lines, case.error_lines(), gap_ms=gap_ms)
    return window


# -- shown once ---------------------------------------------------------------------------------

TEXT_CAUSES = (Quirk.text_twice, Quirk.same_millisecond, Quirk.equal_blocks, Quirk.same_line,
               Quirk.listened_late)


def is_reason(case, row):
    """Not what the model has said: why the turn has failed."""
    if not case.fails or not row.text.strip():
        return False
    words = case.reason_words()
    if words:
        return any(word in row.text for word in words)
    return row.text not in (*case.texts, "".join(case.texts))


def most_bubbles(blocks):
    """A block is one bubble, unless it does not fit into a line."""
    return sum(1 + len(json.dumps(block)) // LONGEST_BLOCK for block in blocks)


def judge_bubbles(problems, case, what, expected, shown, causes):
    """Each block in a bubble of its own, or joined to the one before, and nothing twice."""
    wanted, seen = "".join(expected), "".join(shown)
    complete = seen == wanted or (case.is_killed and wanted.startswith(seen))
    if not complete or len(shown) > most_bubbles(expected):
        problems.add(f"{what} {brief(expected)} is shown as {brief(shown)}", *causes)


def brief(texts):
    return repr([text if len(text) < 60 else text[:60] + "..." for text in texts])


def judge_texts(problems, case, window):
    shown = [row.text for row in window.shown(Kind.text) if not is_reason(case, row)]
    for notice in case.notices():
        if shown.count(notice) != 1:
            problems.add(f"the notice {brief([notice])} is shown {shown.count(notice)} times",
                         *TEXT_CAUSES)
        shown = [text for text in shown if text != notice]
    if case.answers_command:
        if len(shown) != 1 or not shown[0]:
            problems.add(f"one answer to {case.prompt} is shown as {brief(shown)}", *TEXT_CAUSES)
    else:
        judge_bubbles(problems, case, "text", case.texts, shown, TEXT_CAUSES)
    said = "".join(case.texts or shown)
    for row in window.shown(Kind.result):
        # Its beginning: a long text is cut.
        if said and (row.text[:60] in said or said in row.text):
            problems.add(f"the result repeats {brief([row.text])}", Quirk.result_repeated)


def expected_ids(case):
    """Ids of the calls' rows, None where the model gave none."""
    tag = f"_{case.session_tag}" if case.dialect == "yume-app" else ""
    return [call.id + tag if call.id else None for call in case.calls]


def judge_calls(problems, case, window):
    shown = [row.call_id for row in window.shown(Kind.call)]
    wanted = expected_ids(case)
    same = all(call == expected or expected is None for call, expected in zip(shown, wanted))
    complete = len(shown) == len(wanted) or (case.is_killed and len(shown) < len(wanted))
    if not same or not complete or len(set(shown)) != len(shown):
        problems.add(f"calls {wanted} are shown as {shown}", Quirk.call_overwritten)
    for number, call in enumerate(shown, 1):
        results = len(window.results_of(call))
        may_lack = case.is_killed and number == len(shown)
        if results != 1 and not (may_lack and results == 0):
            problems.add(f"{call} has {results} results", Quirk.result_twice)
    if case.dialect == "yume-app":
        tag = f"_{case.session_tag}"
        for call in shown:
            if not call.endswith(tag):
                problems.add(f"{call} does not end with {tag}, and may overwrite another session's")


def judge_shown(case, window):
    problems = Problems(window)
    judge_texts(problems, case, window)
    judge_bubbles(problems, case, "thought", case.thoughts,
                  [row.text for row in window.shown(Kind.thinking)],
                  (Quirk.thought_lost, Quirk.equal_blocks))
    judge_calls(problems, case, window)
    if not (case.texts or case.thoughts or case.calls or case.answers_command):
        return problems.cell(NOT_APPLICABLE)
    hidden = Quirk.result_hidden in window.quirks
    return problems.cell("once, some hidden" if hidden else "once")


def lines_of_another_conversation(case):
    """The same turn in another session: what is made anew for every line is another then, and so is
    the session's id, where calls carry it."""
    anew = (re.sub(r"%\{(\w+):(\d+)\}", r"%{\1:again-\2}", line) for line in case.lines())
    if case.dialect != "yume-app":
        return list(anew)
    return [line.replace(f'_{case.session_tag}"', '_another"') for line in anew]


def judge_again(case, window):
    """A second conversation in the tab that goes just like the first must be shown just like it."""
    tab = Window(cured=window.store.cured)
    run_process(tab, case.lines())
    once = len(tab.shown())
    if not once:
        return Cell()
    run_process(tab, lines_of_another_conversation(case), first_ms=1_000_000)
    twice = len(tab.shown())
    problems = Problems(tab)
    if twice != 2 * once:
        problems.add(f"a second conversation like it adds {twice - once} rows, not {once}",
                     Quirk.equal_blocks, Quirk.call_overwritten, Quirk.same_line)
    return problems.cell("shown" if problems.found == [] else "lost")


# -- context ------------------------------------------------------------------------------------

def possible_sizes(case, before):
    """What the bar may show; None among them: nothing. An empty set: any estimate."""
    sizes = {before}
    if case.is_killed:  # and could not say anything
        return sizes | {reply.prompt_tokens for reply in case.spoken}
    for reply in case.spoken:
        if reply.complete:
            sizes = {reply.prompt_tokens} if reply.prompt_tokens is not None else set()
        elif reply.prompt_tokens is not None:
            sizes = sizes | {reply.prompt_tokens}  # of a reply that broke off; it may count or not
    return sizes


def judge_context(case, window):
    problems = Problems(window)
    before = case.size_before(bool(window.id_updates))
    shown = NOT_APPLICABLE if window.context is None else (
        f"{window.context} {window.store.bar_percent:.0f}%")
    if case.compacts:
        if window.context != 0:
            problems.add(f"after a compaction the context is {window.context}")
        return problems.cell(shown)
    sizes = possible_sizes(case, before)
    if not sizes:
        right = (window.context or 0) > 0
    else:
        # Where no size was ever known, the least one that is not taken for a compaction will do.
        right = window.context in sizes or (None in sizes and window.context == 1)
    if not right:
        problems.add(f"the context is {window.context}, not {' or '.join(map(str, sizes))}",
                     Quirk.zero_usage, Quirk.listened_late)
    return problems.cell(shown)


# -- the rest -----------------------------------------------------------------------------------

def judge_spinner(case, window):
    problems = Problems(window)
    if window.spinner:
        problems.add("the spinner stays on", Quirk.still_pending, Quirk.no_result)
    # 1.11: after a crash or a kill it stays on whatever was written before.
    return problems.cell("on" if window.spinner else "ends", curable=not case.is_killed)


def judge_compacted(case, window):
    problems = Problems(window)
    if window.compacted != case.compacts:
        problems.add("the tab says compacted, and nothing was" if window.compacted
                     else "the tab does not say that it was compacted",
                     Quirk.zero_usage, Quirk.compact_word)
    return problems.cell("yes" if window.compacted else "no")


def judge_reason(case, window):
    if not case.fails:
        return Cell()
    problems = Problems(window)
    visible = any(is_reason(case, row) for row in window.shown(Kind.text, Kind.result, Kind.error))
    if not visible:
        problems.add("the reason of the failure cannot be seen", Quirk.error_dropped)
    return problems.cell("visible" if visible else "invisible")


def judge_session(case, window):
    problems = Problems(window)
    named = {json.loads(line).get("session_id") for line in case.lines()} - {None}
    if not window.id_updates:
        if not case.fails:
            problems.add("the app is not told the session's id")
        return problems.cell(NOT_APPLICABLE if case.fails else "unknown")
    (_, session_id), *more = window.id_updates
    if more or named != {session_id} or window.store.session_id != session_id:
        problems.add(f"the id is {session_id}, and lines name {sorted(named)}")
    left = None if case.answers_command else case.left_files()  # a command leaves no session
    if left is not None and not any(path.stem == session_id for path in left):
        problems.add(f"no file of the session {session_id} is left")
    return problems.cell("known")


def judge_list(case, window):
    left = case.left_files()
    views = {path.name: case.left_json(path) for path in left or []
             if path.parent == VIEWS and path.suffix == ".json"}
    if not views:
        return Cell()
    problems = Problems(window)
    for name, title in window.listed_conversations(views).items():
        if title is None:
            problems.add(f"{name} is listed as a conversation", Quirk.file_listed)
        elif not title:
            problems.add(f"{name} is listed without a title")
    return problems.cell("only talks" if not problems.found else "other files")


COLUMNS = {"shown": judge_shown, "again": judge_again, "context": judge_context,
           "spinner": judge_spinner, "compacted": judge_compacted, "reason": judge_reason,
           "session": judge_session, "list": judge_list}
WIDTHS = {"shown": 19, "again": 9, "context": 12, "spinner": 9, "compacted": 11, "reason": 13,
          "session": 11, "list": 13}


# -- the table ----------------------------------------------------------------------------------

def judge(case, gap_ms=GAP_MS, cured=()):
    window = replay(case, gap_ms, cured)
    return {column: look(case, window) for column, look in COLUMNS.items()}


def mark(cell):
    if cell.right:
        return cell.shown
    return "! " + ("not once" if cell.shown.startswith("once") else cell.shown)


def print_table(dialect, judged):
    width = max(len(name) for name in judged) + 2
    heads = "".join(f"{column:{WIDTHS[column]}}" for column in COLUMNS)
    print(f"\n{dialect}\n{'':{width}}{heads}".rstrip())
    for name, cells in judged.items():
        print(f"{name:{width}}" + "".join(
            f"{mark(cell):{WIDTHS[column]}}" for column, cell in cells.items()).rstrip())
    right = sum(all(cell.right for cell in cells.values()) for cells in judged.values())
    print(f"{right} of {len(judged)} all right; ! is wrong")


def app_failures(judged):
    """What is wrong in the app's lines and could be right."""
    return [f"yume-app: {name}: {column}: {problem}" + because(cell.causes)
            for name, cells in judged.items() for column, cell in cells.items()
            if cell.curable for problem in cell.problems]


def failures_at_once(cases, already):
    """The app's lines may come in one millisecond: nothing more may be wrong then."""
    judged = {case.name: judge(case, gap_ms=0) for case in cases if case.dialect == "yume-app"}
    known = set(app_failures(already))
    return [failure for failure in app_failures(judged) if failure not in known]


def because(causes):
    return "".join(f"; {quirk.value}" for quirk in sorted(causes, key=lambda quirk: quirk.name))


def flat_failures(cases, judged):
    """(unexplained problems, lines as in flat_failures.txt)"""
    unexplained, lines = [], []
    for case in cases:
        for column, cell in judged.get(case.name, {}).items():
            if cell.right:
                continue
            causes = ",".join(sorted(quirk.name for quirk in cell.causes))
            lines.append(f"{case.name} {column} {causes}")
            if not explains(case, column, cell.causes):
                unexplained.append(f"yume: {case.name}: {column}: {'; '.join(cell.problems)}: "
                                   "no known quirk of the window explains this")
    return unexplained, lines


def explains(case, column, causes):
    """Whether a window without these quirks would show it right."""
    return judge(case, cured=causes)[column].right


def known_flat_failures():
    lines = FLAT_FAILURES.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def compare_with_known(lines):
    known = known_flat_failures()
    return ([f"yume: wrong, but not in {FLAT_FAILURES.name}: {line}"
             for line in lines if line not in known]
            + [f"yume: in {FLAT_FAILURES.name}, but right now: {line}"
               for line in known if line not in lines])


def main(arguments):
    root = Path(arguments[0]) if arguments else GOLDEN
    cases = find_cases(root)
    watched = [case for case in cases if not case.reader_goes_away]
    judged = {dialect: {case.name: judge(case) for case in watched if case.dialect == dialect}
              for dialect in DIALECTS}
    for dialect in DIALECTS:
        if judged[dialect]:
            print_table(dialect, judged[dialect])
    for case in cases:
        if case.reader_goes_away:
            print(f"{case.name} is left out: its reader goes away")
    unexplained, lines = flat_failures(watched, judged["yume"])
    failures = app_failures(judged["yume-app"]) + unexplained
    failures += failures_at_once(watched, judged["yume-app"])
    if root == GOLDEN:
        failures += compare_with_known(lines)
        failures += [f"{dialect}: no golden case" for dialect in DIALECTS if not judged[dialect]]
    print()
    for failure in failures:
        print(f"FAILED {failure}")
    print(f"{len(watched)} cases, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
