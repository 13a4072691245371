#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The first run of a person without a login, on a terminal; and what a wrong key and a missing
network look like there.

    first_login_test.py BINARY
"""

import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402
from on_terminal import CTRL_C, CTRL_D, OnTerminal  # noqa: E402

BINARY = None
QUESTION = b"and then go on? [y/N] "

# Nobody is logged in; a login asks something, as the real one does, and leaves its file.
GCLOUD = """#!/bin/sh
echo "$@" >> "$HOME/asked"
if [ "$2" = print-access-token ]; then
  echo "ERROR: You do not currently have an active account selected." >&2
  exit 1
fi
printf 'code? '
read -r code
[ "$code" = right ] || exit 3
/bin/mkdir -p "$HOME/.config/gcloud"
/bin/cp "$HOME/adc.json" "$HOME/.config/gcloud/application_default_credentials.json"
"""


class Google(Server):
    """Gives a token for the login, and says "hello" to who has it."""

    def __init__(self):
        self.prompts = 0
        self.refusal = None
        super().__init__(self.answer)

    def answer(self, request, _):
        if request.path == "/token":
            token = {"access_token": "ya29.first-login-token", "expires_in": 3600,
                     "token_type": "Bearer"}
            return 200, "application/json", json.dumps(token).encode()
        self.prompts += 1
        if self.refusal:
            return self.refusal[0], "application/json", json.dumps(self.refusal[1]).encode()
        reply = {"candidates": [{"content": {"role": "model", "parts": [{"text": "hello"}]},
                                 "finishReason": "STOP"}],
                 "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5}}
        return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()


class FirstLogin(unittest.TestCase):
    def setUp(self):
        self.home = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.work = self.home / "work"
        self.work.mkdir()
        self.server = Google()
        self.addCleanup(self.server.close)
        (self.home / "adc.json").write_text(json.dumps(
            {"type": "authorized_user", "client_id": "id", "client_secret": "secret",
             "refresh_token": "refresh", "quota_project_id": "a-project",
             "token_uri": f"{self.server.url}/token"}))

    def install_gcloud(self, folder):
        folder.mkdir(exist_ok=True)
        (folder / "gcloud").write_text(GCLOUD)
        (folder / "gcloud").chmod(0o755)

    def start(self, *arguments, path=None, **variables):
        # Without the system's folders, which may have a gcloud.
        environment = {"HOME": str(self.home), "PATH": str(path or self.home / "none"),
                       "TERM": "xterm", "METADATA_SERVER_DETECTION": "none",
                       "XDG_RUNTIME_DIR": str(self.home), "GOOGLE_GEMINI_BASE_URL": self.server.url}
        environment |= {name: value for name, value in os.environ.items() if "SAN_OPTIONS" in name}
        return OnTerminal([BINARY, *arguments], environment | variables, self.work, 80)

    def gcloud_was_asked(self):
        asked = self.home / "asked"
        return asked.read_text().splitlines() if asked.exists() else []

    def test_five_lines_say_what_to_do(self):
        code, shown = self.start("a prompt").end()
        self.assertEqual(code, 1)
        lines = shown.splitlines()
        self.assertLessEqual(len(lines), 5)
        self.assertTrue(all(len(line) < 80 for line in lines), shown)
        self.assertIn("export GEMINI_API_KEY=", shown)
        self.assertIn("install gcloud", shown)
        self.assertEqual(self.server.prompts, 0)

    def test_gcloud_logs_in_and_the_run_goes_on(self):
        self.install_gcloud(self.home / "bin")
        program = self.start("a prompt", path=self.home / "bin")
        program.type_after(QUESTION, b"y\n")
        self.assertLessEqual(len(program.shown.splitlines()), 5)
        program.type_after(b"code? ", b"right\n")
        code, shown = program.end()
        self.assertEqual(code, 0, shown)
        self.assertIn("hello\n", shown)
        self.assertIn("auth application-default login", self.gcloud_was_asked())
        # The next run has a login, and asks nothing.
        self.assert_answered(self.start("a prompt", path=self.home / "bin"))

    def test_nothing_is_sent_without_a_yes(self):
        self.install_gcloud(self.home / "bin")
        for keys in (b"n\n", b"\n", CTRL_D, CTRL_C):
            program = self.start("a prompt", path=self.home / "bin")
            program.type_after(QUESTION, keys)
            self.assertEqual(program.end()[0], 1, keys)
        self.assertNotIn("auth application-default login", self.gcloud_was_asked())
        self.assertEqual(self.server.prompts, 0)

    def test_a_login_that_fails_is_told(self):
        self.install_gcloud(self.home / "bin")
        for keys, why in ((b"wrong\n", "gcloud ended with code 3"),
                          (CTRL_C, "gcloud was interrupted")):
            program = self.start("a prompt", path=self.home / "bin")
            program.type_after(QUESTION, b"y\n")
            program.type_after(b"code? ", keys)
            code, shown = program.end()
            self.assertEqual(code, 1, keys)
            self.assertIn(f"Error: {why}, so there is no login yet and nothing was sent.", shown)
        self.assertEqual(self.server.prompts, 0)

    def test_a_gcloud_of_the_workspace_is_never_run(self):
        self.install_gcloud(self.work)
        code, shown = self.start("a prompt", path=self.work).end()
        self.assertEqual(code, 1)
        self.assertIn("install gcloud", shown)
        self.assertEqual(self.gcloud_was_asked(), [])

    def assert_answered(self, program):
        code, seen = program.end_seen()
        self.assertEqual(code, 0)
        self.assertTrue(seen.startswith("hello\n"), seen)

    def test_a_key_in_the_environment_works_at_once(self):
        self.assert_answered(self.start("a prompt", GEMINI_API_KEY="key"))

    def test_programs_are_asked_nothing(self):
        self.install_gcloud(self.home / "bin")
        for arguments in (["-p", "a prompt"], ["--output-format", "text", "a prompt"],
                          ["--output-format", "stream-json", "--verbose", "-p", "a prompt"],
                          ["--provider", "gemini", "--prompt", "a prompt"],
                          ["--auth", "api-key", "a prompt"]):
            code, shown = self.start(*arguments, path=self.home / "bin").end()
            self.assertEqual(code, 1, arguments)
            self.assertNotIn("There is no login", shown, arguments)
            self.assertIn("GEMINI_API_KEY", shown, arguments)

    def test_prompts_that_need_no_login_are_answered(self):
        code, shown = self.start("/cost").end()
        self.assertEqual(code, 0, shown)
        self.assertNotIn("There is no login", shown)

    def test_a_wrong_key_and_a_missing_network_are_told_with_what_to_do(self):
        self.server.refusal = 400, {"error": {
            "code": 400, "status": "INVALID_ARGUMENT",
            "message": "API key not valid. Please pass a valid API key.",
            "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo",
                         "reason": "API_KEY_INVALID", "domain": "googleapis.com"}]}}
        code, shown = self.start("a prompt", GEMINI_API_KEY="wrong").end()
        self.assertEqual(code, 1)
        self.assertIn("API key not valid", shown)
        self.assertIn("Set GEMINI_API_KEY to a valid key", shown)
        # A label of 64 letters is refused by the resolver before it asks anybody.
        code, shown = self.start("a prompt", GEMINI_API_KEY="key", YUME_MAX_RETRIES="0",
                                 GOOGLE_GEMINI_BASE_URL=f"https://{'a' * 64}.invalid").end()
        self.assertEqual(code, 1)
        self.assertIn("cannot resolve host", shown)
        self.assertIn("Is this machine offline? `yume-cli doctor` says what is wrong", shown)


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
