# SPDX-License-Identifier: MIT
"""A program on a real pseudo-terminal: what a person sees, and the keys that they press."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios

from virtual_terminal import seen

PATIENCE = int(os.environ.get("PATIENCE", "60"))  # seconds; only a hang takes so long
CTRL_C = b"\x03"
CTRL_D = b"\x04"


class OnTerminal:
    """A program whose three streams are one terminal, and which the terminal's keys reach."""

    def __init__(self, command, environment, cwd, columns=100):
        self.shown = b""
        self.columns = columns
        self.looked_at = 0  # of what was shown; texts are waited for behind it
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.chdir(cwd)
            os.execve(command[0], ["yume-cli", *command[1:]], environment)

    def read(self):
        """False at the end."""
        ready, _, _ = select.select([self.terminal], [], [], PATIENCE)
        if not ready:
            os.kill(self.pid, signal.SIGKILL)
            raise AssertionError(f"hangs; shown so far: {self.shown}")
        try:
            more = os.read(self.terminal, 4096)
        except OSError:  # how Linux tells that nobody has the terminal open any more
            return False
        self.shown += more
        return more != b""

    def wait_for(self, text):
        """Until the text is shown, once more than it was waited for before."""
        while (found := self.shown.find(text, self.looked_at)) < 0:
            if not self.read():
                raise AssertionError(f"ended before {text}: {self.shown}")
        self.looked_at = found + len(text)

    def type(self, keys):
        os.write(self.terminal, keys)

    def type_all(self, keys):
        """As much as the terminal does not take at once."""
        while keys:
            keys = keys[os.write(self.terminal, keys[:4096]):]

    def type_after(self, text, keys):
        self.wait_for(text)
        self.type(keys)

    def settings(self):
        """Of the terminal, as its other end has left them."""
        return termios.tcgetattr(self.terminal)

    def seen(self):
        """As a person sees it now, without colours."""
        return seen(self.shown.decode(errors="replace"), self.columns)

    def end_seen(self):
        code, _ = self.end()
        return code, self.seen()

    def end(self):
        while self.read():
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(status), self.shown.decode().replace("\r\n", "\n")
