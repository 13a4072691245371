# SPDX-License-Identifier: MIT
"""A host in Claude's dialect: one process of the program, its lines in both directions. Every line
that it reads is checked against the rules that hold for all lines."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import line_rules
from scripted_agent import command_line, environment


def scratch(test):
    """A folder that is gone after the test."""
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    return Path(os.path.realpath(folder.name))


class StreamHost:
    def __init__(self, test, binary, model, *flags, home=None, env=None, **more):
        """`model` is a server on loopback; the working directory is the home, too."""
        self.test = test
        self.home = home or scratch(test)
        self.process = subprocess.Popen(
            command_line(binary, model, "--input-format", "stream-json", *flags),
            env={**environment(self.home), **(env or {})}, cwd=self.home,
            stdin=subprocess.PIPE, **{"stdout": subprocess.PIPE, **more})
        test.addCleanup(self.end)

    def end(self):
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass  # of what was written and not sent
        self.process.wait()

    def write_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def write(self, line):
        self.write_bytes(json.dumps(line).encode() + b"\n")

    def say(self, content, **more):
        self.write({"type": "user", "message": {"role": "user", "content": content}, **more})

    def read(self):
        line = self.process.stdout.readline()
        self.test.assertTrue(line.endswith(b"\n"), f"stdout has ended: {line[:200]}")
        return line_rules.check_bytes(self.test, line.rstrip(b"\n"))

    def read_until(self, found):
        """The lines up to the first that is wanted."""
        lines = [self.read()]
        while not found(lines[-1]):
            lines.append(self.read())
        return lines

    def turn(self):
        """The lines up to the next result."""
        return self.read_until(lambda line: line["type"] == "result")

    def request(self, subtype, request_id="r", **fields):
        """The answer to a control request; other lines are passed over."""
        self.write({"type": "control_request", "request_id": request_id,
                    "request": {"subtype": subtype, **fields}})
        return self.answer(request_id)

    def answer(self, request_id="r"):
        return self.read_until(lambda line: line["type"] == "control_response"
                               and line["response"]["request_id"] == request_id)[-1]["response"]

    def rest(self):
        """All lines that are left, after the end of stdin."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        return [line_rules.check_bytes(self.test, line.rstrip(b"\n")) for line in self.process.stdout]

    def close(self):
        """The exit code."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        return self.process.wait(timeout=60)
