# SPDX-License-Identifier: MIT
"""A folder with a home, a working directory and an agent to wrap, and runs of yume-cli in it."""

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from scripted_agent import environment  # noqa: E402

PATIENCE = 120  # so that a test fails instead of waiting for ever
MODEL = "gemini-3.8-flash"


class World:
    def __init__(self, binary):
        self.binary = binary
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name).resolve()
        self.home = self.root / "home"
        self.work = self.root / "work"
        self.home.mkdir()
        self.work.mkdir()
        self.ready = self.work / "ready"
        # Whatever is started in this world can be found by this variable.
        self.mark = f"WRAPPED_WORLD={self.root}"
        self.environment = {**environment(self.home), "WRAPPED_WORLD": str(self.root),
                            "WORLD": str(self.root)}

    def expect_ready(self):
        """What is started says by this pipe that it has come so far."""
        os.mkfifo(self.ready)

    def close(self):
        self.folder.cleanup()

    def program(self, name, text):
        path = self.root / name
        path.write_text(f"#!{sys.executable} -B\n{text}")
        path.chmod(0o755)
        return str(path)

    def command(self, *arguments, dialect="claude"):
        return [self.binary, "-p", "--output-format", "stream-json", "--verbose", "--dialect",
                dialect, "--model", MODEL, *arguments]

    def start(self, *arguments, dialect="claude", **settings):
        settings.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen(self.command(*arguments, dialect=dialect), cwd=self.work,
                                env=self.environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **settings)

    def run(self, *arguments, dialect="claude", given=None):
        child = self.start(*arguments, dialect=dialect,
                           stdin=subprocess.PIPE if given is not None else subprocess.DEVNULL)
        stdout, stderr = child.communicate(given, timeout=PATIENCE)
        return Run(child.returncode, [json.loads(line) for line in stdout.splitlines() if line],
                   stderr)

    def processes(self):
        """Of this world that still run, with their command lines."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                block = (entry / "environ").read_bytes().decode(errors="replace").split("\0")
                state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
                if self.mark in block and state != "Z":
                    found.append((entry / "cmdline").read_text())
            except OSError:
                continue
        return found


class Run:
    def __init__(self, code, lines, stderr):
        self.code = code
        self.lines = lines
        self.stderr = stderr

    def results(self):
        return [line for line in self.lines if line["type"] == "result"]

    def result(self):
        (only,) = self.results()
        return only

    def text(self):
        return "".join(block["text"] for block in self.blocks("assistant", "text"))

    def blocks(self, role, kind):
        return [block for line in self.lines if line["type"] == role
                for block in line["message"]["content"]
                if isinstance(block, dict) and block["type"] == kind]

    def pairs(self):
        """(name, input, result, whether it is an error) of each call, all of which have one."""
        results = {block["tool_use_id"]: block for block in self.blocks("user", "tool_result")}
        uses = self.blocks("assistant", "tool_use")
        assert sorted(results) == sorted(use["id"] for use in uses), (results, uses)
        return [(use["name"], use["input"], results[use["id"]]["content"],
                 results[use["id"]].get("is_error", False)) for use in uses]


def wait_for(child, path):
    """Until what was started has written to the pipe of that name."""
    pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        ready, _, _ = select.select([pipe, child.stderr], [], [], PATIENCE)
        assert ready == [pipe], child.communicate()
    finally:
        os.close(pipe)


def interrupt_when(child, path):
    wait_for(child, path)
    child.send_signal(signal.SIGINT)
