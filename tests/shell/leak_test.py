#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No process outlives a Bash call that timed out or was interrupted, nor a yume-cli that was killed,
got a signal, or lost its host.

    leak_test.py BINARY

Every call starts descendants that hide in another session, another group, behind two forks, and
that ignore TERM. The test is a subreaper: what escapes becomes its child, so that waitpid tells.
YUME_LONG=1 in the environment chooses the long size.
"""

import ctypes
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402

BINARY = None
LONG = os.environ.get("YUME_LONG") == "1"
TIMEOUTS, INTERRUPTS, KILLS = (1000, 1000, 200) if LONG else (48, 32, 20)
SIDE_BY_SIDE = 16  # most of a timeout's time is the two seconds that TERM is given
HIDDEN = 7
PATIENCE = 10  # seconds until what was killed must be gone; the hidden ones would stay for longer

# Each hides in another way and writes one byte to descriptor 9 when it is there.
HIDE = r"""exec 9>FIFO
trap '' TERM HUP INT
stay='trap "" TERM HUP INT; printf x >&9; sleep 600; :'
bash -c "$stay" &
setsid bash -c "$stay" &
setsid setsid -f bash -c "$stay"
( ( bash -c "$stay" & ) & )
( setsid bash -c "($stay) & exit 0" & )
setsid -f bash -c "set -m; bash -c '$stay' & disown; exit 0"
bash -c "printf x >&9; while ((SECONDS < 600)); do sleep 0.05; done" &
disown -a
while :; do sleep 600; done"""


def become_subreaper():
    if ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot become a subreaper")


def event(part):
    reply = {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]}
    return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()


class Agent:
    """One yume-cli, the server it asks, and the fifo where its hidden processes report."""

    def __init__(self, calls, timeouts, flags=("-p", "--prompt", "go")):
        self.directory = tempfile.TemporaryDirectory()
        home = Path(self.directory.name)
        os.mkfifo(home / "fifo")
        self.fifo = os.open(home / "fifo", os.O_RDWR | os.O_CLOEXEC)
        command = HIDE.replace("FIFO", str(home / "fifo"))
        replies = itertools.chain(
            ({"functionCall": {"name": "Bash", "args": {"command": command, "timeout": timeout}}}
             for timeout in itertools.islice(timeouts, calls)),
            itertools.repeat({"text": "done"}))
        lock = threading.Lock()

        def answer(*_):
            with lock:
                return event(next(replies))

        self.server = Server(answer)
        self.process = subprocess.Popen(
            [BINARY, "--output-format", "stream-json", "--verbose", "--model", "gemini-3.8-flash",
             "--auth", "api-key", "--api-base", self.server.url, "--permission-mode",
             "bypassPermissions", *flags],
            env={"HOME": str(home), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                 "METADATA_SERVER_DETECTION": "none", "IS_SANDBOX": "1",
                 **{name: value for name, value in os.environ.items() if "SAN_OPTIONS" in name}},
            cwd=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def wait_until_all_hide(self):
        seen = 0
        while seen < HIDDEN:
            seen += len(os.read(self.fifo, HIDDEN - seen))

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def lines(self):
        return map(json.loads, self.process.stdout)

    def lose_host(self):
        """What the system does to a host's pipes when the host is gone."""
        self.process.stdin.close()
        self.process.stdout.close()

    def end(self):
        self.process.stdin.close()
        if not self.process.stdout.closed:
            self.process.stdout.read()
        self.process.stdout.close()
        code = self.process.wait(timeout=60)
        os.set_blocking(self.fifo, False)
        try:
            hidden = len(os.read(self.fifo, 1 << 16))
        except BlockingIOError:
            hidden = 0
        os.close(self.fifo)
        self.server.close()
        self.directory.cleanup()
        return code, hidden


def time_out(calls):
    """How many results told a timeout, and how many processes had hidden by then."""
    agent = Agent(calls, itertools.cycle([50, 100, 200, 400]))
    agent.process.stdin.close()
    told = sum("Command timed out" in json.dumps(line) for line in agent.lines()
               if line["type"] == "user")
    code, hidden = agent.end()
    return told if code == 0 else 0, hidden


