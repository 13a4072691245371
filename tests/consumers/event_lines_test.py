#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that take events of their own kinds (`--dialect insights`, `--dialect agent-events`), live
and translated, and what programs that read `gemini` make of other agents' lines, translated. All of
it read with their own rules (event_readers.py, readers.py).

    event_lines_test.py BINARY
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402
from scripted_agent import environment  # noqa: E402
import event_readers  # noqa: E402
import readers  # noqa: E402

BINARY = None
PATIENCE = 120  # so that a test fails instead of waiting for ever
MODEL = "gemini-3.8-flash"


def text(words):
    return {"text": words}


def call(name, **arguments):
    return {"functionCall": {"name": name, "args": arguments}}


TODOS = [{"description": "Write", "status": "completed"},
         {"description": " ", "status": "pending"},
         {"description": "Wait", "status": "blocked"},
         {"description": "Drop", "status": "cancelled"}]
WORK = [
    [{"text": "Let me see.", "thought": True}, text("I will write. "),
     call("write_file", file_path="out.txt", content="one\n"), call("write_todos", todos=TODOS)],
    [call("replace", file_path="out.txt", old_string="one", new_string="two"),
     call("replace", file_path="out.txt", old_string="nothing", new_string="x"),
     call("run_shell_command", command="cat out.txt", description="Look")],
    [text("Done.")],
]


def gemini_line(kind, **fields):
    return {"type": kind, "timestamp": "2026-11-18T10:00:00.000Z", **fields}


GEMINI = [
    gemini_line("init", session_id="0b1c2d3e-0000-4000-8000-00000000000a", model=MODEL),
    gemini_line("message", role="user", content="do it"),
    gemini_line("message", role="assistant", content="I will ", delta=True),
    gemini_line("message", role="assistant", content="write. ", delta=True),
    gemini_line("tool_use", tool_name="write_file", tool_id="write_file__1",
                parameters={"file_path": "out.txt", "content": "one\n"}),
    gemini_line("tool_use", tool_name="write_todos", tool_id="write_todos__2",
                parameters={"todos": TODOS}),
    gemini_line("tool_result", tool_id="write_file__1", status="success"),
    gemini_line("tool_result", tool_id="write_todos__2", status="success"),
    gemini_line("tool_use", name="replace", id="replace__3",
                input={"file_path": "out.txt", "old_string": "a", "new_string": "b"}),
    gemini_line("tool_result", tool_id="replace__3", status="error", output="no",
                error={"type": "edit_no_occurrence_found", "message": "not there"}),
    gemini_line("message", role="assistant", content="Done.", delta=True),
    gemini_line("result", status="success",
                stats={"total_tokens": 9, "input_tokens": 5, "output_tokens": 4, "cached": 1,
                       "input": 4, "duration_ms": 7, "tool_calls": 3, "models": {}}),
]


