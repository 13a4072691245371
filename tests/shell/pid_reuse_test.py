#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A process that was given the number of one of a command's dead processes is never signalled.

    pid_reuse_test.py BINARY

Runs in a pid namespace of its own, where numbers can be chosen. The supervisor of a command is held
at each of its system calls, and while it stands there a process that it is about to signal dies, is
reaped, and its number goes to an innocent one, the leader of a session of the same number. Exits
with 77 where such a namespace cannot be had, or where in it numbers cannot be chosen or processes not
be traced.
"""

import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from scripted_agent import call, command_line, environment, serve  # noqa: E402
from traced_process import Traced, fork_as, sleeper, why_no_tracing  # noqa: E402

BINARY = None
NOT_HERE = 77
DELAYS = 24  # more system calls than the supervisor makes for one process
PATIENCE = 60
# Every number here is larger than an argument of a system call that happens to look like one.
FIRST_ORDINARY, FIRST_CHOSEN = 10_000, 20_000
chosen = itertools.count(FIRST_CHOSEN)


class Tree:
    """The command's side: the parent of the victims, which lets them die and reaps them."""

    def __init__(self, path):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        link = socket.socket(socket.AF_UNIX)
        link.connect(path)
        with link, link.makefile("rw") as self.stream:
            self.tell(os.getpid())
            for line in self.stream:
                verb, number = line.split()
                self.tell(getattr(self, verb)(int(number)))

    def tell(self, value):
        print(value, file=self.stream, flush=True)

    def retire(self, number):
        os.kill(number, signal.SIGKILL)
        return os.waitpid(number, 0)[0]

    def take(self, number):
        return sleeper(number)

    def echo(self, number):
        return number


class Command:
    """One yume-cli that runs one command, whose tree does what it is told."""

    def __init__(self, command):
        self.directory = tempfile.TemporaryDirectory()
        home = Path(self.directory.name)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(home / "link"))
        self.listener.listen()
        self.listener.settimeout(PATIENCE)
        tree = f"{sys.executable} -B {Path(__file__).resolve()} --tree {home / 'link'}"
        self.server = serve([call("Bash", command=command.replace("TREE", tree))])
        self.process = subprocess.Popen(
            command_line(BINARY, self.server, "--input-format", "stream-json"),
            env=environment(home), cwd=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.send({"type": "user", "message": {"role": "user", "content": "go"}})
        link = self.listener.accept()[0]
        self.stream = link.makefile("rw")
        link.close()
        self.tree = int(self.stream.readline())

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, verb, number):
        """Waits until the tree has done it."""
        print(verb, number, file=self.stream, flush=True)
        if int(self.stream.readline()) != number:
            raise AssertionError(f"{verb} {number} failed")

    def tree_lives(self):
        """Asks it: who was sent a KILL is dead when it does not answer."""
        try:
            self.ask("echo", 1)
        except (OSError, ValueError):
            return False
        return True

    def interrupt(self):
        self.send({"type": "control_request", "request_id": "i", "request": {"subtype": "interrupt"}})

    def result(self):
        return next(line for line in map(json.loads, self.process.stdout) if line["type"] == "result")

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.kill()
        self.process.wait()
        with suppress(BrokenPipeError):
            self.stream.close()
        self.listener.close()
        self.server.close()
        self.directory.cleanup()


def innocent_below(guardian, number):
    """An innocent process of that number whose parent is a process with the guardian's."""
    ready, theirs = os.pipe()
    if fork_as(guardian) == 0:
        try:
            os.setsid()
            sleeper(number)
            os.close(theirs)
            signal.pause()
        finally:
            os._exit(1)
    os.close(theirs)
    os.read(ready, 1)
    os.close(ready)


