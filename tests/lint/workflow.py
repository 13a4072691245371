#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The hosted workflow, which cannot be run here, is well-formed: right keys, pinned actions, scripts that exist.

Reads .github/workflows/*.yml by PyYAML (package python3-yaml).
"""

import re
import sys

import lintlib
from lintlib import Case, Violation

try:
    import yaml
except ImportError:
    sys.exit("workflow: PyYAML is not installed: package python3-yaml")

RULE = "workflow"
TOP = {"name", "on", "permissions", "concurrency", "jobs"}
JOB = {"name", "needs", "strategy", "runs-on", "container", "timeout-minutes", "steps", "if"}
STEP = {"name", "if", "uses", "with", "run", "shell", "env"}
# Those that GitHub hosts.
RUNNERS = {"ubuntu-22.04", "ubuntu-24.04", "ubuntu-24.04-arm", "windows-2022", "windows-2025", "windows-11-arm",
           "macos-14", "macos-15", "macos-15-intel"}
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


class Loader(yaml.SafeLoader):
    """Refuses a key that is there twice."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(None, None, f"{key} is there twice", node.start_mark)
        return super().construct_mapping(node, deep)


def matrix_of(job):
    """Each name of the matrix with all of its values."""
    matrix = (job.get("strategy") or {}).get("matrix") or {}
    values = {name: set(map(str, listed)) for name, listed in matrix.items() if name != "include"}
    for row in matrix.get("include", []):
        for name, value in row.items():
            values.setdefault(name, set()).add(str(value))
    return values


def text_in(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from text_in(key)
            yield from text_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from text_in(inner)
    else:
        yield str(value)


def in_step(root, step):
    if not isinstance(step, dict) or ("uses" in step) == ("run" in step):
        yield "a step has either `uses` or `run`"
        return
    yield from (f"a step has no key {key}" for key in sorted(step.keys() - STEP))
    if "uses" in step and not re.fullmatch(r"[\w.-]+/[\w./-]+@(v\d+|[0-9a-f]{40})", str(step["uses"])):
        yield f"{step['uses']} is not pinned"
    for script in re.findall(r"(?m)^\s*((?:\./|scripts/|tests/)[\w./-]+)", str(step.get("run", ""))):
        if not (root / script).is_file():
            yield f"there is no {script}"
    if "run" in step and EXPRESSION.search(str(step["run"])):
        yield "an expression in a script is run as code: pass it by `env`"


def in_job(root, name, job, jobs):
    yield from (f"{name}: a job has no key {key}" for key in sorted(job.keys() - JOB))
    yield from (f"{name}: needs {key}" for key in ("runs-on", "timeout-minutes", "steps") if not job.get(key))
    needed = job.get("needs", [])
    yield from (f"{name}: there is no job {other}" for other in ([needed] if isinstance(needed, str) else needed)
                if other not in jobs)
    values = matrix_of(job)
    for text in text_in(job):
        for expression in EXPRESSION.findall(text):
            found = re.fullmatch(r"matrix\.([\w-]+)", expression)
            if found and found.group(1) not in values:
                yield f"{name}: the matrix has no {found.group(1)}"
            elif not found and not re.fullmatch(r"github\.(sha|ref)", expression):
                yield f"{name}: nobody has looked at the expression {expression}"
    runner = str(job.get("runs-on", ""))
    by_matrix = re.fullmatch(r"\$\{\{ matrix\.([\w-]+) \}\}", runner)
    for used in sorted(values.get(by_matrix.group(1), set()) if by_matrix else {runner}):
        if used not in RUNNERS:
            yield f"{name}: there is no runner {used}"
    for step in job.get("steps") or []:
        yield from (f"{name}: {problem}" for problem in in_step(root, step))


def problems_of(root, text):
    try:
        document = yaml.load(text, Loader)
    except yaml.YAMLError as error:
        yield f"is no YAML: {' '.join(str(error).split())}"
        return
    if not isinstance(document, dict):
        yield "is empty"
        return
    # YAML takes an unquoted `on` for true.
    yield from (f"a workflow has no key {key}" for key in sorted(map(str, document.keys() - TOP)))
    yield from (f"needs {key}" for key in ("on", "permissions", "jobs") if key not in document)
    jobs = document.get("jobs") or {}
    for name, job in jobs.items():
        yield from in_job(root, name, job, jobs)


def check(root):
    found = []
    for path in sorted((root / ".github/workflows").glob("*.y*ml")):
        name = path.relative_to(root).as_posix()
        text = path.read_text()
        found += [Violation(name, 1, RULE, problem) for problem in problems_of(root, text)]
        found += [Violation(name, number, RULE, "has a tab or a space at its end")
                  for number, line in enumerate(text.split("\n"), 1) if "\t" in line or line != line.rstrip()]
    return found


def case(name, count, change=lambda text: text):
    good = """\
name: check
"on": {push: }
permissions: {contents: read}
jobs:
  one:
    strategy: {matrix: {include: [{runner: ubuntu-24.04}]}}
    runs-on: ${{ matrix.runner }}
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@v4
      - run: ./check
"""
    return Case(name, {".github/workflows/check.yml": change(good), "check": "true\n"}, count)


CASES = [
    case("good", 0),
    case("no YAML", 1, lambda text: text.replace("jobs:", "jobs: [")),
    case("a key twice", 1, lambda text: text + "      - {run: 'true', run: 'false'}\n"),
    case("an unquoted on", 2, lambda text: text.replace('"on"', "on")),
    case("an unknown runner", 1, lambda text: text.replace("ubuntu-24.04", "ubuntu-7")),
    case("another matrix", 1, lambda text: text + "      - uses: a/b@v1\n        with: {c: '${{ matrix.x }}'}\n"),
    case("an action that moves", 1, lambda text: text.replace("@v4", "@main")),
    case("a script that is missing", 1, lambda text: text.replace("./check", "scripts/nothing")),
    case("neither one nor the other", 1, lambda text: text + "      - name: x\n"),
    case("no limit of time", 1, lambda text: text.replace("    timeout-minutes: 5\n", "")),
    case("a job that is missing", 1, lambda text: text.replace("    steps:", "    needs: two\n    steps:")),
    case("an expression in a script", 1, lambda text: text + "      - run: echo ${{ github.sha }}\n"),
    case("an expression of others", 2, lambda text: text + "      - run: echo ${{ github.head_ref }}\n"),
    case("a word that is no key", 1, lambda text: text + "        shel: bash\n"),
]

if __name__ == "__main__":
    lintlib.main(check, CASES)
