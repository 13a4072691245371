#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes between the folders of src/ follow one direction.

    util <- platform, core <- net, gemini, protocol, auth, ... <- agent <- strategies <- app <- main

ALLOWED is the whole rule. protocol and gemini never see each other: they meet in core. Tests may
include anything.
"""

import lintlib
from lintlib import Case, Violation

BASE = {"util", "platform", "core"}
EDGES = {"net", "gemini", "protocol", "auth", "permissions", "tools", "mcp", "session", "hooks"}

# folder -> folders it may include besides itself
ALLOWED = {
    "util": set(),
    "platform": {"util"},
    "core": {"util"},
    "net": BASE,
    "gemini": BASE,
    "protocol": BASE,
    "auth": BASE | {"net"},  # token exchanges go through net/transport.h
    "permissions": BASE,
    "tools": BASE,
    "mcp": BASE | {"net", "tools"},  # remote tools behind tools/tool.h, over stdio or http
    "session": BASE,
    "hooks": BASE,
    "agent": BASE | EDGES,
    "strategies": BASE | EDGES | {"agent"},
    "demo": {"util", "platform"},
    "app": BASE | EDGES | {"agent", "strategies", "demo"},
    "main": {"app", "util"},
}


def folder_of(path: str) -> str:
    """src/net/x.h -> net; src/main.cpp -> main."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else "main"


def check(root):
    found = []
    for name, path in lintlib.code_files(root, "src"):
        folder = folder_of(name)
        if folder not in ALLOWED:
            found.append(Violation(name, 1, "include-direction", f"folder '{folder}' is not in the table of {__file__}"))
            continue
        for line, kind, header in lintlib.includes(path):
            if kind != '"':
                continue
            target = header.split("/")[0] if "/" in header else None
            if target not in ALLOWED:
                message = f'"{header}" must be written from src/, as "<folder>/<file>"'
                found.append(Violation(name, line, "include-direction", message))
            elif target != folder and target not in ALLOWED[folder]:
                message = f"{folder} may not include {target}"
                found.append(Violation(name, line, "include-direction", message))
    return found


def one(path, include):
    return {path: f"#include {include}\n"}


CASES = [
    Case("down is fine", one("src/net/a.h", '"util/result.h"'), 0),
    Case("own folder is fine", one("src/net/a.h", '"net/b.h"'), 0),
    Case("main sees app", one("src/main.cpp", '"app/run.h"'), 0),
    Case("main doesn't see net", one("src/main.cpp", '"net/transport.h"'), 1),
    Case("util sees nobody", one("src/util/a.h", '"platform/clock.h"'), 1),
    Case("core doesn't see platform", one("src/core/a.h", '"platform/clock.h"'), 1),
    Case("protocol doesn't see gemini", one("src/protocol/a.cpp", '"gemini/request.h"'), 1),
    Case("gemini doesn't see protocol", one("src/gemini/a.cpp", '"protocol/inbound.h"'), 1),
    Case("a sub-folder counts as its folder", one("src/protocol/yume/a.cpp", '"gemini/request.h"'), 1),
    Case("demo sees util and platform", one("src/demo/a.cpp", '"platform/clock.h"'), 0),
    Case("demo doesn't see core", one("src/demo/a.cpp", '"core/event.h"'), 1),
    Case("agent doesn't see app", one("src/agent/a.cpp", '"app/config.h"'), 1),
    Case("relative includes are refused", one("src/net/a.cpp", '"b.h"'), 1),
    Case("upward paths are refused", one("src/net/a.cpp", '"../gemini/b.h"'), 1),
    Case("system headers are not its concern", one("src/net/a.cpp", "<vector>"), 0),
    Case("comments are ignored", {"src/util/a.h": '/*\n#include "app/run.h"\n*/\n// #include "app/run.h"\n'}, 0),
    Case("tests see all", one("tests/unit/a.cpp", '"gemini/request.h"'), 0),
    Case("an unknown folder must be entered", {"src/extra/a.h": "\n"}, 1),
]

if __name__ == "__main__":
    lintlib.main(check, CASES)
