#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hosts that read slowly, not at all, or start the program in odd ways (H-01 to H-11; the table in
docs/faults.md says which test proves which case).

    host_test.py BINARY [--sanitized]
"""

import fcntl
import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import line_rules  # noqa: E402
from scripted_agent import command_line, environment  # noqa: E402
from stream_host import scratch  # noqa: E402
from streaming_gemini import Gemini, call, text  # noqa: E402

BINARY = None
SANITIZED = False
MEGABYTE = 1_000_000

# What a command has; Python itself changes nothing about these signals.
PROBE = """
import json, os, signal
def is_open(number):
    try:
        os.fstat(number)
        return True
    except OSError:
        return False
print(json.dumps({
    "open": [number for number in range(12000) if is_open(number)],
    "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    "ignored": [int(one) for one in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP)
                if signal.getsignal(one) == signal.SIG_IGN]}))
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.home = scratch(self)
        self.gemini = Gemini()
        self.addCleanup(self.gemini.close)

    def start(self, replies, *flags, prompt=("go",), **more):
        self.gemini.expect(replies)
        more = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **more}
        process = subprocess.Popen(
            command_line(BINARY, self.gemini, *flags, "-p", *prompt),
            env=environment(self.home), cwd=self.home, **more)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                self.addCleanup(stream.close)
        return process

    def checked(self, data):
        """The lines of a whole output."""
        self.assertTrue(data.endswith(b"\n"), data[-200:])
        lines = [line_rules.check_bytes(self, line) for line in data.splitlines()]
        self.assertEqual([line["type"] for line in lines].count("result"), 1)
        self.assertEqual(lines[-1]["type"], "result")
        return lines

    def text_of(self, lines):
        return "".join(block["text"] for block in line_rules.blocks(lines, "text", "assistant"))


def small_pipe(nonblocking=False):
    """A pipe of one page; its writing end is the child's."""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, 1031, 4096)  # F_SETPIPE_SZ
    if nonblocking:
        os.set_blocking(writer, False)
    return reader, writer


def has_ended(pid):
    """Within ten seconds; a kill takes a moment."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], 10)[0])
    finally:
        os.close(descriptor)


class SlowReaders(Case):
    def read_in_drops(self, nonblocking):
        """10 MB through a pipe of one page, a little at a time."""
        reader, writer = small_pipe(nonblocking)
        self.addCleanup(os.close, reader)
        words = "".join(f"word {number} " for number in range(1000))
        process = self.start([[text(words) for _ in range(MEGABYTE // len(words) * 10)]], stdout=writer)
        os.close(writer)
        data = bytearray()
        while piece := os.read(reader, 1500):
            data += piece
        self.assertEqual(process.wait(60), 0)
        said = self.text_of(self.checked(bytes(data)))
        self.assertEqual(said, words * (MEGABYTE // len(words) * 10))

    def test_h01_nothing_is_lost(self):
        self.read_in_drops(nonblocking=False)

    def test_h03_nothing_is_lost_on_a_pipe_that_does_not_block(self):
        self.read_in_drops(nonblocking=True)

    def test_h02_a_reader_that_stops_stops_the_server(self):
        """The server's bytes do not gather in memory: at some point it cannot send any more."""
        stuck, go_on = threading.Event(), threading.Event()
        sent = 0
        words = "x" * 50_000
        test = self

        class Endless:
            """Sends until nobody takes it, and then as much as it had sent."""

            @staticmethod
            def stream(connection):
                nonlocal sent
                event = {"candidates": [{"content": {"role": "model", "parts": [{"text": words}]}}]}
                data = b"data: " + json.dumps(event).encode() + b"\r\n\r\n"
                chunk = b"%x\r\n%s\r\n" % (len(data), data)
                connection.settimeout(3)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
                rest = b""
                try:
                    while sent < 200 * MEGABYTE:
                        rest = chunk
                        while rest:
                            rest = rest[connection.send(rest):]
                        sent += len(words)
                except TimeoutError:
                    pass
                stuck.set()
                go_on.wait(60)
                connection.settimeout(60)
                connection.sendall(rest)
                end = b'data: {"candidates":[{"content":{"parts":[{"text":"."}]},"finishReason":"STOP"}]}\r\n\r\n'
                connection.sendall(b"%x\r\n%s\r\n0\r\n\r\n" % (len(end), end))

        def serve(handler, _):
            handler.send_response(200)
            handler.send_header("Content-Type", "text/event-stream")
            handler.send_header("Transfer-Encoding", "chunked")
            handler.end_headers()
            handler.wfile.flush()
            Endless.stream(handler.connection)

        self.gemini.serve = serve
        reader, writer = small_pipe()
        process = self.start([], "--include-partial-messages", stdout=writer)
        os.close(writer)
        self.assertTrue(stuck.wait(120))
        self.assertLess(sent, 64 * MEGABYTE, "the server is held back")
        if not SANITIZED:
            status = Path(f"/proc/{process.pid}/status").read_text()
            [peak] = [line for line in status.splitlines() if line.startswith("VmHWM:")]
            self.assertLess(int(peak.split()[1]) * 1024, 96 * MEGABYTE)
        go_on.set()
        with os.fdopen(reader, "rb") as stream:
            data = stream.read()
        self.assertEqual(process.wait(60), 0)
        test.checked(data)
        print(f"held back after {sent:,} bytes")


