# SPDX-License-Identifier: MIT
"""A program in tmux, which is a terminal that can be asked what is on its screen.

tmux is driven through its control mode: it says by itself when the program has written something, so that
nobody has to look again and again.
"""

import os
import re
import select
import shutil
import subprocess
import tempfile
from pathlib import Path

from on_terminal import PATIENCE

CONFIGURATION = """
set -g status off
set -g default-terminal screen-256color
set -g history-limit 50000
set -s escape-time 0
"""


# tmux does not tell of it by itself.
TELL_THE_END = 'trap : INT; "$@"; echo "[ended with $?]"; exec /bin/cat'


class Tmux:
    """One program on a screen of `columns` and `rows`."""

    def __init__(self, command, environment, cwd, columns=100, rows=24):
        self.folder = Path(tempfile.mkdtemp())
        (self.folder / "conf").write_text(CONFIGURATION)
        self.environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm"}
        self.control = subprocess.Popen(
            [*self.program(), "-f", str(self.folder / "conf"), "-C", "new-session", "-c", str(cwd),
             "-x", str(columns), "-y", str(rows), "env", "-i", "TERM=screen-256color",
             *(f"{name}={value}" for name, value in environment.items()),
             "/bin/sh", "-c", TELL_THE_END, "sh", *command],
            env=self.environment, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        self.unread = b""
        self.block()  # of new-session itself

    def program(self):
        return ["tmux", "-u", "-S", str(self.folder / "socket")]

    def line(self):
        while b"\n" not in self.unread:
            ready, _, _ = select.select([self.control.stdout], [], [], PATIENCE)
            if not ready:
                raise AssertionError(f"nothing more is shown:\n{self.last}")
            more = os.read(self.control.stdout.fileno(), 65536)
            if not more:
                raise AssertionError("tmux has ended")
            self.unread += more
        line, self.unread = self.unread.split(b"\n", 1)
        return line.decode(errors="replace").rstrip("\r")

    def block(self):
        """What tmux answers to one command."""
        self.last = ""
        lines = None
        while True:
            line = self.line()
            if line.startswith("%begin") and lines is None:
                lines = []
            elif lines is not None and re.match(r"%(end|error) \d+ \d+", line):
                if line.startswith("%error"):
                    raise AssertionError("\n".join(lines))
                return lines
            elif lines is not None:
                lines.append(line)

    def tell(self, command):
        self.control.stdin.write(command.encode() + b"\n")
        self.control.stdin.flush()
        return self.block()

    def type(self, text):
        """Keys as bytes; ordinary words as they are."""
        keys = text.encode() if isinstance(text, str) else text
        for at in range(0, len(keys), 500):
            self.tell("send-keys -H " + " ".join(f"{key:02x}" for key in keys[at:at + 500]))

    def paste(self, text):
        """As a terminal does it for who has asked to be told what is pasted."""
        (self.folder / "paste").write_bytes(text.encode())
        self.tell(f"load-buffer {self.folder / 'paste'}")
        self.tell("paste-buffer -p -r")

    def resize(self, columns, rows=24):
        self.tell(f"resize-window -x {columns} -y {rows}")

    def screen(self, above=False):
        """The lines that are shown; with those that have scrolled away `above`."""
        lines = self.tell("capture-pane -p" + (" -S -" if above else ""))
        return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"

    def wait_for(self, text, above=False):
        """The screen, as soon as it has the text, or matches the pattern."""
        found = text.search if isinstance(text, re.Pattern) else lambda screen: text in screen
        while True:
            screen = self.last = self.screen(above)
            if found(screen):
                return screen
            while not self.line().startswith(("%output", "%exit", "%layout-change")):
                pass

    def wait_for_end(self):
        return self.wait_for(re.compile(r"\[ended with -?[0-9]+\]"))

    def close(self):
        subprocess.run([*self.program(), "kill-server"], env=self.environment, check=False,
                       capture_output=True)
        self.control.stdin.close()
        self.control.wait()
        self.control.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)
