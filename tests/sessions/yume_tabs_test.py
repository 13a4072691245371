#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tabs of the Yume app: each keeps its own conversation, although the app resumes with ids that it
made up, and a prompt after Esc goes on with the session whose turn still runs.

    yume_tabs_test.py BINARY
"""

import json
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402

BINARY = None
ROUNDS = 10
PATIENCE = 60  # so that a test fails instead of waiting for ever


def prompts_in(body):
    """What the user said, oldest first, without what the program adds."""
    texts = [part["text"] for content in json.loads(body)["contents"] if content["role"] == "user"
             for part in content["parts"] if "text" in part]
    return [text for text in texts if text.startswith("prompt ")]


class Model(Server):
    """Answers each prompt, but for those that say "slow": these wait until the test is over."""

    def __init__(self):
        self.requests = {}  # by the last prompt: all prompts of the request
        self.came = threading.Condition()
        self.over = threading.Event()
        super().__init__(self.answer)

    def answer(self, _, body):
        prompts = prompts_in(body)
        with self.came:
            self.requests[prompts[-1]] = prompts
            self.came.notify_all()
        if "slow" in prompts[-1]:
            self.over.wait()
        reply = {"candidates": [{"content": {"role": "model", "parts": [{"text": "answer"}]},
                                 "finishReason": "STOP"}],
                 "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10}}
        return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()

    def wait_for(self, prompt):
        with self.came:
            return self.came.wait_for(lambda: prompt in self.requests, PATIENCE)

    def close(self):
        self.over.set()
        super().close()


class YumeTabs(unittest.TestCase):
    def setUp(self):
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.model = Model()
        self.addCleanup(self.model.close)

    def start(self, prompt, resume=None, model="gemini-3.8-flash"):
        """A turn as the app starts it: this process is its parent."""
        environment = {"HOME": str(self.directory), "GEMINI_API_KEY": "key",
                       "PATH": "/usr/bin:/bin", "METADATA_SERVER_DETECTION": "none",
                       "YUME_CLI_DIALECT": "yume-app", "YUME_CLI_AUTH": "api-key",
                       "GOOGLE_GEMINI_BASE_URL": self.model.url}
        process = subprocess.Popen(
            [BINARY, "--provider", "gemini", "--model", model, "--cwd", str(self.directory),
             *(("--resume", resume) if resume else ()), "--prompt", prompt,
             "--output-format", "stream-json", "--verbose"],
            env=environment, cwd=self.directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        for stream in (process.stdout, process.stderr):
            self.addCleanup(stream.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def end(self, process):
        """(session id, texts that the program itself said, the result)"""
        stdout, stderr = process.communicate(timeout=PATIENCE)
        self.assertEqual(stderr, b"")
        lines = [json.loads(line) for line in stdout.splitlines()]
        said = [block["text"] for line in lines if line["type"] == "assistant"
                and line["message"]["model"] == "<synthetic>" for block in line["message"]["content"]]
        return lines[0]["session_id"], said, lines[-1]

    def turn(self, prompt, resume=None, model="gemini-3.8-flash"):
        session, said, result = self.end(self.start(prompt, resume, model))
        self.assertEqual(result["subtype"], "success", result)
        return session, said, self.model.requests[prompt]

    def test_a_tab_goes_on_with_its_session(self):
        tab = "syn_" + "a" * 22
        session, said, _ = self.turn("prompt 1")
        self.assertEqual(said, [])
        for number in range(2, ROUNDS + 1):
            same, said, prompts = self.turn(f"prompt {number}", tab)
            self.assertEqual((same, said), (session, []))
            self.assertEqual(prompts, [f"prompt {n}" for n in range(1, number + 1)])

    def test_two_tabs_of_different_models(self):
        tabs = {"A": "gemini-3.8-flash", "B": "gemini-3-pro-preview"}
        sessions = {}
        for number in range(1, ROUNDS + 1):
            for tab, model in tabs.items():
                name = None if number == 1 else "syn_" + tab.lower() * 22
                session, said, prompts = self.turn(f"prompt {tab}{number}", name, model)
                self.assertEqual((sessions.setdefault(tab, session), said), (session, []))
                self.assertEqual(prompts, [f"prompt {tab}{n}" for n in range(1, number + 1)])

    def test_two_tabs_of_one_model_are_never_mixed(self):
        """Nothing tells their first sessions apart: each begins anew, says so, and keeps that."""
        sessions = {}
        for number in range(1, ROUNDS + 1):
            for tab in ("A", "B"):
                name = None if number == 1 else "syn_" + tab.lower() * 22
                session, said, prompts = self.turn(f"prompt {tab}{number}", name)
                first = 1 if number == 1 else 2
                self.assertEqual(prompts, [f"prompt {tab}{n}" for n in range(first, number + 1)])
                if number == 2:
                    self.assertEqual(len(said), 1)
                    self.assertIn("2 conversations of this folder may be meant", said[0])
                else:
                    self.assertEqual(said, [])
                if number > 1:
                    self.assertEqual(sessions.setdefault(tab, session), session)
        self.assertNotEqual(sessions["A"], sessions["B"])

    def test_a_tab_that_was_opened_later(self):
        first, _, _ = self.turn("prompt A1")
        self.assertEqual(self.turn("prompt A2", "syn_" + "a" * 22)[0], first)
        second, _, _ = self.turn("prompt B1")
        for number in range(2, ROUNDS + 1):
            self.assertEqual(self.turn(f"prompt B{number}", "syn_" + "b" * 22)[0], second)
            self.assertEqual(self.turn(f"prompt A{number + 1}", "syn_" + "a" * 22)[0], first)

    def test_another_parent_gets_none_of_it(self):
        """As after the app was started anew: the shell between is another parent."""
        session, _, _ = self.turn("prompt 1")
        index = json.loads((self.directory / ".yume/sessions/index.json").read_text())
        maker = index["sessions"][session]["madeBy"]
        index["sessions"][session]["madeBy"] = maker + "1"
        (self.directory / ".yume/sessions/index.json").write_text(json.dumps(index))
        other, said, prompts = self.turn("prompt 2", "syn_" + "a" * 22)
        self.assertNotEqual(other, session)
        self.assertEqual(prompts, ["prompt 2"])
        self.assertIn("no conversation is known by that name", said[0])

    def test_a_prompt_after_esc(self):
        """Esc does not reach us: the turn runs on while the next prompt comes."""
        tab = "syn_" + "a" * 22
        session, _, _ = self.turn("prompt 0")
        asked = ["prompt 0"]
        for number in range(1, ROUNDS + 1):
            slow = f"prompt {number} slow"
            running = self.start(slow, tab)
            self.assertTrue(self.model.wait_for(slow))
            asked += [slow, f"prompt {number}"]
            same, said, prompts = self.turn(f"prompt {number}", tab)
            self.assertEqual((same, said), (session, []))
            self.assertEqual(prompts, asked)
            interrupted, _, result = self.end(running)
            self.assertEqual((interrupted, result["subtype"]), (session, "error_during_execution"))

    def test_only_an_older_process_of_the_same_parent_is_interrupted(self):
        session, _, _ = self.turn("prompt 1")
        running = self.start("prompt slow", session)
        self.assertTrue(self.model.wait_for("prompt slow"))
        # A shell between makes the second process the child of another one.
        script = 'out=$("$0" "$@"); code=$?; printf %s "$out"; exit $code'
        environment = {"HOME": str(self.directory), "GEMINI_API_KEY": "key",
                       "PATH": "/usr/bin:/bin", "METADATA_SERVER_DETECTION": "none",
                       "GOOGLE_GEMINI_BASE_URL": self.model.url}
        other = subprocess.run(
            ["/bin/sh", "-c", script, BINARY, "--provider", "gemini", "--model", "gemini-3.8-flash",
             "--resume", session, "--prompt", "prompt 2", "--output-format", "stream-json"],
            env=environment, cwd=self.directory, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=PATIENCE, check=False)
        self.assertEqual(other.returncode, 1)
        self.assertIn(b"is in use", other.stdout)
        self.assertIsNone(running.poll())

    def test_names_and_index_of_the_old_place_move(self):
        views = self.directory / ".yume/sessions/gemini"
        session, _, _ = self.turn("prompt 1")
        self.turn("prompt 2", "syn_" + "a" * 22)
        for name in ("aliases.json", "index.json"):
            (views.parent / name).rename(views / name)
            (views.parent / f"{name}.lock").rename(views / f"{name}.lock")
        self.assertEqual(self.turn("prompt 3", "syn_" + "a" * 22)[0], session)
        self.assertEqual(self.turn("prompt B1")[1], [])
        self.turn("prompt B2", "syn_" + "b" * 22)
        left = sorted(path.name for path in views.iterdir())
        self.assertTrue(all(len(name) == 41 for name in left), left)  # uuid.json
        aliases = json.loads((views.parent / "aliases.json").read_text())
        self.assertEqual(aliases["syn_" + "a" * 22], session)


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=0)
