#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every recorded session, of Gemini CLI and of Claude Code, in every form: checked rule by rule.

    recorded_test.py BINARY FOLDER

Skipped (77) where the recordings are not there.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import session_rules as rules

BINARY, FOLDER = None, None


def gemini_files():
    files = [*FOLDER.glob("gemini-sessions/*/*.json"),
             *FOLDER.glob("gemini-cli-sessions/**/session-*.json*")]
    return sorted(file for file in files if file.stat().st_size > 0)


class Recorded(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())

    def convert(self, file, *flags):
        """What the program writes, as text."""
        run = subprocess.run([BINARY, "sessions", "convert", str(file), *flags],
                             env={"HOME": self.home, "PATH": "/usr/bin:/bin"}, cwd=self.home,
                             stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, b""), file)
        return run.stdout.decode("ascii")

    def lines(self, file, *flags):
        return [json.loads(line) for line in self.convert(file, *flags).splitlines()]

    def test_unified(self):
        files = gemini_files()
        self.assertGreaterEqual(len(files), 16)
        for file in files:
            with self.subTest(file=file.name):
                written = json.loads(self.convert(file, "--to", "unified"))
                self.assertEqual(written, self.lines(file, "--to", "unified", "--jsonl"))
                self.check_unified(rules.apply_log(file.read_text()), written)

    def check_unified(self, messages, written):
        by_id = {message["id"]: message for message in messages}
        wanted = [message["id"] for message in messages if not rules.is_left_out(message)]
        self.assertEqual([one["id"] for one in written], wanted)
        for one in written:
            message = by_id[one["id"]]
            self.assertEqual(json.dumps(one["_original"]), json.dumps(message))
            self.assertEqual(one["role"], "user" if message["type"] == "user" else "assistant")
            self.assertEqual(one["timestamp"], rules.milliseconds(message["timestamp"]))
            self.assertEqual((one["tool"], one.get("model")), ("gemini", message.get("model")))
            self.check_usage(message.get("tokens"), one.get("usage"))
            self.check_content(message, one["content"])

    def check_usage(self, tokens, usage):
        if not tokens:
            self.assertIsNone(usage)
            return
        self.assertEqual(usage, {
            "inputTokens": tokens["input"], "outputTokens": tokens["output"],
            "totalTokens": tokens["total"], "input_tokens": tokens["input"],
            "output_tokens": tokens["output"], "total_tokens": tokens["total"]})

    def check_content(self, message, content):
        if any("functionCall" in part for part in rules.parts(message)) and not message.get("toolCalls"):
            self.check_pairs(content)  # made again by a checkpoint: the results are elsewhere
            return
        expected = rules.expected_blocks(message)
        self.assertEqual(content, expected or rules.text_of(message))

    def check_pairs(self, content):
        kinds = [block["type"] for block in content]
        for at, block in enumerate(content):
            if block["type"] != "tool_use":
                continue
            self.assertEqual(kinds[at + 1:at + 2], ["tool_result"])
            self.assertEqual(content[at + 1]["tool_use_id"], block["id"])
        order = [kinds.index(kind) for kind in ("thinking", "tool_use", "text") if kind in kinds]
        self.assertEqual(order, sorted(order))

    def test_claude(self):
        for file in gemini_files():
            with self.subTest(file=file.name):
                self.check_claude(self.lines(file, "--to", "claude"))

    def check_claude(self, lines):
        parent, open_calls = None, []
        for line in lines:
            self.assertEqual(line["parentUuid"], parent)
            parent = line["uuid"]
            content = line["message"]["content"]
            kinds = [block["type"] for block in content]
            self.assertEqual(line["message"]["role"], line["type"])
            if open_calls:
                self.assertEqual([block.get("tool_use_id") for block in content], open_calls)
                open_calls = []
            elif line["type"] == "assistant":
                order = {"thinking": 0, "text": 1, "tool_use": 2}
                self.assertEqual(kinds, sorted(kinds, key=order.get))
                open_calls = [block["id"] for block in content if block["type"] == "tool_use"]
                self.assertEqual(line["message"]["stop_reason"],
                                 "tool_use" if open_calls else "end_turn")
                self.check_claude_usage(line)
            for block in content:
                self.assertNotIn("<untrusted_context>", json.dumps(block.get("content", "")))
        self.assertEqual(open_calls, [])

    def check_claude_usage(self, line):
        tokens = line["_original"].get("tokens")
        usage = line["message"]["usage"]
        if tokens:
            self.assertEqual(usage, {"input_tokens": tokens["input"] - tokens["cached"],
                                     "cache_creation_input_tokens": 0,
                                     "cache_read_input_tokens": tokens["cached"],
                                     "output_tokens": tokens["output"] + tokens["thoughts"]})

    def test_gemini_stays_itself(self):
        for file in gemini_files():
            with self.subTest(file=file.name):
                messages = rules.apply_log(file.read_text())
                whole = json.loads(self.convert(file, "--to", "gemini"))
                self.assertEqual(whole["messages"], messages)
                log = self.convert(file, "--to", "gemini", "--jsonl")
                self.assertEqual(rules.apply_log(log), messages)

    def test_claude_lines(self):
        files = sorted(FOLDER.glob("claude-sessions/*.jsonl"))
        self.assertGreater(len(files), 0)
        for file in files:
            with self.subTest(file=file.name):
                original = [json.loads(line) for line in file.read_text().splitlines()]
                original = [line for line in original if line["type"] in ("user", "assistant")]
                unified = json.loads(self.convert(file, "--to", "unified"))
                self.assertEqual([one["_original"] for one in unified],
                                 [line for line in original if not line.get("isMeta")])
                self.assertEqual({one["tool"] for one in unified}, {"claude"})
                self.assertEqual(self.lines(file, "--to", "claude"), original)
                self.check_gemini(file)

    def check_gemini(self, file):
        """What becomes a session of Gemini CLI is one that converts again."""
        with tempfile.NamedTemporaryFile("w", suffix=".json") as made:
            made.write(self.convert(file, "--to", "gemini"))
            made.flush()
            messages = json.loads(Path(made.name).read_text())["messages"]
            self.assertGreater(len(messages), 0)
            again = json.loads(self.convert(made.name, "--from", "gemini-cli", "--to", "unified"))
            self.assertEqual(len(again), len(messages))

    def test_import(self):
        for file in gemini_files():
            if not any(map(rules.is_real, rules.apply_log(file.read_text()))):
                continue
            with self.subTest(file=file), tempfile.TemporaryDirectory() as home:
                run = subprocess.run([BINARY, "sessions", "import", str(file), "--json"],
                                     env={"HOME": home, "PATH": "/usr/bin:/bin"}, cwd=home,
                                     stdin=subprocess.DEVNULL, capture_output=True, check=False)
                self.assertEqual((run.returncode, run.stderr), (0, b""))
                lines = Path(json.loads(run.stdout)["file"]).read_text().splitlines()
                self.assertGreater(len(lines), 0)


if __name__ == "__main__":
    BINARY, FOLDER = sys.argv[1], Path(sys.argv[2])
    if not FOLDER.is_dir():
        print(f"no recorded sessions in {FOLDER}")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