class PidReuse(unittest.TestCase):
    def setUp(self):
        self.victims = list(itertools.islice(chosen, DELAYS))
        # The last one has the shortest: all are over before the supervisor has gone through them.
        self.delays = dict(zip(self.victims, reversed(range(DELAYS))))
        self.innocent = []

    def tearDown(self):
        for number in self.innocent:
            os.kill(number, signal.SIGKILL)
            os.waitpid(number, 0)

    def expect_innocent_ones_alive(self):
        dead = {number: status for number in list(self.innocent)
                for pid, status in [os.waitpid(number, os.WNOHANG)] if pid == number}
        self.innocent = [number for number in self.innocent if number not in dead]
        self.assertEqual({number: os.waitstatus_to_exitcode(status)
                          for number, status in dead.items()}, {}, "signalled")

    def exchange(self, command, number):
        command.ask("retire", number)
        self.innocent.append(sleeper(number))

    def each_call_after_naming(self, supervisor, start):
        """(victim, how many calls ago it was named first, itself included), for each call."""
        named = {}
        start()
        for position, arguments in enumerate(supervisor.calls()):
            for number in self.victims:
                if number not in named and supervisor.names(arguments, number):
                    named[number] = position
            for number, first in named.items():
                yield number, position - first
        self.assertEqual(len(named), len(self.victims), "the supervisor did not see all victims")

    def command_with_victims(self):
        command = self.start("exec TREE")
        for number in self.victims:
            command.ask("take", number)
        return command, Traced(number_of_parent(command.tree))

    def start(self, text):
        command = Command(text)
        self.addCleanup(command.end)
        return command

    def test_a_descendant_that_is_exchanged_while_it_is_being_signalled(self):
        """Each victim after another number of system calls, beginning with the one that names it."""
        command, supervisor = self.command_with_victims()
        for number, ago in self.each_call_after_naming(supervisor, command.interrupt):
            if ago == self.delays[number]:
                self.exchange(command, number)
        # In the tools, or elsewhere if all this took so long that yume-cli did not wait for the end.
        self.assertIn(command.result()["terminal_reason"], ("aborted_tools", "aborted_streaming"))
        self.assertEqual(len(self.innocent), DELAYS)
        self.expect_innocent_ones_alive()

    def test_a_descendant_that_is_exchanged_before_its_parent_is_killed(self):
        """KILL, as yume-cli is gone: the parent can reap nobody once it is dead itself."""
        command, supervisor = self.command_with_victims()
        command.process.kill()
        waiting = list(self.victims)
        listed = False
        for arguments in supervisor.calls():
            listed = listed or supervisor.names(arguments, command.tree)
            if listed and waiting and command.tree_lives():
                self.exchange(command, waiting.pop())
        self.assertGreater(len(self.innocent), 4)
        self.assertGreater(len(waiting), 4)  # some died with their parent
        self.expect_innocent_ones_alive()

    def test_an_innocent_process_whose_parent_is_exchanged_for_one_of_ours(self):
        """Who asks for the parents one after the other may come from a stranger to the command."""
        command, supervisor = self.command_with_victims()
        guardians = dict(zip(self.victims, chosen))
        exchanged = 0
        for number, ago in self.each_call_after_naming(supervisor, command.interrupt):
            guardian = guardians[number]
            if ago == 0:
                command.ask("retire", number)
                innocent_below(guardian, number)
                self.innocent.append(number)  # ours when its parent dies: we are process 1
            if ago == self.delays[number] + 1:
                os.kill(guardian, signal.SIGKILL)
                os.waitpid(guardian, 0)
                command.ask("take", guardian)
                exchanged += 1
        self.assertEqual(exchanged, DELAYS)
        self.expect_innocent_ones_alive()

    def test_the_number_of_the_finished_command(self):
        """What the command has left behind is killed a moment after its end."""
        # The tree outlives the command in a session of its own, so that the number becomes free.
        command = self.start("echo $$ > number; mkfifo go; setsid TREE & read < go")
        home = Path(command.directory.name)
        number = int((home / "number").read_text())
        supervisor = Traced(number_of_parent(number))
        (home / "go").write_text("now\n")
        for _ in supervisor.calls():
            if not self.innocent:
                try:
                    self.innocent.append(sleeper(number))
                except FileExistsError:
                    pass  # not reaped yet
                else:
                    command.ask("take", self.victims[0])  # there is somebody left to be killed
        self.assertEqual(command.result()["subtype"], "success")
        self.assertEqual(len(self.innocent), 1)
        self.assertFalse(Path(f"/proc/{self.victims[0]}").exists())
        self.expect_innocent_ones_alive()

    def test_the_test_would_notice(self):
        self.innocent.append(sleeper(self.victims[0]))
        os.kill(self.victims[0], signal.SIGTERM)
        os.waitid(os.P_PID, self.victims[0], os.WEXITED | os.WNOWAIT)
        with self.assertRaisesRegex(AssertionError, "signalled"):
            self.expect_innocent_ones_alive()


def number_of_parent(number):
    return int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])


def enter_namespace(binary):
    """Does not return."""
    unshare = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.getuid() != 0:
        unshare += ["--user", "--map-root-user"]
    tried = subprocess.run([*unshare, "true"], capture_output=True, text=True)
    if tried.returncode != 0:
        print("skipped: no pid namespace for this user:", tried.stderr.strip())
        sys.exit(NOT_HERE)
    os.execvp("unshare", [*unshare, sys.executable, "-B", __file__, "--inside", binary])


def why_not_inside():
    """Why the test cannot be done in the namespace we are in; None if it can. Sets the numbers."""
    try:
        Path("/proc/sys/kernel/ns_last_pid").write_text(str(FIRST_ORDINARY))
        tried = fork_as(FIRST_CHOSEN - 1)
        if tried == 0:
            os._exit(0)
        os.waitpid(tried, 0)
    except OSError as failure:
        return f"numbers of processes cannot be chosen: {failure}"
    reason = why_no_tracing()
    return reason and f"processes cannot be traced: {reason}"


if __name__ == "__main__":
    if sys.argv[1] == "--tree":
        Tree(sys.argv[2])
    elif sys.argv[1] == "--inside":
        BINARY = sys.argv[2]
        del sys.argv[1:3]
        if (reason := why_not_inside()) is not None:
            print("skipped:", reason)
            sys.exit(NOT_HERE)
        unittest.main(verbosity=0)
    else:
        enter_namespace(str(Path(sys.argv[1]).resolve()))
