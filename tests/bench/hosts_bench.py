#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the ways in for other programs cost: `translate`, the face of `gemini`, ACP's first answer.

    hosts_bench.py BINARY [REPETITIONS]

The runs that are compared alternate, so that ratios are valid on a noisy machine too; the fastest
run of each counts, because whatever disturbs one makes it slower. The exit code is 1 when a bar is
missed, or when an output is not what it must be.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SUPPORT = Path(__file__).resolve().parent.parent / "support"
sys.path.insert(0, str(SUPPORT))
from loopback_server import Server  # noqa: E402
from scripted_agent import environment  # noqa: E402

MODEL = "gemini-3.8-flash"
LEAST_SPEED = 200.0  # MB/s, of what is read
MOST_OVERHEAD = 1.1  # times the dialect of Claude's hosts
MOST_INITIALIZE = 5.0  # ms
MEGABYTES = 48
WORDS = "Words as models write them, with a \"quote\", a break\nand an \u00e9. "
MET = True


def judge(name, value, met):
    global MET
    MET = MET and met
    print(f"{name}: {value} ({'met' if met else 'missed'})", flush=True)


def gemini_lines():
    yield {"type": "init", "timestamp": "2026-01-01T00:00:00.000Z", "session_id": "s", "model": MODEL}
    piece = {"type": "message", "timestamp": "2026-01-01T00:00:00.000Z", "role": "assistant",
             "content": WORDS * 4, "delta": True}
    for number in range(100_000_000):
        for _ in range(20):
            yield piece
        call = f"read_file__{number}"
        yield {"type": "tool_use", "timestamp": "2026-01-01T00:00:00.000Z", "tool_name": "read_file",
               "tool_id": call, "parameters": {"file_path": "src/main.cpp"}}
        yield {"type": "tool_result", "timestamp": "2026-01-01T00:00:00.000Z", "tool_id": call,
               "status": "success", "output": WORDS * 60}