class LostReaders(Case):
    def test_h04_a_reader_that_goes_away_ends_program_and_command(self):
        os.mkfifo(self.home / "begun")
        process = self.start([[call("Bash", command="echo $$ > pid; echo > begun; exec sleep 300")],
                              [text("Done.")]], stderr=subprocess.PIPE)
        with open(self.home / "begun", "rb"):  # opens when the command does
            process.stdout.close()
        self.assertEqual(process.wait(30), 1)
        self.assertLessEqual(len(process.stderr.read().splitlines()), 1)
        self.assertTrue(has_ended(int((self.home / "pid").read_text())), "the command is gone")

    def test_h05_stderr_that_nobody_reads_stops_nothing(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"x" * 4096)
        except BlockingIOError:
            pass
        os.set_blocking(writer, True)
        process = self.start([[call("Bash", command="echo hi")], [text("Done.")]], "--debug",
                             stderr=writer)
        os.close(writer)
        data = process.stdout.read()
        self.assertEqual(process.wait(60), 0)
        self.checked(data)

    def test_h05_stderr_that_is_closed_stops_nothing(self):
        process = self.start([[text("Done.")]], "--debug", preexec_fn=lambda: os.close(2))
        data = process.stdout.read()
        self.assertEqual(process.wait(60), 0)
        self.checked(data)


    def test_h07_the_debug_log_says_what_did_not_fit_a_tool(self):
        log = self.home / "debug.log"
        process = self.start([[call("Read", offset="x", colour="red")], [text("Done.")]],
                             "--debug-file", str(log))
        self.checked(process.stdout.read())
        self.assertEqual(process.wait(60), 0)
        said = log.read_text()
        for part in ("InputValidationError: Read failed", "`file_path` is missing",
                     "unexpected parameter `colour`", '"offset": "x"'):
            self.assertIn(part, said)


