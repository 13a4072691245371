#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finding the sessions of Gemini CLI by the folder of their project, importing one and going on
with it, and finding programs without starting them.

    lookup_test.py BINARY
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402
from scripted_agent import reply  # noqa: E402

BINARY = None


def session(number, day, text="hello", **more):
    """A session file of the old form."""
    time = f"2026-03-{day:02}T10:00:00.000Z"
    messages = [
        {"id": f"{number:08x}-0000-4000-8000-000000000001", "timestamp": time, "type": "user",
         "content": text},
        {"id": f"{number:08x}-0000-4000-8000-000000000002", "timestamp": time, "type": "gemini",
         "content": "Done.", "model": "gemini-2.5-pro",
         "thoughts": [{"subject": "Plan", "description": "Look first.", "timestamp": time}],
         "tokens": {"input": 100, "output": 5, "cached": 40, "thoughts": 7, "tool": 0, "total": 112},
         "toolCalls": [{"id": "read_file-1", "name": "read_file", "args": {"absolute_path": "/p/a"},
                        "result": [{"functionResponse": {"id": "read_file-1", "name": "read_file",
                                                         "response": {"output": "text of a"}}}],
                        "status": "success", "timestamp": time}]},
    ]
    return {"sessionId": f"{number:08x}-1111-4111-8111-111111111111", "projectHash": "0" * 64,
            "startTime": time, "lastUpdated": time, "messages": messages, **more}


class Scene(unittest.TestCase):
    def setUp(self):
        root = Path(os.path.realpath(self.enterContext(tempfile.TemporaryDirectory())))
        self.home, self.project = root / "home", root / "my project"
        self.home.mkdir()
        self.project.mkdir()

    def keep(self, folder, name, content):
        path = self.home / ".gemini" / "tmp" / folder / "chats" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def run_command(self, *words, env=None, cwd=None):
        run = subprocess.run(
            [BINARY, *words], cwd=cwd or self.project, stdin=subprocess.DEVNULL,
            env={"HOME": str(self.home), "PATH": "/usr/bin:/bin", "GEMINI_API_KEY": "key",
                 "METADATA_SERVER_DETECTION": "none", **(env or {})},
            capture_output=True, check=False)
        return run.returncode, run.stdout.decode(), run.stderr.decode()

    def unified(self, *flags):
        code, out, err = self.run_command("sessions", "convert", "--to", "unified", *flags)
        self.assertEqual((code, err), (0, ""))
        return json.loads(out)


