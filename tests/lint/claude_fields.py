#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every Claude-dialect line in the golden transcripts holds what the Agent SDKs' parsers demand.

The Python SDK raises KeyError and the TypeScript SDK crashes without these fields.
"""

import json

import lintlib
from lintlib import Case, Violation

COMMON = {"uuid": str, "session_id": str}
LINES = {
    "system": {"subtype": str, **COMMON},
    "assistant": {"message": dict, "parent_tool_use_id": (str, type(None)), **COMMON},
    "user": {"message": dict, "parent_tool_use_id": (str, type(None)), **COMMON},
    "result": {
        "subtype": str, "is_error": bool, "duration_ms": int, "duration_api_ms": int,
        "num_turns": int, "total_cost_usd": (int, float), "usage": dict, "modelUsage": dict,
        "permission_denials": list, "stop_reason": (str, type(None)), **COMMON,
    },
}
INIT = {
    "cwd": str, "tools": list, "mcp_servers": list, "model": str, "permissionMode": str,
    "slash_commands": list, "apiKeySource": str, "claude_code_version": str, "output_style": str,
    "agents": list, "skills": list, "plugins": list,
}
MESSAGE = {
    "assistant": {"id": str, "type": str, "role": str, "model": str, "content": list, "usage": dict},
    "user": {"role": str, "content": list},
}
BLOCKS = {
    "text": {"text": str},
    "thinking": {"thinking": str, "signature": str},
    "tool_use": {"id": str, "name": str, "input": dict},
    "tool_result": {"tool_use_id": str, "content": (str, list)},
}
USAGE = {name: int for name in (
    "input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")}


def missing(value, fields, where):
    for name, kind in fields.items():
        if name not in value:
            yield f"{where} has no {name}"
        elif not isinstance(value[name], kind) and value[name] != "%{ms}":
            yield f"{where}.{name} is {type(value[name]).__name__}"


def problems(line):
    kind = line.get("type")
    if kind not in LINES:
        return
    yield from missing(line, LINES[kind], kind)
    if kind == "system" and line.get("subtype") == "init":
        yield from missing(line, INIT, "init")
    if kind in MESSAGE and isinstance(line.get("message"), dict):
        yield from missing(line["message"], MESSAGE[kind], f"{kind}.message")
        for block in line["message"].get("content", []):
            yield from missing(block, BLOCKS.get(block.get("type"), {"type": str}), "block")
        if kind == "assistant":
            yield from missing(line["message"].get("usage", {}), USAGE, "message.usage")
    if kind == "result":
        yield from missing(line.get("usage", {}), USAGE, "result.usage")
        if line.get("subtype") == "success":
            yield from missing(line, {"result": str}, "result")
        else:
            yield from missing(line, {"errors": list}, "result")


def check(root):
    found = []
    for path in sorted((root / "tests/golden").glob("*/*/expect/stdout.ndjson")):
        name = path.relative_to(root).as_posix()
        if "/yume/" in name or "/gemini/" in name or "yume" in path.parent.parent.name:
            continue
        if "/insights/" in name or "/agent_events/" in name:
            continue
        if "/translate/" in name and not path.parent.parent.name.endswith("_to_claude"):
            continue
        for number, text in enumerate(path.read_text().splitlines(), 1):
            line = json.loads(text.replace(':%{ms}', ':"%{ms}"').replace(':%{pid:1}', ':1'))
            for one in line if isinstance(line, list) else [line]:
                if "/yume_app/" in name and one.get("type") == "result" and one["num_turns"] == 0:
                    # Of a start that failed the size is unknown; the window keeps what it shows when
                    # there is none, and nobody else reads these lines.
                    one.setdefault("usage", dict.fromkeys(USAGE, 0))
                for problem in problems(one):
                    found.append(Violation(name, number, "claude-fields", problem))
    return found


GOOD = ('{"type":"result","subtype":"success","is_error":false,"duration_ms":%{ms},'
        '"duration_api_ms":%{ms},"num_turns":1,"result":"","stop_reason":null,"total_cost_usd":0,'
        '"usage":{"input_tokens":1,"output_tokens":1,"cache_read_input_tokens":0,'
        '"cache_creation_input_tokens":0},"modelUsage":{},"permission_denials":[],'
        '"session_id":"s","uuid":"u"}\n')
PLACE = "tests/golden/claude/a/expect/stdout.ndjson"
CASES = [
    Case("a complete result", {PLACE: GOOD}, 0),
    Case("no errors on an error result", {PLACE: GOOD.replace('"success"', '"error_max_turns"')}, 1),
    Case("no usage", {PLACE: GOOD.replace('"usage"', '"used"').replace('"num_turns":1', '"num_turns":0')},
         len(USAGE) + 1),
    Case("no usage of a start that failed in the app", {PLACE.replace("claude", "yume_app"): GOOD.replace(
        '"usage"', '"used"').replace('"num_turns":1', '"num_turns":0')}, 0),
    Case("a fractional count", {PLACE: GOOD.replace('"num_turns":1', '"num_turns":1.0')}, 1),
    Case("a thinking block without signature", {PLACE: (
        '{"type":"user","message":{"role":"user","content":[{"type":"thinking","thinking":""}]},'
        '"parent_tool_use_id":null,"uuid":"u","session_id":"s"}\n')}, 1),
]

if __name__ == "__main__":
    lintlib.main(check, CASES)
