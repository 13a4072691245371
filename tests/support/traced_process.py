# SPDX-License-Identifier: MIT
"""Processes with numbers of our choice, and a process that is held at each of its system calls. For
Linux, root of a pid namespace and one thread: a tracer is a thread."""

import ctypes
import os
import signal
import struct
from contextlib import suppress

# Does not release the interpreter's lock: the child of a clone has only the calling thread.
LIBC = ctypes.PyDLL(None, use_errno=True)
SYS_CLONE3 = 435  # on every architecture
PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_SYSCALL, PTRACE_DETACH = 0x4206, 0x4207, 24, 17
PTRACE_GET_SYSCALL_INFO, PTRACE_O_TRACESYSGOOD = 0x420E, 1
SYSCALL_ENTRY = 1
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


class Traced:
    """A process that stops at the beginning of each of its system calls."""

    def __init__(self, pid):
        self.pid = pid
        check(LIBC.ptrace(PTRACE_SEIZE, pid, None, PTRACE_O_TRACESYSGOOD), f"cannot trace {pid}")
        check(LIBC.ptrace(PTRACE_INTERRUPT, pid, None, None), f"cannot stop {pid}")
        os.waitpid(pid, 0x40000000)  # __WALL
        self.memory = os.open(f"/proc/{pid}/mem", os.O_RDONLY | os.O_CLOEXEC)

    def calls(self):
        """The arguments of each call, before it is made; ends with the process."""
        deliver = 0
        while True:
            if LIBC.ptrace(PTRACE_SYSCALL, self.pid, None, deliver) < 0:
                break
            _, status = os.waitpid(self.pid, 0x40000000)
            if not os.WIFSTOPPED(status):
                break
            stop, event = os.WSTOPSIG(status), status >> 16
            deliver = 0 if event or stop == signal.SIGTRAP | 0x80 else stop
            if stop == signal.SIGTRAP | 0x80 and (arguments := self.entry()) is not None:
                yield arguments
        os.close(self.memory)

    def entry(self):
        """The arguments, if the process is about to make a call; None when it comes from one."""
        info = ctypes.create_string_buffer(88)
        check(LIBC.ptrace(PTRACE_GET_SYSCALL_INFO, self.pid, len(info),
                          ctypes.cast(info, ctypes.c_void_p)), "cannot see the system call")
        return struct.unpack_from("6Q", info, 32) if info.raw[0] == SYSCALL_ENTRY else None

    def names(self, arguments, number):
        """Whether a call has the number, or a path below /proc that begins with it, in it."""
        return any(argument & 0xFFFFFFFF == number or self.path(argument).startswith(
            (f"/proc/{number}/", f"/proc/{number}\0")) for argument in arguments)

    def path(self, address):
        with suppress(OSError, OverflowError):
            return os.pread(self.memory, 64, address).decode("latin-1")
        return ""
