# SPDX-License-Identifier: MIT
"""How public programs read the lines of `gemini -o stream-json`, each written anew from what is
known of its rules. A rule that a program does not have is not here."""

import json


def lines_of(stdout):
    """As a reader that splits bytes at newlines sees them; a bad one raises."""
    text = stdout.decode("ascii")  # readers that cut UTF-8 at chunk ends must not be able to
    assert text == "" or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


class AgentChatter:
    """Teams of CLIs: text of the category `message` is gathered until the turn is complete, todos
    are a list of their own."""

    STATUSES = ("pending", "in_progress", "completed", "cancelled")

    def __init__(self):
        self.text = ""
        self.tools = {}
        self.outputs = {}
        self.todos = None
        self.started = False
        self.finished = None

    def read(self, line):
        kind = line["type"]
        if kind == "init":
            self.started = True
        elif kind == "message" and line["role"] != "user":
            self.text += line["content"]
        elif kind == "tool_use":
            name = line.get("tool_name") or line.get("name")
            identity = line.get("tool_id") or line.get("id")
            inputs = line.get("parameters") or line.get("input") or {}
            if name == "write_todos":
                self.todos = [(todo["description"], todo["status"]) for todo in inputs["todos"]
                              if todo["description"] and todo["status"] in self.STATUSES]
            else:
                self.tools[identity] = (name, inputs)
        elif kind == "tool_result":
            identity = line.get("tool_id") or line.get("tool_use_id") or line.get("id")
            output = line.get("output")
            error = None if line["status"] == "success" else line["status"]
            if identity in self.tools:
                self.outputs[identity] = (output, error)
        elif kind == "result":
            self.finished = "done" if line["status"] == "success" else "error"


class Aiwf:
    """A workflow engine: concatenates what the assistant says, and keeps the paths of the files
    that were written well. It looks at stderr for a failed login."""

    WRITERS = ("write_file", "replace")

    def __init__(self):
        self.response = ""
        self.asked = {}
        self.files = []

    def read(self, line):
        if line["type"] == "message" and line["role"] == "assistant":
            self.response += line["content"]
        elif line["type"] == "tool_use" and line["tool_name"] in self.WRITERS:
            self.asked[line["tool_id"]] = line["parameters"]["file_path"]
        elif line["type"] == "tool_result" and line["status"] == "success":
            path = self.asked.get(line["tool_id"])
            if path is not None and path not in self.files:
                self.files.append(path)

    @staticmethod
    def outcome(code, stderr):
        if code == 127:
            return "not installed"
        if code != 0 and ("auth" in stderr.lower() or "login" in stderr.lower()):
            return "auth"
        return "ok" if code == 0 else "failed"


class AgentCliSdk:
    """Nests results by the id of their call, wherever they stand, and shows what it has a view
    for."""

    SHOWN = {"read_file": "Read", "write_file": "Write", "replace": "Edit",
             "list_directory": "Glob", "run_shell_command": "Bash",
             "google_web_search": "WebSearch"}

    def __init__(self):
        self.session = None
        self.blocks = []
        self.results = {}
        self.success = None

    def read(self, line):
        kind = line["type"]
        if kind == "init":
            self.session = line["session_id"]
        elif kind == "message" and line["role"] == "assistant":
            if self.blocks and self.blocks[-1][0] == "text":
                self.blocks[-1] = ("text", self.blocks[-1][1] + line["content"])
            else:
                self.blocks.append(("text", line["content"]))
        elif kind == "tool_use":
            name = self.SHOWN.get(line["tool_name"], line["tool_name"])
            self.blocks.append((name, line["tool_id"]))
        elif kind == "tool_result":
            self.results[line["tool_id"]] = line["status"] != "success"
        elif kind == "result":
            self.success = line["status"] == "success"

    def open_calls(self):
        return [block for block in self.blocks
                if block[0] != "text" and block[1] not in self.results]


class Insights:
    """A desktop program's events, made of the lines. Unknown spellings throw; integers are
    integers."""

    KINDS = {"run_shell_command": "execute", "read_file": "read", "write_file": "edit",
             "replace": "edit", "grep_search": "search", "glob": "search",
             "list_directory": "search", "web_fetch": "fetch", "google_web_search": "browse"}

    def __init__(self):
        self.events = []

    def read(self, line):
        assert isinstance(line["timestamp"], str) and line["timestamp"].endswith("Z")
        kind = line["type"]
        if kind == "init":
            self.events.append(("session_init", line["session_id"], line["model"]))
        elif kind == "message" and line["role"] == "user":
            self.events.append(("user_input", line["content"]))
        elif kind == "message":
            self.events.append(("stream_delta" if line.get("delta") else "text", line["content"]))
        elif kind == "tool_use":
            self.events.append(("tool_invocation", line["tool_id"],
                                self.KINDS.get(line["tool_name"], "other")))
        elif kind == "tool_result":
            assert line["status"] in ("success", "error")
            self.events.append(("tool_completion", line["tool_id"], line["status"] != "success"))
        elif kind == "error":
            self.events.append(("session_status", "error", line["message"]))
        elif kind == "result":
            stats = line["stats"]
            for name in ("total_tokens", "input_tokens", "output_tokens", "cached", "input",
                         "duration_ms", "tool_calls"):
                assert type(stats[name]) is int, name
            for model in stats["models"].values():
                assert all(type(count) is int for count in model.values())
            self.events.append(("turn_complete", line["status"] != "success"))
        else:
            raise ValueError(f"unknown type {kind}")


READERS = (AgentChatter, Aiwf, AgentCliSdk, Insights)