def interrupt(calls):
    """How many turns ended in an interrupt while all were hiding."""
    agent = Agent(calls, itertools.repeat(600_000), ("--input-format", "stream-json"))
    lines = agent.lines()
    ended = 0
    for number in range(calls):
        agent.send({"type": "user", "message": {"role": "user", "content": "go"}})
        agent.wait_until_all_hide()
        agent.send({"type": "control_request", "request_id": f"i{number}",
                    "request": {"subtype": "interrupt"}})
        result = next(line for line in lines if line["type"] == "result")
        ended += result.get("terminal_reason") == "aborted_tools"
    return ended if agent.end()[0] == 1 else 0  # the last turn was an error


def kill(_):
    agent = Agent(1, itertools.repeat(600_000))
    agent.process.stdin.close()
    agent.wait_until_all_hide()
    agent.process.kill()
    return agent.end()[0] == -signal.SIGKILL


def signalled(number):
    """The exit code, and the types of the lines behind the call. Whether one of progress is among
    them depends on how long it took until all were hiding."""
    agent = Agent(1, itertools.repeat(600_000))
    agent.wait_until_all_hide()
    agent.process.send_signal(number)
    types = [line["type"] for line in agent.lines() if line["type"] != "tool_progress"]
    return agent.end()[0], types[types.index("assistant") + 1:]


def in_parallel(work, calls, calls_each):
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        return list(pool.map(work, [calls_each] * (calls // calls_each)))


def survivors():
    """Reaps what is dead; the command lines of those that stay alive, which are then killed."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] != 0:
                continue
        except ChildProcessError:
            return []
        left = deadline - time.monotonic()
        if left > 0:
            signal.sigtimedwait([signal.SIGCHLD], left)
            continue
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        found = [Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ") for pid in children]
        for pid in children:
            os.kill(int(pid), signal.SIGKILL)
        return found


class Leaks(unittest.TestCase):
    def tearDown(self):
        self.assertEqual(survivors(), [])

    def test_timeouts(self):
        each = 10 if LONG else 3
        results = in_parallel(time_out, TIMEOUTS, each)
        hidden = sum(hidden for _, hidden in results)
        print(f"{TIMEOUTS} timeouts, {hidden} processes had hidden")
        self.assertEqual([told for told, _ in results], [each] * (TIMEOUTS // each))
        self.assertGreater(hidden, TIMEOUTS)  # else there was nothing to leak

    def test_interrupts(self):
        each = 10 if LONG else 2
        results = in_parallel(interrupt, INTERRUPTS, each)
        print(f"{INTERRUPTS} interrupts, {HIDDEN} processes had hidden in each")
        self.assertEqual(results, [each] * (INTERRUPTS // each))

    def test_kills(self):
        results = in_parallel(kill, KILLS, 1)
        print(f"{KILLS} kills of yume-cli, {HIDDEN} processes had hidden in each")
        self.assertEqual(results, [True] * KILLS)

    def test_signals(self):
        """An interrupted turn has its result; what ends the program ends it at once."""
        self.assertEqual(signalled(signal.SIGINT), (0, ["user", "user", "result"]))
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            with self.subTest(number=number):
                self.assertEqual(signalled(number), (143, []))

    def test_lost_hosts(self):
        """The command is silent: no line is written that could fail."""
        for flags in (("-p", "--prompt", "go"), ("--provider", "gemini", "--prompt", "go"),
                      ("--input-format", "stream-json")):
            with self.subTest(flags=flags):
                agent = Agent(1, itertools.repeat(600_000), flags)
                if "--input-format" in flags:
                    agent.send({"type": "user", "message": {"role": "user", "content": "go"}})
                agent.wait_until_all_hide()
                agent.lose_host()
                self.assertEqual(agent.end()[0], 1)

    def test_the_test_would_notice(self):
        """A process that escapes is found."""
        global PATIENCE
        before, PATIENCE = PATIENCE, 0
        subprocess.run(["/bin/sh", "-c", "sleep 600 &"], check=True)
        found = survivors()
        PATIENCE = before
        self.assertEqual(len(found), 1)


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    become_subreaper()
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    unittest.main(verbosity=0)
