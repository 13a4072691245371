# SPDX-License-Identifier: MIT
"""A Gemini on loopback that streams its replies part by part, for several conversations at once.

A conversation is known by words of its first message; each has a script of its own. A reply is a
list of parts, each of which is one event of the stream; anything else among them, such as a
`threading.Event`, holds the stream until its `wait` is satisfied. A reply may also be a function of
the request that returns such a list.
"""

import json
import select
import socket
import threading
from http.server import BaseHTTPRequestHandler

from loopback_server import QuietServer


def call(name, **arguments):
    return {"functionCall": {"name": name, "args": arguments}, "thoughtSignature": "c2ln"}


def text(words):
    return {"text": words}


def thought(words):
    return {"text": words, "thought": True}


class Gemini:
    def __init__(self):
        self.lock = threading.Lock()
        self.scripts = []  # (words, replies)
        self.requests = []
        gemini = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                length = int(self.headers.get("Content-Length", 0))
                body = self.rfile.read(length)
                if len(body) < length:
                    raise ConnectionAbortedError("the client went away")
                gemini.serve(self, json.loads(body))

            def log_message(self, *_):
                pass

        self.server = QuietServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    def expect(self, scripts):
        """{"words of the first message": [reply, reply, ...]}, or one list for all; what was asked
        before is forgotten."""
        if isinstance(scripts, list):
            scripts = {"": scripts}
        with self.lock:
            self.scripts = [(words, list(replies)) for words, replies in scripts.items()]
            self.requests.clear()

    def reply_to(self, request):
        begin = "\n".join(part.get("text", "") for part in request["contents"][0]["parts"])
        with self.lock:
            self.requests.append(request)
            for words, replies in self.scripts:
                if words in begin and replies:
                    reply = replies.pop(0)
                    break
            else:
                reply = [text("nothing is scripted")]
        return reply(request) if callable(reply) else reply

    def serve(self, handler, request):
        parts = self.reply_to(request)
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        last = max((index for index, part in enumerate(parts) if isinstance(part, dict)), default=-1)
        for index, part in enumerate(parts):
            if not isinstance(part, dict):
                self.hold(handler.connection, part)
                continue
            candidate = {"content": {"role": "model", "parts": [part]}}
            if index == last:
                candidate["finishReason"] = "STOP"
            data = b"data: " + json.dumps({"candidates": [candidate], "usageMetadata": {
                "promptTokenCount": 100, "candidatesTokenCount": 10,
                "totalTokenCount": 110}}).encode() + b"\r\n\r\n"
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            handler.wfile.flush()
        handler.wfile.write(b"0\r\n\r\n")

    @staticmethod
    def hold(connection, gate):
        """Until the gate opens; a client that has left meanwhile waits for nothing."""
        while not gate.wait(0.02):
            readable, _, _ = select.select([connection], [], [], 0)
            if readable and not connection.recv(1, socket.MSG_PEEK):
                raise ConnectionAbortedError("the client has left")

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
