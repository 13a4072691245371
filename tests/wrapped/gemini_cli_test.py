#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`--strategy gemini-cli` with programs that write what the official Gemini CLI writes, and what it
writes when something goes wrong.

    gemini_cli_test.py BINARY
"""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

from wrapped_world import PATIENCE, World, interrupt_when

BINARY = None

# What every stand-in begins with: it notes how it was started, and can write lines.
PRELUDE = """
import json, os, pathlib, signal, subprocess, sys, time
world = pathlib.Path(os.environ["WORLD"])
prompt = sys.stdin.read()
with open(world / "started", "a") as file:
    file.write(json.dumps({"argv": sys.argv[1:], "prompt": prompt,
                           "no_relaunch": os.environ.get("GEMINI_CLI_NO_RELAUNCH"),
                           "key": os.environ.get("GEMINI_API_KEY")}) + "\\n")
def line(kind, **fields):
    print(json.dumps({"type": kind, "timestamp": "2026-08-01T10:00:00.000Z", **fields}), flush=True)
def init():
    line("init", session_id="8a7c1d9e-0000-4000-8000-000000000001", model="gemini-3.8-flash")
    line("message", role="user", content=prompt)
def say(text):
    line("message", role="assistant", content=text, delta=True)
def use(tool, id, **parameters):
    line("tool_use", tool_name=tool, tool_id=id, parameters=parameters)
def done(id, output=None, **fields):
    line("tool_result", tool_id=id, status="success", **({} if output is None else {"output": output}),
         **fields)
def end():
    line("result", status="success", stats={"total_tokens": 40, "input_tokens": 30, "output_tokens": 8,
         "cached": 10, "input": 20, "duration_ms": 5, "tool_calls": 0})
"""

SESSION = [
    {"sessionId": "8a7c1d9e-0000-4000-8000-000000000001", "projectHash": "x",
     "startTime": "2026-08-01T10:00:00.000Z", "lastUpdated": "2026-08-01T10:00:00.000Z"},
    {"id": "m1", "timestamp": "2026-08-01T10:00:00.000Z", "type": "gemini", "content": "",
     "toolCalls": [{"id": "read_file__1", "name": "read_file", "args": {"file_path": "a.txt"},
                    "status": "success", "timestamp": "2026-08-01T10:00:00.000Z",
                    "result": [{"functionResponse": {"id": "read_file__1", "name": "read_file",
                                                     "response": {"output": "alpha\n"}}}]}]}]


class GeminiCli(unittest.TestCase):
    def setUp(self):
        self.world = World(BINARY)
        self.addCleanup(self.world.close)

    def tearDown(self):
        self.assertEqual(self.world.processes(), [])

    def wrap(self, body):
        return ["--strategy", "gemini-cli", "--gemini-path",
                self.world.program("gemini", PRELUDE + body)]

    def started(self):
        return [json.loads(line) for line in (self.world.root / "started").read_text().splitlines()]

    def test_text_becomes_a_turn(self):
        run = self.world.run(*self.wrap("init()\nsay('Hel')\nsay('lo.')\nend()\n"), "hi")
        self.assertEqual((run.code, run.stderr, run.text()), (0, "", "Hello."))
        self.assertEqual([line["type"] for line in run.lines], ["system", "assistant", "result"])
        result = run.result()
        self.assertEqual((result["subtype"], result["is_error"], result["result"],
                          result["num_turns"]), ("success", False, "Hello.", 1))
        self.assertEqual((result["usage"]["input_tokens"],
                          result["usage"]["cache_read_input_tokens"],
                          result["usage"]["output_tokens"]), (20, 10, 10))
        (start,) = self.started()
        self.assertEqual(start["argv"], ["--output-format", "stream-json", "--approval-mode",
                                         "default", "--model", "gemini-3.8-flash"])
        self.assertEqual((start["prompt"], start["no_relaunch"], start["key"]),
                         ("hi", "true", "key"))

    def test_modes_are_approval_modes(self):
        wrapped = self.wrap("init()\nend()\n")
        for mode, expected in (("acceptEdits", "auto_edit"), ("bypassPermissions", "yolo"),
                               ("plan", "plan"), ("dontAsk", "default")):
            self.world.run(*wrapped, "--permission-mode", mode, "hi")
            argv = self.started()[-1]["argv"]
            self.assertEqual(argv[argv.index("--approval-mode") + 1], expected)

    TOOLS = """
