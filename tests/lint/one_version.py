#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The version stands in CMakeLists.txt; the manifests of the adapters, which others read without CMake, repeat it.

scripts/set-version writes all of them.
"""

import json
import re

import lintlib
from lintlib import Case, Violation

RULE = "one-version"


def found_in(root, name, pattern):
    """(line, version) of the pattern's first match; None when the file or the version is missing."""
    path = root / name
    if not path.is_file():
        return None
    for number, line in enumerate(path.read_text().split("\n"), 1):
        match = re.search(pattern, line)
        if match:
            return number, match.group(1)
    return None


def wanted_programs(root):
    """The versions of the platform packages that the npm package asks for."""
    path = root / "adapters/node/package.json"
    return json.loads(path.read_text()).get("optionalDependencies", {}) if path.is_file() else {}


def check(root):
    own = found_in(root, "CMakeLists.txt", r"^project\(yume-cli VERSION ([0-9.]+)")
    if own is None:
        return [Violation("CMakeLists.txt", 1, RULE, "project(yume-cli VERSION …) is missing")]
    places = (("adapters/node/package.json", r'^  "version": "([^"]*)"'),
              ("adapters/rust/Cargo.toml", r'^version = "([^"]*)"'))
    violations = []
    for name, pattern in places:
        line, version = found_in(root, name, pattern) or (1, "no version")
        if version != own[1]:
            violations.append(Violation(name, line, RULE, f"says {version}, CMakeLists.txt says {own[1]}"))
    for package, version in wanted_programs(root).items():
        if version != own[1]:
            violations.append(Violation("adapters/node/package.json", 1, RULE, f"asks for {package} {version}"))
    return violations


def tree(cmake="0.1.0", node="0.1.0", rust="0.1.0", wanted="0.1.0"):
    return {"CMakeLists.txt": f"project(yume-cli VERSION {cmake} LANGUAGES CXX)\n",
            "adapters/node/package.json":
                f'{{\n  "version": "{node}",\n  "optionalDependencies": {{"a": "{wanted}"}}\n}}\n',
            "adapters/rust/Cargo.toml": f'[package]\nversion = "{rust}"\n'}


CASES = [
    Case("all the same", tree(), 0),
    Case("the program is ahead", tree(cmake="0.2.0"), 3),
    Case("node is behind", tree(node="0.0.9"), 1),
    Case("another program is asked for", tree(wanted="0.0.9"), 1),
    Case("rust is behind", tree(rust="0.0.9"), 1),
    Case("a manifest without a version", {**tree(), "adapters/rust/Cargo.toml": "[package]\n"}, 1),
    Case("no version at all", {"CMakeLists.txt": "project(yume-cli)\n"}, 1),
]

if __name__ == "__main__":
    lintlib.main(check, CASES)
