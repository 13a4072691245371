#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that start `gemini` get this program under that name, by a link: their own command lines,
read with their own rules (readers.py), the files and the exit codes.

    gemini_hosts_test.py BINARY
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402
from scripted_agent import environment  # noqa: E402
import readers  # noqa: E402

BINARY = None
PATIENCE = 60  # so that a test fails instead of waiting for ever
MODEL = "gemini-3.8-flash"


def text(words):
    return {"text": words}


def call(name, **arguments):
    return {"functionCall": {"name": name, "args": arguments}}


WORK = [
    [text("I will write. "), call("write_file", file_path="out.txt", content="one\n"),
     call("write_todos", todos=[{"description": "Write", "status": "completed"},
                                {"description": "", "status": "pending"},
                                {"description": "Check", "status": "in_progress"}])],
    [call("replace", file_path="out.txt", old_string="one", new_string="two"),
     call("replace", file_path="out.txt", old_string="nothing", new_string="x"),
     call("list_directory", dir_path="."),
     call("run_shell_command", command="cat out.txt", description="Look")],
    [text("Done.")],
]


class GeminiHosts(unittest.TestCase):
    def setUp(self):
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.work = self.directory / "work"
        self.work.mkdir()
        self.link = self.directory / "bin" / "gemini"
        self.link.parent.mkdir()
        self.link.symlink_to(BINARY)
        self.replies = []
        self.bodies = []
        self.server = Server(self.answer)
        self.addCleanup(self.server.close)

    def answer(self, _, body):
        self.bodies.append(json.loads(body))
        reply = self.replies.pop(0)
        if isinstance(reply, tuple):
            return reply[0], "application/json", json.dumps({"error": reply[1]}).encode()
        said = {"candidates": [{"content": {"role": "model", "parts": reply},
                                "finishReason": "STOP"}],
                "usageMetadata": {"promptTokenCount": 30, "cachedContentTokenCount": 10,
                                  "candidatesTokenCount": 5, "thoughtsTokenCount": 2,
                                  "totalTokenCount": 37}}
        return 200, "text/event-stream", f"data: {json.dumps(said)}\r\n\r\n".encode()

    def gemini(self, *arguments, replies=(), stdin=None, keep_stdin_open=False, **variables):
        """(exit code, stdout, stderr)"""
        self.replies = [list(reply) if isinstance(reply, list) else reply for reply in replies]
        where = {"GOOGLE_GEMINI_BASE_URL": self.server.url, "GEMINI_API_KEY": "key", **variables}
        process = subprocess.Popen(
            [str(self.link), *arguments], cwd=self.work,
            env={**environment(self.directory), **where},
            stdin=subprocess.PIPE if stdin is not None or keep_stdin_open else subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if keep_stdin_open:
            out, err = process.stdout.read(), process.stderr.read()
            process.wait(PATIENCE)
            for stream in (process.stdin, process.stdout, process.stderr):
                stream.close()
            return process.returncode, out, err.decode()
        out, err = process.communicate(stdin, timeout=PATIENCE)
        return process.returncode, out, err.decode()

    def read(self, stdout):
        """What each program makes of the lines."""
        made = [reader() for reader in readers.READERS]
        for line in readers.lines_of(stdout):
            for reader in made:
                reader.read(line)
        return made

    def check_work(self, code, stdout, stderr):
        self.assertEqual((code, stderr), (0, ""))
        chatter, aiwf, sdk, insights = self.read(stdout)
        self.assertEqual((self.work / "out.txt").read_text(), "two\n")
        self.assertEqual(chatter.text, "I will write. Done.")
        self.assertEqual(chatter.todos, [("Write", "completed"), ("Check", "in_progress")])
        self.assertEqual(chatter.finished, "done")
        self.assertIn("two", [output for output, error in chatter.outputs.values() if not error])
        self.assertEqual([Path(path).name for path in aiwf.files], ["out.txt"])
        self.assertEqual(aiwf.response, "I will write. Done.")
        self.assertEqual([block[0] for block in sdk.blocks],
                         ["text", "Write", "write_todos", "Edit", "Edit", "Glob", "Bash", "text"])
        self.assertEqual((sdk.open_calls(), sdk.success), ([], True))
        self.assertEqual(sorted(sdk.results.values()), [False] * 5 + [True])
        self.assertEqual(insights.events[0][0], "session_init")
        self.assertEqual(insights.events[-1], ("turn_complete", False))
        result = readers.lines_of(stdout)[-1]
        self.assertEqual(result["files_written"], [str((self.work / "out.txt").resolve())])
        self.assertEqual((result["stats"]["input_tokens"], result["stats"]["cached"],
                          result["stats"]["input"], result["stats"]["output_tokens"],
                          result["stats"]["total_tokens"], result["stats"]["tool_calls"]),
                         (90, 30, 60, 15, 111, 6))

    def test_agent_cli_sdk(self):
        self.check_work(*self.gemini("--output-format", "stream-json", "--yolo", "--model", MODEL,
                                     "do it", replies=WORK))

    def test_agent_cli_sdk_default_mode(self):
        code, out, err = self.gemini("--output-format", "stream-json", "--approval-mode", "default",
                                     "--model", MODEL, "do it",
                                     replies=[WORK[0], [text("I may not write.")]])
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(list(self.work.iterdir()), [])
        self.assertEqual(readers.lines_of(out)[-1]["files_written"], [])

    def test_agent_cli_sdk_auto_edit(self):
        code, out, err = self.gemini("--output-format", "stream-json", "--approval-mode",
                                     "auto_edit", "do it", "--model", MODEL,
                                     replies=[WORK[0], [text("Done.")]])
        self.assertEqual((code, err, (self.work / "out.txt").read_text()), (0, "", "one\n"))

    def test_agent_chatter(self):
        self.check_work(*self.gemini("--output-format", "stream-json", "--yolo", "-m", MODEL, "-p",
                                     "do it", replies=WORK))

    def test_aiwf(self):
        self.check_work(*self.gemini("-o", "stream-json", "-y", "-m", MODEL, "-p", "do it",
                                     replies=WORK))

    def test_aiwf_with_its_other_flags(self):
        other = self.directory / "other"
        other.mkdir()
        code, out, err = self.gemini(
            "-o", "stream-json", "-y", "-s", "--include-directories", str(other), "--allowed-tools",
            "read_file", "-p", "do it",
            replies=[[call("write_file", file_path=str(other / "there.txt"), content="x")],
                     [call("run_shell_command", command="echo y > /etc/nobody; echo z > here")],
                     [text("Done.")]])
        self.assertEqual(code, 0, err)
        self.assertEqual((other / "there.txt").read_text(), "x")
        self.assertFalse(Path("/etc/nobody").exists())

    def test_aiwf_learns_of_a_bad_login(self):
        refusal = (400, {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT",
                         "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo",
                                      "reason": "API_KEY_INVALID"}]})
        code, out, err = self.gemini("-o", "stream-json", "-y", "-p", "do it", replies=[refusal])
        self.assertEqual((code, readers.Aiwf.outcome(code, err)), (41, "auth"))
        self.assertEqual(err.count("\n"), 1)
        chatter, aiwf, *_ = self.read(out)
        self.assertEqual((chatter.finished, aiwf.response), ("error", ""))

    def test_no_key_at_all(self):
        code, out, err = self.gemini("-o", "stream-json", "-y", "-p", "do it", GEMINI_API_KEY="")
        self.assertEqual((code, readers.Aiwf.outcome(code, err), self.bodies), (41, "auth", []))

    def test_a_used_up_quota(self):
        refusal = (429, {"code": 429, "message": "Used up.", "status": "RESOURCE_EXHAUSTED",
                         "details": [{"@type": "type.googleapis.com/google.rpc.QuotaFailure",
                                      "violations": [{"quotaId": "RequestsPerDay"}]}]})
        for form in ("stream-json", "json", "text"):
            code, out, err = self.gemini("-o", form, "-y", "-p", "do it", replies=[refusal])
            self.assertEqual(code, 1)
            self.assertIn("Quota exceeded", err)
            self.assertEqual(err.count("\n"), 1)

    def test_a_prompt_on_stdin(self):
        code, out, err = self.gemini("-o", "stream-json", "-y", "-p", "", stdin=b"do it\n",
                                     replies=WORK)
        self.check_work(code, out, err)
        self.assertEqual(self.bodies[0]["contents"][0]["parts"][-1]["text"].strip(), "do it")

    def test_stdin_above_the_prompt(self):
        self.gemini("-p", "explain", stdin=b"a log", replies=[[text("Well.")]])
        sent = json.dumps(self.bodies[0]["contents"])
        self.assertIn("a log\\n\\nexplain", sent)

    def test_an_open_stdin_does_not_hold_a_prompt(self):
        code, out, err = self.gemini("-o", "stream-json", "-y", "-p", "do it", replies=WORK,
                                     keep_stdin_open=True)
        self.check_work(code, out, err)

    def test_json(self):
        code, out, err = self.gemini("-o", "json", "-y", "-m", MODEL, "-p", "do it", replies=WORK)
        told = json.loads(out)
        self.assertEqual((code, err, told["response"]), (0, "", "Done."))
        self.assertEqual(told["stats"]["tools"]["totalCalls"], 6)
        self.assertEqual(told["stats"]["tools"]["totalDecisions"],
                         {"accept": 6, "reject": 0, "modify": 0, "auto_accept": 0})
        main = told["stats"]["models"][MODEL]
        self.assertEqual(main["roles"]["main"]["tokens"], main["tokens"])
        self.assertEqual((main["api"]["totalRequests"], main["api"]["errorsByType"]), (3, {}))
        self.assertEqual(told["stats"]["tools"]["totalFail"], 1)
        self.assertEqual(told["stats"]["files"], {"totalLinesAdded": 2, "totalLinesRemoved": 1})
        self.assertEqual(told["stats"]["models"][MODEL]["tokens"]["thoughts"], 6)

    def test_text(self):
        code, out, err = self.gemini("-y", "-p", "do it", replies=WORK)
        self.assertEqual((code, out, err), (0, b"I will write. Done.\n", ""))

    def test_sessions(self):
        code, out, _ = self.gemini("-o", "stream-json", "-p", "first words", replies=[[text("A")]])
        session = readers.lines_of(out)[0]["session_id"]
        code, listed, err = self.gemini("--list-sessions")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(listed.decode(), rf"(?m)^  1\. first words \(.*\) \[{session}\]$")
        for meant in ("latest", "1", session):
            code, out, err = self.gemini("-o", "stream-json", "-r", meant, "-p", "go on",
                                         replies=[[text("B")]])
            self.assertEqual((code, err, readers.lines_of(out)[0]["session_id"]), (0, "", session))
            self.assertIn("first words", json.dumps(self.bodies[-1]["contents"]))
        code, out, err = self.gemini("--session-id", session, "-p", "again")
        self.assertEqual((code, out, err.count("\n")), (42, b"", 1))
        for wrong in ("99", "none"):
            code, out, err = self.gemini("--delete-session", wrong)
            self.assertEqual((code, out, err.count("\n")), (0, b"", 1))
        code, out, err = self.gemini("--delete-session", "1")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out.decode(), r"^Deleted session 1: first words \(.*\)\n$")
        code, out, err = self.gemini("-r", "latest", "-p", "go on")
        self.assertEqual((code, err.count("\n")), (42, 1))

    def test_wrong_usage(self):
        for arguments in (("-o", "xml", "-p", "a"), ("--approval-mode", "auto", "-p", "a"),
                          ("-p", "a", "b"), ("--nope", "-p", "a"), ("-p",)):
            code, out, err = self.gemini(*arguments)
            self.assertEqual((code, out, err.count("\n")), (1, b"", 1), arguments)
        self.assertEqual(self.gemini("--session-id", "../x", "-p", "a")[:2], (1, b""))
        for arguments in (("-p", ""), ("-o", "json", "-p", ""), ("-r", "99", "-p", "a"),
                          ("-i", "a")):
            code, out, err = self.gemini(*arguments)
            self.assertEqual((code, err.count("\n")), (42, 1), arguments)
        self.assertEqual(self.bodies, [])

    def test_version_and_help(self):
        self.assertRegex(self.gemini("--version")[1], rb"^\d+\.\d+\.\d+")
        code, out, err = self.gemini("--help")
        self.assertEqual((code, err), (0, ""))
        self.assertIn(b"--approval-mode", out)

    def test_a_dash_and_an_odd_line_end(self):
        words = "- a list\u2028and \u00e4"
        code, out, err = self.gemini("-o", "stream-json", "-p", words, replies=[[text(words)]])
        chatter = self.read(out)[0]
        self.assertEqual((code, err, chatter.text), (0, "", words))


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