def claude_lines():
    yield {"type": "system", "subtype": "init", "session_id": "s", "model": MODEL, "cwd": "/p",
           "tools": []}
    for number in range(100_000_000):
        call = f"toolu_{number}"
        yield {"type": "assistant", "session_id": "s", "message": {
            "id": f"msg_{number}", "role": "assistant", "content": [
                {"type": "text", "text": WORDS * 20},
                {"type": "tool_use", "id": call, "name": "Read",
                 "input": {"file_path": "/p/src/main.cpp"}}]}}
        yield {"type": "user", "session_id": "s", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": call, "content": WORDS * 60}]}}


def acp_lines():
    def update(**fields):
        return {"jsonrpc": "2.0", "method": "session/update",
                "params": {"sessionId": "s", "update": fields}}
    yield {"jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": {
        "sessionId": "s", "prompt": [{"type": "text", "text": "go"}]}}
    piece = update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": WORDS * 4})
    for number in range(100_000_000):
        for _ in range(20):
            yield piece
        call = f"Read-{number:x}"
        yield update(sessionUpdate="tool_call", toolCallId=call, title="Read main.cpp", kind="read",
                     status="pending", rawInput={"file_path": "/p/src/main.cpp"})
        yield update(sessionUpdate="tool_call_update", toolCallId=call, status="completed",
                     content=[{"type": "content", "content": {"type": "text", "text": WORDS * 60}}])


SOURCES = {
    "gemini": (gemini_lines, {"type": "result", "status": "success", "stats": {}}),
    "claude": (claude_lines, {"type": "result", "subtype": "success", "is_error": False,
                              "result": "", "session_id": "s"}),
    "acp": (acp_lines, {"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "end_turn"}}),
}


def write_source(path, lines, end):
    size = 0
    with open(path, "w") as file:
        for line in lines():
            size += file.write(json.dumps(line) + "\n")
            if size >= MEGABYTES * 1_000_000:
                break
        size += file.write(json.dumps(end) + "\n")
    return size / 1e6


def finish(process):
    """CPU seconds of a process that ends well."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, process.args
    return usage.ru_utime + usage.ru_stime


def translate(binary, folder, repetitions):
    for source, (lines, end) in SOURCES.items():
        path = folder / source
        size = write_source(path, lines, end)
        for target in ("claude", "yume", "gemini", "insights", "agent-events"):
            taken = []
            for _ in range(repetitions):
                with open(path, "rb") as given:
                    begin = time.perf_counter()
                    process = subprocess.Popen(
                        [binary, "translate", "--from", source, "--to", target], stdin=given,
                        stdout=subprocess.DEVNULL)
                    finish(process)
                    taken.append(time.perf_counter() - begin)
            speed = size / min(taken)
            judge(f"translate {source} to {target}, MB/s of input (>= {LEAST_SPEED:.0f})",
                  f"{speed:.0f}", speed >= LEAST_SPEED)
        path.unlink()


def stream_of(pieces):
    events = [{"candidates": [{"content": {"role": "model", "parts": [{"text": WORDS * 4}]}}]}
              for _ in range(pieces)]
    events[-1]["candidates"][0]["finishReason"] = "STOP"
    events[-1]["usageMetadata"] = {"promptTokenCount": 10, "candidatesTokenCount": pieces,
                                   "totalTokenCount": pieces + 10}
    return "".join(f"data: {json.dumps(event)}\r\n\r\n" for event in events).encode()


def face(binary, folder, repetitions):
    (folder / "home").mkdir()
    body = []
    server = Server(lambda *_: (200, "text/event-stream", body[0]))
    common = ["-p", "go", "--output-format", "stream-json", "--model", MODEL]
    sides = {"claude": [binary, *common, "--verbose", "--auth", "api-key"],
             "gemini": [binary, "--as", "gemini", *common]}
    settings = {**environment(folder / "home"), "GOOGLE_GEMINI_BASE_URL": server.url}
    try:
        for name, pieces in (("a short reply", 20), ("a reply of 1 MB", 5_000)):
            body[:] = [stream_of(pieces)]
            best = {side: [9e9, 9e9] for side in sides}
            for _ in range(3 * repetitions):
                for side, command in sides.items():
                    begin = time.perf_counter()
                    process = subprocess.Popen(command, cwd=folder, env=settings,
                                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
                    out = process.stdout.read()
                    cpu = finish(process)
                    taken = time.perf_counter() - begin
                    process.stdout.close()
                    assert out.count(b'"type":"result"') == 1, out[-500:]
                    best[side] = [min(best[side][0], taken), min(best[side][1], cpu)]
            for kind, (claude, gemini) in zip(("wall", "CPU"), zip(best["claude"], best["gemini"])):
                ratio = gemini / claude
                judge(f"the gemini face, {name}, {kind} ms, by those of the claude dialect "
                      f"(<= {MOST_OVERHEAD}x)",
                      f"{gemini * 1000:.1f} : {claude * 1000:.1f} = {ratio:.2f}x",
                      ratio <= MOST_OVERHEAD)
    finally:
        server.close()


def initialize(binary, folder, repetitions):
    question = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize",
                           "params": {"protocolVersion": 1}}) + "\n"
    taken = []
    for _ in range(10 * repetitions):
        begin = time.perf_counter()
        process = subprocess.Popen([binary, "--acp"], cwd=folder, env=environment(folder),
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        process.stdin.write(question)
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        taken.append(1000 * (time.perf_counter() - begin))
        assert answer["result"]["protocolVersion"] == 1, answer
        process.stdin.close()
        finish(process)
        process.stdout.close()
    judge(f"ACP, from the start to the answer to initialize, ms (<= {MOST_INITIALIZE:.0f})",
          f"{min(taken):.2f}, median {sorted(taken)[len(taken) // 2]:.2f}",
          min(taken) <= MOST_INITIALIZE)


def main(binary, repetitions):
    with tempfile.TemporaryDirectory() as folder:
        for measure in (initialize, face, translate):
            measure(binary, Path(folder), repetitions)
    return 0 if MET else 1


if __name__ == "__main__":
    sys.exit(main(str(Path(sys.argv[1]).resolve()), int(sys.argv[2]) if len(sys.argv) > 2 else 7))
