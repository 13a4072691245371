# SPDX-License-Identifier: MIT
"""Processes with numbers of our choice, and programs that are held at each of their system calls.
For Linux and root. All of one process has to be done by one thread, as a tracer is a thread."""

import ctypes
import os
import signal
import struct
from contextlib import suppress
from pathlib import Path

# Does not release the interpreter's lock: the child of a clone has only the calling thread.
LIBC = ctypes.PyDLL(None, use_errno=True)
SYS_CLONE3 = 435  # on every architecture
PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_SYSCALL = 0x4206, 0x4207, 24
PTRACE_GET_SYSCALL_INFO = 0x420E
PTRACE_O_TRACESYSGOOD, PTRACE_O_TRACECLONE, PTRACE_O_EXITKILL = 1, 8, 1 << 20
SYSCALL_ENTRY = 1
WALL = 0x40000000  # __WALL: threads, too
PR_SET_DUMPABLE = 4
CAP_SYS_PTRACE = 19
LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
LIBC.ptrace.restype = ctypes.c_long
LIBC.syscall.restype = ctypes.c_long


def check(result, what):
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def fork_as(number):
    """fork(), whose child gets that number. FileExistsError while somebody has it."""
    numbers = (ctypes.c_int * 1)(number)
    # struct clone_args: exit_signal is the fifth, set_tid and set_tid_size the ninth and tenth.
    arguments = (ctypes.c_uint64 * 11)(0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0,
                                       ctypes.addressof(numbers), 1, 0)
    return check(LIBC.syscall(SYS_CLONE3, ctypes.byref(arguments), ctypes.sizeof(arguments)),
                 f"cannot start a process {number}")


def sleeper(number):
    """A process of that number, in a session of its own, that any signal ends."""
    ready, theirs = os.pipe()  # closed by exec: then it is in its session
    pid = fork_as(number)
    if pid == 0:
        become_sleeper()
    os.close(theirs)
    os.read(ready, 1)
    os.close(ready)
    return pid


def become_sleeper():
    try:
        os.setsid()
        for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(each, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.execv("/bin/sleep", ["sleep", "600"])
    finally:
        os._exit(1)


def system_call(pid):
    """(number, arguments) of the call that a stopped thread is about to make; None after it."""
    info = ctypes.create_string_buffer(88)
    check(LIBC.ptrace(PTRACE_GET_SYSCALL_INFO, pid, len(info), ctypes.cast(info, ctypes.c_void_p)),
          "cannot see the system call")
    if info.raw[0] != SYSCALL_ENTRY:
        return None
    number, *arguments = struct.unpack_from("7Q", info, 24)
    return number, arguments


def go_on(pid, status):
    """Lets a stopped thread run to its next stop; a signal that stopped it is delivered."""
    stop, event = os.WSTOPSIG(status), status >> 16
    deliver = 0 if event or stop == signal.SIGTRAP | 0x80 else stop
    return LIBC.ptrace(PTRACE_SYSCALL, pid, None, deliver) == 0


def is_system_call(status):
    return os.WIFSTOPPED(status) and os.WSTOPSIG(status) == signal.SIGTRAP | 0x80


def seize(pid, options=0):
    """Stops a running process and makes it stop at its system calls."""
    check(LIBC.ptrace(PTRACE_SEIZE, pid, None, PTRACE_O_TRACESYSGOOD | options),
          f"cannot trace {pid}")
    check(LIBC.ptrace(PTRACE_INTERRUPT, pid, None, None), f"cannot stop {pid}")
    return os.waitpid(pid, WALL)[1]


def has_capability(number):
    line = next(line for line in Path("/proc/self/status").read_text().splitlines()
                if line.startswith("CapEff:"))
    return bool(int(line.split()[1], 16) >> number & 1)


def why_no_tracing():
    """Why programs that are not dumpable cannot be traced here; None where they can. Tries it with
    one, as what forbids it (Yama, a filter of system calls, an old kernel) can have many names."""
    if not has_capability(CAP_SYS_PTRACE):
        return "CAP_SYS_PTRACE is missing"
    ready, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            LIBC.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
            os.close(theirs)
            signal.pause()
        finally:
            os._exit(1)
    os.close(theirs)
    os.read(ready, 1)
    os.close(ready)
    try:
        seize(pid)
        system_call(pid)
        os.close(os.open(f"/proc/{pid}/mem", os.O_RDONLY))
    except OSError as failure:
        return str(failure)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, WALL)
    return None


