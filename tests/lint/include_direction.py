#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes between the folders of src/ follow one direction.

    util <- platform, core <- net, jsonrpc, gemini, protocol, auth, ... <- agent <- strategies <- app <- main

ALLOWED and SHARED are the whole rule. protocol and gemini never see each other: they meet in core. Tests may
include anything.
"""

import lintlib
from lintlib import Case, Violation

BASE = {"util", "platform", "core"}
EDGES = {"net", "jsonrpc", "gemini", "protocol", "auth", "permissions", "tools", "mcp", "transcript", "hooks",
         "foreign"}

# folder -> folders it may include besides itself
ALLOWED = {
    "util": set(),
    "platform": {"util"},
    "core": {"util"},
    "markdown": {"util"},
    "net": BASE,
    "jsonrpc": BASE,
    "foreign": BASE | {"jsonrpc"},  # the lines of other agents as events
    "gemini": BASE,
    "protocol": BASE | {"jsonrpc", "markdown"},  # the acp host, and what a person reads
    "auth": BASE | {"net"},  # token exchanges go through net/transport.h
    "permissions": BASE,
    "tools": BASE,
    "mcp": BASE | {"net", "jsonrpc", "tools"},  # remote tools behind tools/tool.h, over stdio or http
    "transcript": BASE,
    "hooks": BASE,
    "config": BASE | {"net", "gemini", "permissions", "tools", "hooks"},
    "agent": BASE | EDGES - {"protocol", "transcript", "foreign"} | {"config"},  # it thinks, and keeps no records
    "strategies": BASE | EDGES - {"protocol", "transcript"} | {"config", "agent"},
    "session": BASE | EDGES - {"protocol"} | {"config", "agent", "strategies"},
    "runtime": BASE | EDGES | {"session"},
    "demo": {"util", "platform"},
    "app": BASE | EDGES | {"markdown", "config", "agent", "strategies", "session", "runtime", "demo"},
    "main": {"app", "util"},
}


# Single headers that a folder may include besides. The session files are Claude's, so what they say
# of a tool's result is rendered by the dialect's own writer, and by nobody else.
SHARED = {("transcript", "protocol/claude/tool_details.h")}


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
            elif (folder, header) in SHARED:
                continue
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
    Case("protocol sees jsonrpc", one("src/protocol/acp/a.cpp", '"jsonrpc/codec.h"'), 0),
    Case("jsonrpc doesn't see protocol", one("src/jsonrpc/a.cpp", '"protocol/host.h"'), 1),
    Case("gemini doesn't see protocol", one("src/gemini/a.cpp", '"protocol/claude/inbound.h"'), 1),
    Case("transcript sees one header of protocol", one("src/transcript/a.cpp", '"protocol/claude/tool_details.h"'), 0),
    Case("transcript sees no other", one("src/transcript/a.cpp", '"protocol/claude/words.h"'), 1),
    Case("protocol doesn't see transcript", one("src/protocol/a.cpp", '"transcript/journal.h"'), 1),
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
