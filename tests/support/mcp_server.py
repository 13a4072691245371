#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A small MCP server on stdio, for tests. Its first argument says how it behaves:

    good        answers everything
    silent      never answers
    dies        ends after the handshake, when a tool is called
    floods      writes junk without end
    long-line   writes one line without end
    stderr      writes a lot to stderr, then is good
    greets      writes a line of plain text first, then is good
    liar        answers each request twice, and with ids that nobody used
    no-start    ends at once, with a reason on stderr
    old         speaks the first revision of the protocol
    bare        offers nothing
    hangs       never answers tools/call, and reports in the file of its second argument what it hears
"""

import base64
import json
import os
import struct
import sys
import zlib

MODE = sys.argv[1] if len(sys.argv) > 1 else "good"


def png():
    """One red pixel."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b""))


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def text(words):
    return {"content": [{"type": "text", "text": words}]}


TOOLS = [
    {"name": "echo", "description": "Says it back",
     "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
                     "properties": {"text": {"type": "string"}}, "required": ["text"],
                     "additionalProperties": False},
     "annotations": {"readOnlyHint": True}},
    {"name": "picture", "description": "Shows a picture",
     "inputSchema": {"type": "object", "properties": {}}},
    {"name": "fail", "description": "Fails", "inputSchema": {"type": "object"}},
    {"name": "long", "description": "Says much", "inputSchema": {"type": "object"}},
    {"name": "structured", "description": "Values", "inputSchema": {"type": "object"}},
    {"name": "env", "description": "The environment", "inputSchema": {"type": "object"}},
    {"name": "grow", "description": "Offers one more tool", "inputSchema": {"type": "object"}},
    {"name": "roots", "description": "Asks for the roots", "inputSchema": {"type": "object"}},
    {"name": "ask", "description": "Asks the user", "inputSchema": {"type": "object"}},
    {"name": "approve", "description": "Permits", "inputSchema": {"type": "object"}},
    {"name": "progress", "description": "Reports progress", "inputSchema": {"type": "object"}},
]


class Server:
    def __init__(self):
        self.tools = list(TOOLS)
        self.waiting = {}  # our requests by id: the call that waits for the answer
        self.last_id = 0

    def ask(self, method, params, call_id):
        self.last_id += 1
        self.waiting[f"s{self.last_id}"] = call_id
        send({"jsonrpc": "2.0", "id": f"s{self.last_id}", "method": method, "params": params})

    def call(self, call_id, params):
        name, arguments = params["name"], params.get("arguments", {})
        if name == "echo":
            return text("echo: " + arguments["text"])
        if name == "picture":
            return {"content": [{"type": "text", "text": "a pixel"},
                                {"type": "image", "mimeType": "image/png",
                                 "data": base64.b64encode(png()).decode()}]}
        if name == "fail":
            return {"content": [{"type": "text", "text": "it went wrong"}], "isError": True}
        if name == "long":
            return text("line of text\n" * 20_000)
        if name == "structured":
            return {"content": [], "structuredContent": {"degrees": 21}}
        if name == "env":
            return text(json.dumps({key: os.environ.get(key) for key in arguments["names"]}))
        if name == "grow":
            self.tools.append({"name": "grown", "description": "New",
                               "inputSchema": {"type": "object"}})
            send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
            return text("grown")
        if name == "approve":
            allowed = arguments["input"].get("command") == "touch yes"
            return text(json.dumps(
                {"behavior": "allow", "updatedInput": {"command": "touch changed"}} if allowed
                else {"behavior": "deny", "message": f"no {arguments['tool_name']} today"}))
        if name == "roots":
            return self.ask("roots/list", {}, call_id)
        if name == "ask":
            return self.ask("elicitation/create",
                            {"message": "What colour?",
                             "requestedSchema": {"type": "object", "properties": {
                                 "colour": {"type": "string"}}}}, call_id)
        if name == "progress":
            token = params["_meta"]["progressToken"]
            for step in range(3):
                send({"jsonrpc": "2.0", "method": "notifications/progress",
                      "params": {"progressToken": token, "progress": step}})
            send({"jsonrpc": "2.0", "method": "notifications/message",
                  "params": {"level": "info", "data": "logged words"}})
            return text("done")
        return text(name + " ran")

    def answer(self, message):
        method, params = message["method"], message.get("params", {})
        if method == "initialize":
            version = "2024-11-05" if MODE == "old" else params["protocolVersion"]
            if MODE == "bare":
                return {"protocolVersion": version, "capabilities": {}}
            return {"protocolVersion": version,
                    "capabilities": {"tools": {"listChanged": True}, "prompts": {}, "resources": {},
                                     "logging": {}},
                    "serverInfo": {"name": "scripted", "version": "1.2.3"}}
        if method == "tools/list":
            half = len(self.tools) // 2
            if params.get("cursor") == "more":
                return {"tools": self.tools[half:]}
            return {"tools": self.tools[:half], "nextCursor": "more"}
        if method == "prompts/list":
            return {"prompts": [{"name": "greet", "description": "A greeting",
                                 "arguments": [{"name": "who", "required": True}]}]}
        if method == "prompts/get":
            return {"messages": [{"role": "user", "content": {
                "type": "text", "text": "Greet " + params["arguments"]["who"]}}]}
        if method == "resources/list":
            return {"resources": [{"uri": "test://one", "name": "one", "mimeType": "text/plain"}]}
        if method == "resources/read":
            return {"contents": [{"uri": params["uri"], "mimeType": "text/plain",
                                  "text": "the first resource"}]}
        if method == "tools/call":
            if MODE == "dies":
                print("out of luck", file=sys.stderr)
                sys.exit(3)
            if MODE == "hangs":
                return None
            return self.call(message["id"], params)
        return {}

    def take(self, message):
        if "method" not in message:
            call_id = self.waiting.pop(message["id"])
            send({"jsonrpc": "2.0", "id": call_id,
                  "result": text(json.dumps(message.get("result", message.get("error"))))})
            return
        if MODE == "hangs" and len(sys.argv) > 2:
            with open(sys.argv[2], "a", encoding="utf-8") as heard:
                heard.write(message["method"] + "\n")
        if "id" not in message:
            return
        result = self.answer(message)
        if result is None:
            return
        reply = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        if MODE == "liar":
            send({"jsonrpc": "2.0", "id": 987654, "result": {"lie": True}})
            send({"jsonrpc": "2.0", "id": "no such id", "error": {"code": 1, "message": "lie"}})
            send(reply)
            reply = {**reply, "result": {"second": "answer"}}
        send(reply)


def main():
    if MODE == "no-start":
        sys.exit("the configuration is missing")
    if MODE == "floods":
        try:
            while True:
                sys.stdout.write("junk and more junk\n" * 1000)
        except BrokenPipeError:
            os._exit(0)
    if MODE == "long-line":
        try:
            while True:
                sys.stdout.write("x" * 65536)
        except BrokenPipeError:
            os._exit(0)
    if MODE == "silent":
        for _ in sys.stdin:
            pass
        return
    if MODE == "stderr":
        sys.stderr.write("noise on stderr\n" * 100_000)
    if MODE == "greets":
        print("Scripted server, ready to serve.", flush=True)
    server = Server()
    for line in sys.stdin:
        server.take(json.loads(line))


if __name__ == "__main__":
    main()