class Traced:
    """A process of one thread that stops at the beginning of each of its system calls."""

    def __init__(self, pid):
        self.pid = pid
        self.status = seize(pid)
        self.memory = os.open(f"/proc/{pid}/mem", os.O_RDONLY | os.O_CLOEXEC)

    def calls(self):
        """The arguments of each call, before it is made; ends with the process."""
        while go_on(self.pid, self.status):
            _, self.status = os.waitpid(self.pid, WALL)
            if not os.WIFSTOPPED(self.status):
                break
            if is_system_call(self.status) and (call := system_call(self.pid)) is not None:
                yield call[1]
        os.close(self.memory)

    def names(self, arguments, number):
        """Whether a call has the number, or a path below /proc that begins with it, in it."""
        return any(argument & 0xFFFFFFFF == number or self.path(argument).startswith(
            (f"/proc/{number}/", f"/proc/{number}\0")) for argument in arguments)

    def path(self, address):
        with suppress(OSError, OverflowError):
            return os.pread(self.memory, 64, address).decode("latin-1")
        return ""


class TracedProgram:
    """A program of many threads, from its start. `at_call(self, number, arguments)` sees each call
    before it is made, while its thread stands still, and says whether to let it wait until all other
    threads sleep. Other processes are not seen."""

    def __init__(self, command, env, cwd):
        self.killed = False
        self.held = None
        read_end, write_end = os.pipe()
        go, theirs = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.read(go, 1)
                os.dup2(write_end, 1)
                os.dup2(os.open(os.devnull, os.O_RDWR), 0)
                os.chdir(cwd)
                os.execve(command[0], command, env)
            finally:
                os._exit(127)
        os.close(write_end)
        os.close(go)
        self.release = theirs
        os.set_blocking(read_end, False)
        self.stdout = read_end
        self.printed = b""

    def run(self, at_call):
        """Returns the exit code; a negative one is the signal."""
        go_on(self.pid, seize(self.pid, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL))
        os.write(self.release, b"x")
        while True:
            pid, status = self.next_stop()
            if not os.WIFSTOPPED(status):
                if pid != self.pid:
                    continue
                self.output()
                os.close(self.stdout)
                os.close(self.release)
                return os.waitstatus_to_exitcode(status)
            is_call = is_system_call(status) and not self.killed
            if is_call and (call := system_call(pid)) is not None and at_call(self, *call):
                self.held = pid, status
            else:
                go_on(pid, status)

    def next_stop(self):
        while self.held:
            pid, status = os.waitpid(-1, WALL | os.WNOHANG)
            if pid != 0:
                return pid, status
            if self.others_sleep():
                held, self.held = self.held, None
                go_on(*held)
        return os.waitpid(-1, WALL)

    def others_sleep(self):
        def state(thread):
            with suppress(OSError):
                return Path(f"/proc/{self.pid}/task/{thread}/stat").read_text().rpartition(")")[2][1]
            return "S"  # it has ended

        return all(int(thread) == self.held[0] or state(thread) == "S"
                   for thread in os.listdir(f"/proc/{self.pid}/task"))

    def kill(self):
        """The call that is about to be made is not."""
        self.killed = True
        os.kill(self.pid, signal.SIGKILL)

    def output(self):
        """All that it has printed up to now."""
        with suppress(BlockingIOError):
            while piece := os.read(self.stdout, 1 << 16):
                self.printed += piece
        return self.printed

    def memory(self, address, size):
        with open(f"/proc/{self.pid}/mem", "rb", buffering=0) as memory:
            return os.pread(memory.fileno(), size, address)

    def text(self, address):
        """A string that ends in a NUL."""
        page = 4096 - address % 4096  # what lies behind it may not be there
        found = self.memory(address, page)
        return (found if b"\0" in found else found + self.memory(address + page, 4096)).split(b"\0")[
            0].decode("utf-8", "replace")

    def file(self, descriptor):
        """The path of an open file; a name in brackets for what has none."""
        try:
            return os.readlink(f"/proc/{self.pid}/fd/{descriptor & 0xFFFFFFFF}")
        except OSError:
            return "[closed]"