class Lookup(Scene):
    def register(self, slug):
        registry = self.home / ".gemini" / "projects.json"
        registry.parent.mkdir(exist_ok=True)
        registry.write_text(json.dumps({"projects": {str(self.project): slug}}))

    def hash_folder(self):
        return hashlib.sha256(str(self.project).encode()).hexdigest()

    def test_by_the_registry(self):
        self.register("slug-7")
        self.keep("slug-7", "session-2026-03-01T10-00-00000001.json", session(1, 1))
        self.assertEqual(self.unified()[0]["id"], "00000001-0000-4000-8000-000000000001")

    def test_by_the_mark_of_its_folder(self):
        self.keep("other", "session-2026-03-01T10-00-00000001.json", session(1, 1))
        self.keep("slug", "session-2026-03-01T10-00-00000002.json", session(2, 1))
        mark = self.home / ".gemini" / "tmp"
        (mark / "other" / ".project_root").write_text("/elsewhere")
        (mark / "slug" / ".project_root").write_text(str(self.project))
        self.assertEqual(self.unified()[0]["id"][:8], "00000002")

    def test_by_the_hash_of_its_path(self):
        self.keep(self.hash_folder(), "session-2026-03-01T10-00-00000003.json", session(3, 1))
        self.assertEqual(self.unified("--from", "gemini-cli")[0]["id"][:8], "00000003")
        self.assertEqual(self.unified("--cwd", f"{self.project}/")[0]["id"][:8], "00000003")

    def test_newest_by_what_it_says_itself(self):
        folder = self.hash_folder()
        newest = self.keep(folder, "session-2026-03-01T10-00-00000001.json", session(1, 9))
        self.keep(folder, "session-2026-03-05T10-00-00000002.json", session(2, 5))
        os.utime(newest, (0, 0))
        self.assertEqual(self.unified()[0]["id"][:8], "00000001")

    def test_a_log_says_when_it_changed_in_its_last_line(self):
        folder = self.hash_folder()
        old = session(1, 1)
        header = {key: old[key] for key in ("sessionId", "projectHash", "startTime", "lastUpdated")}
        lines = [header, *old["messages"], {"$set": {"lastUpdated": "2026-04-01T00:00:00.000Z"}}]
        self.keep(folder, "session-2026-03-01T10-00-00000001.jsonl", "\n".join(map(json.dumps, lines)))
        self.keep(folder, "session-2026-03-05T10-00-00000002.json", session(2, 5))
        self.assertEqual(self.unified()[0]["id"][:8], "00000001")

    def test_subagents_are_found_by_their_id_only(self):
        folder = self.hash_folder()
        self.keep(folder, "session-2026-03-01T10-00-00000001.json", session(1, 1))
        self.keep(f"{folder}/chats/parent/..", "session-2026-03-09T10-00-00000008.jsonl",
                  session(8, 9, kind="subagent"))
        self.keep(folder, "parent/00000009.jsonl", session(9, 9))
        self.assertEqual(self.unified()[0]["id"][:8], "00000001")
        by_id = self.unified("--session", session(9, 9)["sessionId"])
        self.assertEqual(by_id[0]["id"][:8], "00000009")

    def test_none(self):
        code, out, err = self.run_command("sessions", "convert", "--to", "unified", "--from", "gemini-cli")
        self.assertEqual((code, out), (1, ""))
        self.assertEqual(err, f"Error: No Gemini session found for project: {self.project}\n")

    def test_its_home_can_be_elsewhere(self):
        self.keep(self.hash_folder(), "session-2026-03-01T10-00-00000001.json", session(1, 1))
        moved = self.home / "moved"
        moved.mkdir()
        os.rename(self.home / ".gemini", moved / ".gemini")
        code, out, _ = self.run_command("sessions", "convert", "--to", "unified", "--jsonl",
                                        env={"GEMINI_CLI_HOME": str(moved)})
        self.assertEqual((code, len(out.splitlines())), (0, 2))

    def test_list(self):
        folder = self.hash_folder()
        self.keep(folder, "session-2026-03-01T10-00-00000001.json", session(1, 1, "first words"))
        self.keep(folder, "session-2026-03-05T10-00-00000002.json",
                  session(2, 5, summary="What it was about"))
        code, out, _ = self.run_command("sessions", "list", "--from", "gemini-cli", "--json")
        self.assertEqual(code, 0)
        listed = [(one["id"][:8], one["title"], one["messageCount"], one["model"])
                  for one in json.loads(out)["sessions"]]
        self.assertEqual(listed, [("00000002", "What it was about", 2, "gemini-2.5-pro"),
                                  ("00000001", "first words", 2, "gemini-2.5-pro")])
        code, out, _ = self.run_command("sessions", "list", "--from", "gemini-cli")
        self.assertEqual((code, len(out.splitlines())), (0, 3))


class Import(Scene):
    def imported(self):
        path = self.home / "s.json"
        path.write_text(json.dumps(session(1, 1)))
        code, out, err = self.run_command("sessions", "import", str(path), "--json")
        self.assertEqual((code, err), (0, ""))
        return json.loads(out)

    def test_keeps_ids_times_thoughts_and_usage(self):
        kept = self.imported()
        self.assertEqual(kept["id"], session(1, 1)["sessionId"])
        lines = [json.loads(line) for line in Path(kept["file"]).read_text().splitlines()]
        self.assertEqual({line["timestamp"] for line in lines}, {"2026-03-01T10:00:00.000Z"})
        self.assertEqual(lines[0]["uuid"], "00000001-0000-4000-8000-000000000001")
        replies = [line["message"] for line in lines if line["type"] == "assistant"]
        self.assertEqual({one["id"] for one in replies}, {"00000001-0000-4000-8000-000000000002"})
        self.assertEqual(replies[0]["content"][0]["thinking"], "**Plan**\nLook first.")
        usage = replies[0]["usage"]
        self.assertEqual((usage["input_tokens"], usage["cache_read_input_tokens"],
                          usage["output_tokens"]), (60, 40, 12))

    def test_goes_on(self):
        kept = self.imported()
        seen = []

        def answer(_, body):
            seen.append(json.loads(body)["contents"])
            return reply({"text": "Gone on."})

        server = Server(answer)
        self.addCleanup(server.close)
        code, out, _ = self.run_command("-p", "and now?", "--resume", kept["id"], "--model",
                                        "gemini-3.8-flash", "--api-base", server.url)
        self.assertEqual((code, out), (0, "Gone on.\n"))
        texts = json.dumps(seen[0])
        for said in ("hello", "text of a", "Done.", "and now?"):
            self.assertIn(said, texts)
        self.assertNotIn("Look first", texts)

    def test_only_once(self):
        kept = self.imported()
        code, out, err = self.run_command("sessions", "import", str(self.home / "s.json"))
        self.assertEqual((code, out), (1, ""))
        self.assertIn(f"yume-cli --resume {kept['id']}", err)


