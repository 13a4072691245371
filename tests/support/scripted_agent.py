# SPDX-License-Identifier: MIT
"""yume-cli with a model on loopback that makes the calls it is told to make, one a reply."""

import itertools
import json
import os
import threading

from loopback_server import Server


def reply(part):
    """One streamed reply, as the Server wants it."""
    said = {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]}
    return 200, "text/event-stream", f"data: {json.dumps(said)}\r\n\r\n".encode()


def call(name, **arguments):
    return {"functionCall": {"name": name, "args": arguments}}


def serve(calls):
    """A server whose model makes the calls and then says that it is done."""
    parts = itertools.chain(calls, itertools.repeat({"text": "done"}))
    lock = threading.Lock()

    def answer(*_):
        with lock:
            return reply(next(parts))

    return Server(answer)


def command_line(binary, server, *flags):
    return [binary, "--output-format", "stream-json", "--verbose", "--model", "gemini-3.8-flash",
            "--auth", "api-key", "--api-base", server.url, "--permission-mode", "bypassPermissions",
            *flags]


def environment(home):
    return {"HOME": str(home), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
            "METADATA_SERVER_DETECTION": "none", "IS_SANDBOX": "1",
            **{name: value for name, value in os.environ.items() if "SAN_OPTIONS" in name}}


def tool_results(lines):
    """(text, whether it is an error) of each result, in order."""
    blocks = (block for line in lines if line["type"] == "user"
              for block in line["message"]["content"] if block["type"] == "tool_result")
    return [(block["content"], block.get("is_error", False)) for block in blocks]
