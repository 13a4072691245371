#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What stands on the screen of a terminal while a person works, compared as text.

    screens_test.py BINARY [--update]

The terminal is tmux. The screens are in tests/terminal/screens, one file for each test; --update writes them
anew, to be looked at before they are kept. Times and spinners are left out: they never are the same twice.
"""

import os
import re
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from streaming_gemini import Gemini, call, text, thought  # noqa: E402
from tmux import Tmux  # noqa: E402

BINARY = None
UPDATE = False
SCREENS = Path(__file__).resolve().parent / "screens"
CTRL_C, CTRL_D, CTRL_Z = b"\x03", b"\x04", b"\x1a"
DOWN, ENTER = b"\x1b[B", b"\r"
PROMPT = re.compile(r"(^|\n)>\n$")
TURN_END = re.compile(r" s ·[^>]*\n>\n$")  # what it took, and the next prompt

MARKDOWN = """# A report

Some **bold words**, *others*, `code` and a [link](https://example.org/page) in a paragraph that is long enough \
to be broken at the end of a line.

- one
- two
  - inside of two
- [x] done

| name | how many | what it is |
|:-----|---------:|------------|
| one  |        1 | the first  |
| 漢字 |       22 | wide ones  |

```python
def greet(name):
    return f"Hello, {name}"
```

> quoted
"""

WIDE = """漢字はふたつの欄を取る。結合文字: e\u0301 o\u0308 n\u0303. مرحبا بالعالم and שלום עולם, 👍 and 👩‍👩‍👧.

| 左 | right |
|----|-------|
| 漢字漢字 | e\u0301e\u0301 |
| שלום | x |
"""

HOSTILE = "a\x1b]0;owned\x07b\x1b[2Jc\x1b[31md\x9b31me\x1b[10;10Hf\rg\x08h\x1b[?1049hi\u202ej"


class Screens(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.home = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.work = self.home / "work"
        self.work.mkdir()
        self.gemini = Gemini()
        self.addCleanup(self.gemini.close)
        self.events = []
        self.addCleanup(lambda: [event.set() for event in self.events])
        self.shots = []

    def held(self):
        event = threading.Event()
        self.events.append(event)
        return event

    def environment(self, **variables):
        environment = {"HOME": str(self.home), "GEMINI_API_KEY": "key", "PATH": "/usr/bin:/bin",
                       "LANG": "C.UTF-8", "METADATA_SERVER_DETECTION": "none",
                       "GOOGLE_GEMINI_BASE_URL": self.gemini.url}
        environment |= {name: value for name, value in os.environ.items() if "SAN_OPTIONS" in name}
        return environment | variables

    def start(self, *flags, columns=100, rows=40, command=None, **variables):
        command = command or [BINARY, "--auth=api-key", "--model=gemini-3.8-flash", *flags]
        terminal = Tmux(command, self.environment(**variables), self.work, columns, rows)
        self.addCleanup(terminal.close)
        return terminal

    def plain(self, screen):
        """Without what differs from run to run."""
        screen = screen.replace(str(self.home), "HOME")
        screen = re.sub("[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]", "⠋", screen)
        screen = re.sub(r"Thought( for [0-9. s]+s)?", "Thought", screen)
        screen = re.sub(r"^( *● .*?)(, |  )[0-9.]+ s$", r"\1", screen, flags=re.M)
        screen = re.sub(r"\b[0-9]+(\.[0-9])? s( ·|\n)", r"N s\2", screen)
        return screen

    def shot(self, title, screen):
        """The screen, from the first prompt on: what the greeting says is of no interest."""
        at = max(screen.find("\n> "), 0)
        self.shots.append(f"=== {title}\n{self.plain(screen[at:]).lstrip()}")

    def compare(self, name=None):
        file = SCREENS / f"{name or self._testMethodName.removeprefix('test_')}.txt"
        seen = "\n".join(self.shots)
        if UPDATE:
            file.write_text(seen)
        self.assertEqual(seen, file.read_text() if file.exists() else "")

    def say(self, terminal, words, answer, shown=None):
        """Types a prompt, and sends it when it is shown. The screen, as soon as it has the answer."""
        terminal.wait_for(PROMPT)
        terminal.type(words)
        terminal.wait_for(shown or words)
        terminal.type(ENTER)
        return terminal.wait_for(answer, above=True)

    # What a whole turn shows, at several widths.
    def a_turn(self, columns):
        (self.work / "app.py").write_text("".join(f"line {number}\n" for number in range(120)))
        self.gemini.expect([
            [thought("What is there?"), text("I look at it.\n"), call("Read", file_path="app.py"),
             call("Grep", pattern="line 1", path=".")],
            [call("TodoWrite", todos=[
                {"content": "Repair it", "activeForm": "Repairing", "status": "in_progress"},
                {"content": "Try it", "activeForm": "Trying", "status": "pending"}])],
            [call("Edit", file_path="app.py", old_string="line 3\n", new_string="line three\n3\n")],
            [call("Bash", command="wc -l app.py")],
            [call("TodoWrite", todos=[
                {"content": "Repair it", "activeForm": "Repairing", "status": "completed"},
                {"content": "Try it", "activeForm": "Trying", "status": "completed"}])],
            [text(MARKDOWN)]])
        terminal = self.start("--permission-mode=acceptEdits", columns=columns, rows=60)
        screen = self.say(terminal, "repair it", TURN_END)
        self.shot(f"{columns} columns", screen)
        terminal.type(CTRL_D)
        terminal.wait_for_end()

    def test_a_turn(self):
        for columns in (60, 100, 160):
            self.a_turn(columns)
        self.compare()

    def test_narrow(self):
        for columns in (20, 30, 40):
            self.a_turn(columns)
        self.compare()

    def test_question_and_difference(self):
        (self.work / "app.py").write_text("one\ntwo\nthree\n")
        self.gemini.expect([
            [call("Read", file_path="app.py")],
            [call("Edit", file_path="app.py", old_string="two", new_string="2")],
            [call("Bash", command="make all &&\n  make install", description="Build it")],
            [text("I did what I may.")]])
        terminal = self.start(columns=80)
        screen = self.say(terminal, "repair it", "[y/a/n/e]")
        self.shot("the difference", screen)
        terminal.type("y\r")
        self.shot("the command", terminal.wait_for(re.compile("make install.*y/n/e", re.S)))
        terminal.type("e\r")
        terminal.wait_for("Why not?")
        terminal.type("nothing is installed here\r")
        self.shot("the end", terminal.wait_for(TURN_END))
        self.assertEqual((self.work / "app.py").read_text(), "one\n2\nthree\n")
        self.compare()

    def test_what_a_command_writes(self):
        os.mkfifo(self.work / "pipe")
        self.gemini.expect([[call("Bash", command="cat pipe")], [text("Done.")]])
        terminal = self.start("--allowedTools=Bash(cat pipe)", columns=80)
        terminal.wait_for(PROMPT)
        terminal.type("run it\r")
        with open(self.work / "pipe", "w", encoding="utf-8") as pipe:
            pipe.write("one\ntwo\n10%\r20%\rthree\nfour\x1b[31m\nhalf a line")
            pipe.flush()
            self.shot("while it runs", terminal.wait_for("four"))
            pipe.write(", and the rest\nfive\n")
            pipe.flush()
            self.shot("later", terminal.wait_for("five"))
        self.shot("the end", terminal.wait_for(TURN_END))
        self.compare()

    def test_interrupt(self):
        held = self.held()
        self.gemini.expect([[text("I begin.\n\nAnd th"), held, text("is never comes")],
                            [text("Here I am again.")]])
        terminal = self.start(columns=80)
        self.shot("while it runs", self.say(terminal, "begin", "And th"))
        terminal.type(CTRL_C)
        self.shot("interrupted", terminal.wait_for(re.compile("interrupted\n.*\n>\n$", re.S)))
        held.set()
        self.shot("the next turn", self.say(terminal, "go on", TURN_END))
        terminal.type(CTRL_C)
        terminal.wait_for(re.compile("Ctrl-C once more.*\n>\n$", re.S))
        terminal.type(CTRL_C)
        terminal.wait_for_end()
        self.compare()

    def test_resize(self):
        held = self.held()
        self.gemini.expect([[text("A paragraph that takes more than one line where the terminal is "
                                  "narrow.\n\nAnd another "), held, text("one ends.")]])
        terminal = self.start(columns=100, rows=24)
        self.say(terminal, "begin", "And another")
        for columns in (30, 60, 25, 100):
            terminal.resize(columns, 24)
            # Drawn anew by itself, at the latest with the next state of the spinner.
            screen = terminal.wait_for(re.compile("Writing · [0-9]+ s[^\n]*\n$"))
            self.assertEqual(screen.count("Writing"), 1, screen)
            self.assertEqual(screen.count("And another"), 1, screen)
        held.set()
        self.shot("the end", terminal.wait_for(TURN_END))
        self.compare()

    def test_typed_and_pasted_while_a_turn_runs(self):
        held = self.held()
        self.gemini.expect([[held, text("First.")], [text("Second.")], [text("Third.")]])
        terminal = self.start(columns=80)
        self.say(terminal, "begin", "Ctrl-C interrupts")
        terminal.paste("pasted one\npasted two")
        terminal.wait_for("pasted two")
        terminal.type(" and typed")
        self.shot("while it runs", terminal.wait_for("and typed"))
        terminal.type(ENTER)
        terminal.wait_for(re.compile(r"^> pasted one", re.M))
        large = "0123456789abcde\n" * 65536
        terminal.paste(large)
        held.set()
        terminal.wait_for("Second.")
        # Where the turn's end cut it in two is chance; all of it is sent.
        terminal.wait_for("bytes]")
        terminal.type(ENTER)
        terminal.wait_for(re.compile(r"Third\.[^>]*\n>\n$"))
        prompts = ["\n".join(part.get("text", "") for part in request["contents"][-1]["parts"])
                   for request in self.gemini.requests]
        self.assertIn("pasted one\npasted two and typed", prompts[1])
        self.assertIn(large, prompts[2])
        self.compare()

    def test_one_megabyte_is_pasted(self):
        self.gemini.expect([[text("I have it.")]])
        terminal = self.start(columns=80)
        terminal.wait_for(PROMPT)
        large = "0123456789abcde\n" * 65536
        terminal.type("look: ")
        terminal.paste(large)
        terminal.wait_for("bytes]")
        terminal.type(" thanks\r")
        self.shot("the end", terminal.wait_for(TURN_END))
        self.assertIn(f"look: {large} thanks", self.gemini.requests[0]["contents"][-1]["parts"][0]["text"])
        self.compare()

    def test_wide_combining_and_right_to_left(self):
        for columns in (30, 80):
            self.gemini.expect([[text(WIDE)]])
            terminal = self.start(columns=columns)
            self.shot(f"{columns} columns",
                      self.say(terminal, "漢字 e\u0301 שלום\x1b[D\x1b[D-", TURN_END, "של-ום"))
        self.assertIn("漢字 e\u0301 של-ום",
                      self.gemini.requests[-1]["contents"][-1]["parts"][0]["text"])
        self.compare()

    def test_hostile(self):
        name = "file\x1b[2J\x1b]0;owned\x07.txt"
        (self.work / name).write_text(HOSTILE + "\n")
        self.gemini.expect([
            [thought(HOSTILE), text(HOSTILE + "\n\n```\n" + HOSTILE + "\n```\n"),
             call("Read", file_path=name), call("Bash", command="cat file*")],
            [call("Write", file_path="new" + HOSTILE, content=HOSTILE)],
            [call(HOSTILE, x=HOSTILE)],
            [text("End.")]])
        terminal = self.start("--allowedTools=Bash(cat file*)", columns=100)
        screen = self.say(terminal, "go", "[y/a/n/e]")
        self.shot("the question", screen)
        terminal.type("n\r")
        self.shot("the end", terminal.wait_for(TURN_END))
        self.assertNotIn("owned", "".join(terminal.tell("display-message -p '#{pane_title}'")))
        self.compare()

    def test_stopped_and_continued(self):
        held = self.held()
        self.gemini.expect([[text("It begins, "), held, text("and ends.")]])
        terminal = self.start(command=["bash", "--norc", "--noprofile", "-i"], PS1="$ ", columns=80)
        terminal.wait_for("$")
        terminal.type(f"{BINARY} --auth=api-key -i 'go'\r")
        terminal.wait_for("Writing")
        terminal.type(CTRL_Z)
        terminal.wait_for("Stopped")
        terminal.type("echo in the $((40 + 2)) shell\r")
        terminal.wait_for("in the 42 shell")
        terminal.type("fg\r")
        terminal.wait_for(re.compile(r"in the 42 shell.*Writing · [0-9]+ s", re.S))
        held.set()
        terminal.wait_for("and ends.")
        terminal.wait_for(PROMPT)
        terminal.type(CTRL_Z)
        terminal.wait_for(re.compile("Stopped.*Stopped", re.S))
        terminal.type("fg\r")
        terminal.wait_for(PROMPT)
        terminal.type(CTRL_D)
        terminal.wait_for(re.compile(r"\$\n$"))
        terminal.type("echo left with $?\r")
        terminal.wait_for("left with 0")

    def test_sessions_to_choose_from(self):
        for number, words in enumerate(("repair the door", "paint the house", "漢字 and more")):
            self.gemini.expect([[text(f"Answer {number}.")]])
            terminal = self.start(words)
            terminal.wait_for_end()
            terminal.close()
            for file in (self.home / ".claude" / "projects").glob("*/*.jsonl"):
                os.utime(file, (1000 + number, 1000 + number)) if words in file.read_text() else None
        self.gemini.expect([[text("It goes on.")]])
        terminal = self.start("--resume", columns=44)
        self.shot("all", terminal.wait_for("↑ ↓"))
        terminal.type(DOWN)
        self.shot("the second", terminal.wait_for("❯ paint"))
        terminal.type("oor")
        self.shot("searched", terminal.wait_for("❯ repair"))
        terminal.resize(30, 24)
        terminal.wait_for(re.compile("Which session\\? oor"))
        terminal.type(ENTER)
        self.say(terminal, "go on", TURN_END)
        said = str(self.gemini.requests[-1]["contents"])
        self.assertIn("repair the door", said)
        terminal.type(CTRL_D)
        terminal.wait_for_end()
        terminal = self.start("--resume", columns=44)
        terminal.wait_for("↑ ↓")
        terminal.type(b"\x1b")
        self.shot("left", terminal.wait_for_end())
        terminal = self.start("--resume", TERM="dumb")
        screen = terminal.wait_for("nothing leaves:")
        self.assertRegex(screen, r"1\. [-0-9: ]+  repair the door\n2\. [-0-9: ]+  漢字 and more\n")
        terminal.type("2\r")
        self.gemini.expect([[text("It goes on.")]])
        terminal.wait_for(PROMPT)
        self.compare()


if __name__ == "__main__":
    UPDATE = "--update" in sys.argv
    arguments = [word for word in sys.argv if word != "--update"]
    BINARY = str(Path(arguments.pop(1)).resolve())
    unittest.main(argv=arguments, verbosity=0)