class Detect(Scene):
    def program(self, folder, name="gemini", text="#!/bin/sh\nexit 99\n"):
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def detect(self, name="gemini", **env):
        code, out, err = self.run_command("detect", name, "--json", env=env)
        self.assertEqual((code, err), (0, ""))
        return json.loads(out)

    def test_in_this_order(self):
        nvm = self.home / ".nvm" / "versions" / "node"
        places = [self.home / ".volta" / "bin", nvm / "v9.1.0" / "bin", nvm / "v22.1.0" / "bin",
                  self.home / ".local/share/mise/installs/node/20.0.0/bin",
                  self.home / ".local" / "bin", self.home / ".npm-global" / "bin"]
        path = f"{self.home}/none"
        self.assertEqual(self.detect(PATH=path)["installed"], os.path.exists("/usr/local/bin/gemini"))
        if os.path.exists("/usr/local/bin/gemini"):
            self.skipTest("there is a real one")
        for place in places:
            program = self.program(place)
            found = self.detect(PATH=path)
            self.assertEqual((found["installed"], found["path"]), (True, str(program)))
        on_path = self.program(self.home / "on path")
        self.assertEqual(self.detect(PATH=str(self.home / "on path"))["path"], str(on_path))
        named = self.program(self.home / "named")
        found = self.detect(PATH=str(self.home / "on path"), GEMINI_CLI_PATH=str(named))
        self.assertEqual(found["path"], str(named))
        gone = self.detect(PATH=str(self.home / "on path"), GEMINI_CLI_PATH="/nowhere")
        self.assertEqual(gone["path"], str(on_path))

    def test_version_of_its_package(self):
        package = self.home / "lib" / "node_modules" / "@google" / "gemini-cli"
        script = self.program(package / "bundle", "gemini.js")
        (package / "package.json").write_text(
            json.dumps({"name": "@google/gemini-cli", "version": "0.61.0"}))
        (package / "bundle" / "package.json").write_text('{"type":"module"}')
        folder = self.home / "bin"
        folder.mkdir()
        (folder / "gemini").symlink_to(script)
        found = self.detect(PATH=str(folder))
        self.assertEqual((found["path"], found["version"]), (str(folder / "gemini"), "0.61.0"))

    def test_not_this_program_under_its_name(self):
        folder = self.home / "links"
        folder.mkdir()
        (folder / "gemini").symlink_to(os.path.realpath(BINARY))
        self.assertNotEqual(self.detect(PATH=str(folder))["path"], str(folder / "gemini"))

    def test_capabilities(self):
        code, out, err = self.run_command("capabilities", "--json")
        self.assertEqual((code, err), (0, ""))
        answer = json.loads(out)
        self.assertEqual([one["name"] for one in answer["agents"]],
                         ["claude", "gemini", "codex", "cursor"])
        gemini = answer["agents"][1]
        self.assertEqual({key: answer[key] for key in gemini}, gemini)
        self.assertEqual([gemini[key] for key in (
            "supportsSlashCommands", "supportsModels", "supportsWebSearch", "supportsThinking")],
            [False, True, True, True])
        self.assertIn({"id": "gemini-3.8-flash", "name": "Gemini 3.8 Flash"}, gemini["models"])
        self.assertEqual(gemini["provider"]["config_keys"], [
            "model", "sandbox", "approval_mode", "include_directories", "allowed_tools",
            "working_dir", "timeout"])

    def test_unknown_name(self):
        for command in ("detect", "capabilities"):
            code, out, err = self.run_command(command, "gemni")
            self.assertEqual((code, out), (2, ""))
            self.assertIn("did you mean gemini?", err)


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main()