class EventLines(unittest.TestCase):
    def setUp(self):
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.work = self.directory / "work"
        self.work.mkdir()
        self.replies = []
        self.server = Server(self.answer)
        self.addCleanup(self.server.close)

    def answer(self, _, __):
        said = {"candidates": [{"content": {"role": "model", "parts": self.replies.pop(0)},
                                "finishReason": "STOP"}],
                "usageMetadata": {"promptTokenCount": 30, "candidatesTokenCount": 5,
                                  "totalTokenCount": 35}}
        return 200, "text/event-stream", f"data: {json.dumps(said)}\r\n\r\n".encode()

    def run_program(self, *arguments, stdin=b"", code=0):
        run = subprocess.run([BINARY, *arguments], cwd=self.work, input=stdin, capture_output=True,
                             timeout=PATIENCE, check=False,
                             env={**environment(self.directory), "GEMINI_API_KEY": "key",
                                  "GOOGLE_GEMINI_BASE_URL": self.server.url})
        self.assertEqual((run.returncode, run.stderr.decode()), (code, ""))
        return readers.lines_of(run.stdout)

    def live(self, dialect):
        self.replies = [list(reply) for reply in WORK]
        return self.run_program("--dialect", dialect, "--model", MODEL, "--permission-mode",
                                "bypassPermissions", "-p", "do it")

    def translated(self, lines, source, target, code=0):
        stdin = "".join(json.dumps(line) + "\n" for line in lines).encode()
        return self.run_program("translate", "--from", source, "--to", target, stdin=stdin,
                                code=code)

    @staticmethod
    def read(reader, lines):
        for line in lines:
            reader.read(line)
        return reader

    def test_insights_live(self):
        lines = self.live("insights")
        seen = self.read(event_readers.InsightsEvents(), lines)
        self.assertEqual(seen.whole["text"], "I will write. Done.")
        self.assertEqual(seen.whole["thinking"], "Let me see.")
        self.assertEqual([one["kind"] for one in seen.of("tool_invocation")],
                         ["edit", "memory", "edit", "edit", "execute"])
        self.assertEqual([one["status"] for one in seen.of("tool_completion")],
                         ["completed", "completed", "completed", "failed", "completed"])
        self.assertEqual(len(seen.of("session_init")), 1)
        self.assertEqual(seen.of("user_input")[0]["text"], "do it")
        end = seen.events[-1]
        self.assertEqual((end["event"], end["subtype"], end["result"]),
                         ("turn_complete", "success", "Done."))
        self.assertEqual(end["extensions"]["files_written"],
                         [str((self.work / "out.txt").resolve())])
        todos = next(one["input"]["todos"] for one in seen.of("tool_invocation")
                     if one["kind"] == "memory")
        self.assertEqual([(one["content"], one["status"]) for one in todos],
                         [("Write", "completed"), ("Wait", "pending"), ("Drop", "completed")])

    def test_agent_events_live(self):
        seen = self.read(event_readers.AgentEvents(), self.live("agent-events"))
        self.assertEqual((seen.text, seen.finished), ("I will write. Done.", "done"))
        self.assertEqual(list(seen.tools.values()), ["Write", "Edit", "Edit", "Bash"])
        self.assertEqual([one[0] for one in seen.todos], ["Write", "Wait", "Drop"])
        self.assertEqual([error for _, error in seen.outputs.values()],
                         [None, None, "error", None])
        self.assertIn("two", [*seen.outputs.values()][-1][0])

    def test_no_host_gets_a_task_without_a_text(self):
        for dialect in ("claude", "yume", "yume-app", "gemini", "insights", "agent-events"):
            with self.subTest(dialect=dialect):
                self.replies = [list(reply) for reply in WORK]
                (self.work / "out.txt").unlink(missing_ok=True)
                lines = self.run_program("--dialect", dialect, "--model", MODEL, "--print",
                                         "--permission-mode", "bypassPermissions", "--verbose",
                                         "--output-format", "stream-json", "do it")
                said = json.dumps(lines)
                for blank in ('"content": " "', '"description": " "', '"text": " "'):
                    self.assertNotIn(blank, said)

    def test_insights_of_gemini_lines(self):
        seen = self.read(event_readers.InsightsEvents(),
                         self.translated(GEMINI, "gemini", "insights"))
        self.assertEqual(seen.whole["text"], "I will write. Done.")
        self.assertEqual([one["kind"] for one in seen.of("tool_invocation")],
                         ["edit", "memory", "edit"])
        self.assertEqual([one.get("isError", False) for one in seen.of("tool_completion")],
                         [False, False, True])
        self.assertEqual(seen.of("turn_complete")[0]["usage"]["inputTokens"], 4)
        self.assertEqual({one["provider"] for one in seen.events}, {"gemini"})

    def test_agent_events_of_gemini_lines(self):
        seen = self.read(event_readers.AgentEvents(),
                         self.translated(GEMINI, "gemini", "agent-events"))
        self.assertEqual((seen.text, seen.finished), ("I will write. Done.", "done"))
        self.assertEqual(list(seen.tools.values()), ["write_file", "replace"])
        self.assertEqual(seen.todos, [("Write", "completed"), ("Wait", "pending"),
                                      ("Drop", "cancelled")])
        self.assertEqual(seen.kinds, ["session.started", "text", "text", "tool.started",
                                      "todo_list", "tool.completed", "tool.started",
                                      "tool.completed", "text", "turn.completed"])

    def test_every_dialect_there_and_back(self):
        """Claude's lines and Gemini's, made of the other's, read as the original is."""
        claude = self.translated(GEMINI, "gemini", "claude")
        again = self.translated(claude, "claude", "gemini")
        chatter, aiwf, sdk, _ = [self.read(reader(), again) for reader in readers.READERS]
        self.assertEqual((chatter.text, chatter.finished), ("I will write. Done.", "done"))
        self.assertEqual(chatter.todos, [("Write", "completed"), ("Wait", "pending"),
                                         ("Drop", "completed")])
        self.assertEqual(aiwf.files, ["out.txt"])
        self.assertEqual([block[0] for block in sdk.blocks],
                         ["text", "Write", "write_todos", "Edit", "text"])
        self.assertEqual((sdk.open_calls(), sdk.success), ([], True))
        events = self.read(event_readers.AgentEvents(),
                           self.translated(claude, "claude", "agent-events"))
        self.assertEqual((events.text, events.finished), ("I will write. Done.", "done"))
        self.assertEqual(list(events.tools.values()), ["Write", "Edit"])

    def test_without_a_result_nothing_ends_well(self):
        for cut in (0, 1, 3, 5, 10):
            with self.subTest(cut=cut):
                lines = GEMINI[:cut]
                seen = self.read(event_readers.AgentEvents(),
                                 self.translated(lines, "gemini", "agent-events", code=1))
                self.assertEqual(seen.finished, "error")
                claude = self.translated(lines, "gemini", "claude", code=1)
                self.assertEqual((claude[-1]["type"], claude[-1]["is_error"]), ("result", True))

    def test_lines_come_as_they_are_read(self):
        process = subprocess.Popen([BINARY, "translate", "--from", "gemini", "--to", "agent-events"],
                                   cwd=self.work, env=environment(self.directory),
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for line in GEMINI[2:4]:
            process.stdin.write(json.dumps(line).encode() + b"\n")
            process.stdin.flush()
            self.assertEqual(json.loads(process.stdout.readline())["text"], line["content"])
        process.stdin.close()
        rest = process.stdout.read()
        process.stdout.close()
        self.assertEqual(process.wait(PATIENCE), 1)
        self.assertEqual(json.loads(rest.splitlines()[-1])["finishReason"], "error")


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