init()
say('First.')
use('read_file', 'read_file__1', file_path='a.txt')
use('write_file', 'write_file__2', file_path='b.txt', content='x')
done('read_file__1', '')
done('write_file__2')
use('run_shell_command', 'run_shell_command__3', command='ls')
done('run_shell_command__3', 'a.txt')
say('Done.')
end()
"""

    def test_calls_and_results_are_paired_and_completed_from_the_session_file(self):
        chats = self.world.home / ".gemini/tmp/work/chats"
        chats.mkdir(parents=True)
        (self.world.home / ".gemini/projects.json").write_text(
            json.dumps({"projects": {str(self.world.work): "work"}}))
        (chats / "session-2026-08-01T10-00-8a7c1d9e.jsonl").write_text(
            "".join(json.dumps(line) + "\n" for line in SESSION))
        run = self.world.run(*self.wrap(self.TOOLS), "go")
        self.assertEqual(run.pairs(), [
            ("Read", {"file_path": "a.txt"}, "alpha\n", False),
            ("Write", {"file_path": "b.txt", "content": "x"}, "", False),
            ("Bash", {"command": "ls"}, "a.txt", False)])
        self.assertEqual((run.code, run.result()["num_turns"]), (0, 4))
        self.assertEqual(run.result()["files_written"], [str(self.world.work / "b.txt")])

    def test_every_dialect_ends_with_one_result(self):
        wrapped = self.wrap(self.TOOLS)
        for dialect in ("claude", "gemini", "yume", "yume-app"):
            run = self.world.run(*wrapped, "go", dialect=dialect)
            self.assertEqual((run.code, len(run.results())), (0, 1), dialect)

    def test_a_line_that_cannot_be_read_is_reported_and_skipped(self):
        run = self.world.run(*self.wrap(
            "print('Loaded cached credentials.')\ninit()\nsay('a')\nprint('{\"type\":')\n"
            "say('b')\nend()\n"), "hi")
        self.assertEqual((run.code, run.text()), (0, "ab"))
        said = json.dumps(run.lines)
        self.assertIn("Loaded cached credentials.", said)

    def test_an_end_without_a_result_is_an_error(self):
        run = self.world.run(*self.wrap("init()\nsay('Hi')\nuse('glob', 'g', pattern='*')\n"), "hi")
        self.assertEqual((run.code, run.result()["is_error"]), (1, True))
        self.assertIn("without a result (exit code 0)", json.dumps(run.lines))
        self.assertEqual(run.pairs()[0][3], True)

    def test_an_error_result_says_what_to_do(self):
        run = self.world.run(*self.wrap(
            "init()\nline('result', status='error', error={'type': 'unknown', 'message': "
            "'[API Error: {\"error\":{\"code\":401,\"status\":\"UNAUTHENTICATED\"}}]'})\nsys.exit(145)\n"),
            "hi")
        self.assertEqual((run.code, run.result()["is_error"]), (1, True))
        self.assertIn("UNAUTHENTICATED", run.result()["result"])
        self.assertIn("Run `gemini` once", run.result()["result"])

    def test_exit_codes_say_what_to_do(self):
        for code, said, words in (
                (41, "Please set an Auth method", "Run `gemini` once in a terminal and sign in"),
                (127, "", "npm install -g @google/gemini-cli"),
                (55, "untrusted", "trust it"), (42, "No input provided", "No input provided")):
            run = self.world.run(*self.wrap(
                f"print({said!r}, file=sys.stderr)\nsys.exit({code})\n"), "hi")
            self.assertEqual((run.code, run.result()["is_error"]), (1, True), code)
            self.assertIn(words, run.result()["result"])
            self.assertIn(said, run.result()["result"])

    def test_a_program_that_is_not_there(self):
        run = self.world.run("--strategy", "gemini-cli", "hi")
        self.assertEqual((run.code, run.result()["is_error"]), (1, True))
        self.assertIn("npm install -g @google/gemini-cli", run.result()["result"])
        run = self.world.run("--strategy", "gemini-cli", "--gemini-path", "nowhere", "hi")
        self.assertIn("nowhere", run.result()["result"])

    def test_it_never_wraps_itself(self):
        (self.world.root / "gemini").symlink_to(BINARY)
        self.world.environment["PATH"] = f"{self.world.root}:/usr/bin:/bin"
        run = self.world.run("--strategy", "gemini-cli", "hi")
        self.assertIn("no `gemini` was found", run.result()["result"])
        run = self.world.run("--strategy", "gemini-cli", "--gemini-path",
                             str(self.world.root / "gemini"), "hi")
        self.assertIn("cannot wrap itself", run.result()["result"])
        shim = self.world.root / "shim"
        shim.write_text(f'#!/bin/sh\nexec {BINARY} -p --strategy gemini-cli --gemini-path "$0" hi\n')
        shim.chmod(0o755)
        run = self.world.run("--strategy", "gemini-cli", "--gemini-path", str(shim), "hi")
        self.assertEqual((run.code, run.result()["is_error"]), (1, True))

    def test_a_prompt_of_any_size(self):
        prompt = "x" * 3_000_000
        (self.world.work / "prompt").write_text(prompt)
        run = self.world.run(*self.wrap("init()\nsay(str(len(prompt)))\nend()\n"), "--prompt-file",
                             "prompt")
        self.assertEqual(run.text(), "3000000")

    def test_a_later_turn_goes_on_with_the_session(self):
        wrapped = self.wrap("init()\nsay('yes')\nend()\n")
        messages = "".join(json.dumps({"type": "user", "message": {"role": "user", "content": text}})
                           + "\n" for text in ("one", "two"))
        child = self.world.start(*wrapped, "--input-format", "stream-json", stdin=subprocess.PIPE)
        first, second = messages.splitlines(keepends=True)
        child.stdin.write(first)
        child.stdin.flush()
        for line in child.stdout:
            if json.loads(line)["type"] == "result":
                break
        child.stdin.write(second)
        child.stdin.close()
        rest = child.stdout.read()
        child.stderr.close()
        child.stdout.close()
        self.assertEqual(child.wait(PATIENCE), 0)
        self.assertIn('"type":"result"', rest)
        starts = self.started()
        self.assertEqual([start["prompt"] for start in starts], ["one", "two"])
        self.assertEqual(starts[1]["argv"][-2:],
                         ["--resume", "8a7c1d9e-0000-4000-8000-000000000001"])

    def test_a_session_that_is_resumed_is_told_what_was_said(self):
        wrapped = self.wrap("init()\nsay('the answer')\nend()\n")
        first = self.world.run(*wrapped, "the question")
        second = self.world.run(*wrapped, "--resume", first.result()["session_id"], "and now")
        self.assertEqual(second.code, 0)
        prompt = self.started()[1]["prompt"]
        self.assertTrue(prompt.endswith("and now"), prompt)
        self.assertIn("User: the question", prompt)
        self.assertIn("Assistant: the answer", prompt)

    def test_an_interrupt_ends_the_whole_tree(self):
        self.world.expect_ready()
        child = self.world.start(*self.wrap(
            "init()\nuse('run_shell_command', 's', command='sleep')\n"
            "subprocess.Popen(['/bin/sh', '-c', 'sleep 600 & sleep 600'])\n"
            "(world / 'work/ready').write_text('x')\ntime.sleep(600)\n"), "hi")
        interrupt_when(child, self.world.ready)
        stdout, _ = child.communicate(timeout=PATIENCE)
        lines = [json.loads(line) for line in stdout.splitlines()]
        self.assertEqual(sum(line["type"] == "result" for line in lines), 1)
        self.assertIn("[Request interrupted by user for tool use]", stdout)
        self.assertEqual(self.world.processes(), [])

    def test_a_child_that_is_killed(self):
        run = self.world.run(*self.wrap(
            "init()\nsay('a')\nsys.stdout.flush()\nos.kill(os.getpid(), signal.SIGKILL)\n"), "hi")
        self.assertEqual((run.code, run.result()["is_error"]), (1, True))
        self.assertIn("SIGKILL", json.dumps(run.lines))

    def test_wrong_values_are_refused_with_the_right_ones(self):
        for flags, words in (
                (["--strategy", "x"], "gemini-rest, gemini-cli, acp-agent"),
                (["--gemini-path", "x"], "--strategy gemini-cli"),
                (["--agent-command", "x"], "--strategy acp-agent"),
                (["--strategy", "acp-agent"], "gemini --acp"),
                (["--strategy", "acp-agent", "--agent-command", "'x"], "a quote")):
            run = self.world.run(*flags, "hi")
            self.assertEqual((run.code, run.lines), (2, []), flags)
            self.assertIn(words, run.stderr)


if __name__ == "__main__":
    BINARY = os.path.realpath(sys.argv.pop(1))
    unittest.main()