class OddStreams(Case):
    def test_h06_a_file(self):
        with open(self.home / "out", "wb") as out:
            self.assertEqual(self.start([[text("Done.")]], stdout=out).wait(60), 0)
        self.checked((self.home / "out").read_bytes())

    def test_h06_a_socket(self):
        ours, theirs = socket.socketpair()
        self.addCleanup(ours.close)
        process = self.start([[text("Done. " * 50_000)]], stdout=theirs.fileno())
        theirs.close()
        with ours.makefile("rb") as stream:
            data = stream.read()
        self.assertEqual(process.wait(60), 0)
        self.checked(data)

    def test_h06_a_device_that_is_full(self):
        with open("/dev/full", "wb") as full:
            process = self.start([[text("Done.")]], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(process.wait(60), 1)
        self.assertLessEqual(len(process.stderr.read().splitlines()), 1)

    def test_h06_a_terminal(self):
        master, slave = os.openpty()
        self.addCleanup(os.close, master)
        process = self.start([[text("Done.")]], stdout=slave)
        os.close(slave)
        data = b""
        try:
            while piece := os.read(master, 65536):
                data += piece
        except OSError:
            pass  # the other end is closed
        self.assertEqual(process.wait(60), 0)
        self.checked(data.replace(b"\r\n", b"\n"))

    def test_h07_streams_that_are_closed_at_the_start(self):
        """No file that is opened later may get their numbers, and so our lines."""
        def close_all():
            for number in (0, 1, 2):
                os.close(number)

        (self.home / "old.txt").write_text("old\n")
        process = self.start([[call("Read", file_path="old.txt")],
                              [call("Edit", file_path="old.txt", old_string="old", new_string="new")],
                              [call("Bash", command="echo out; echo err >&2; echo three >> three")],
                              [text("Done.")]],
                             stdin=None, stdout=None, preexec_fn=close_all)
        self.assertIn(process.wait(60), (0, 1))
        self.assertEqual((self.home / "old.txt").read_text(), "new\n")
        self.assertEqual((self.home / "three").read_text(), "three\n")
        for path in (self.home / ".claude").rglob("*.jsonl"):
            for line in path.read_text().splitlines():
                self.assertNotEqual(json.loads(line)["type"], "result")

    def test_h08_inherited_descriptors_and_signals(self):
        """A command gets neither the descriptors nor the signals that we were started with."""
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        most = min(hard if hard != resource.RLIM_INFINITY else 10_100, 10_100)

        def inherit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            for number in range(10, most - 64):
                os.dup2(0, number, inheritable=True)
            for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))

        (self.home / "probe.py").write_text(PROBE)
        process = self.start([[call("Bash", command=f"{sys.executable} probe.py")], [text("Done.")]],
                             preexec_fn=inherit, close_fds=False)
        lines = self.checked(process.stdout.read())
        self.assertEqual(process.wait(60), 0)
        [said] = [block["content"] for block in line_rules.blocks(lines, "tool_result", "user")]
        self.assertEqual(json.loads(said), {"open": [0, 1, 2], "blocked": [], "ignored": []})

    def test_h09_a_long_result_is_one_line(self):
        process = self.start([[call("Bash", command="head -c 5000000 /dev/zero | tr '\\0' x"),
                               call("Bash", command="head -c 200000 /dev/urandom")], [text("Done.")]])
        lines = self.checked(process.stdout.read())
        self.assertEqual(process.wait(60), 0)
        self.assertEqual(len(list(line_rules.blocks(lines, "tool_result", "user"))), 2)


class Arguments(Case):
    def sent(self, prompt):
        process = self.start([[text("Done.")]], prompt=[prompt])
        lines = self.checked(process.stdout.read())
        process.wait(60)
        return lines, self.gemini.requests

    def test_h11_a_long_prompt(self):
        words = "word " * 25_000  # the system's limit for one argument is 128 KiB
        _, [request] = self.sent(words)
        self.assertIn(words.strip(), str(request["contents"]))

    def test_h11_bytes_that_are_no_text(self):
        _, [request] = self.sent(b"a \xff\xfe b")
        json.dumps(request, ensure_ascii=False).encode("utf-8")
        self.assertIn("a ", str(request["contents"]))

    def test_h11_an_empty_prompt_is_an_error_with_words(self):
        process = self.start([], prompt=[""], stderr=subprocess.PIPE)
        self.assertEqual(process.stdout.read(), b"")
        self.assertIn(b"Input must be provided", process.stderr.read())
        self.assertEqual(process.wait(60), 1)
        self.assertEqual(self.gemini.requests, [])

    def test_h11_words_behind_two_dashes_are_no_flags(self):
        process = self.start([[text("Done.")]], prompt=["--", "--model"])
        self.checked(process.stdout.read())
        self.assertEqual(process.wait(60), 0)
        [request] = self.gemini.requests
        self.assertIn("--model", str(request["contents"]))

    def test_h12_a_program_that_cannot_begin_takes_the_hosts_first_lines(self):
        # More than a pipe holds: whoever writes it needs a reader.
        first = json.dumps({"type": "control_request", "request_id": "i", "request": {
            "subtype": "initialize", "systemPrompt": "words " * 100_000}}).encode() + b"\n"
        for flags in (["--resume", "00000000-0000-4000-8000-000000000000"],
                      ["--session-id", "no uuid"], ["--max-turns", "many"]):
            with self.subTest(flags):
                process = self.start([], "--input-format", "stream-json", *flags,
                                     stdin=subprocess.PIPE, stderr=subprocess.PIPE)
                process.stdin.write(first)  # a broken pipe is an exception
                process.stdin.close()
                process.stdout.read()
                self.assertIn(process.wait(60), (1, 2))
                self.assertEqual(self.gemini.requests, [])


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    SANITIZED = "--sanitized" in sys.argv
    unittest.main(argv=sys.argv[:1], verbosity=2)
