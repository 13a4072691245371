# SPDX-License-Identifier: MIT
"""The golden cases of both Yume dialects, and what a window should show for each.

What should be shown is taken from the other side of the wire: from what the server said
(`backend/NN.http`), from the arguments, and from the session's file, never from the lines that are
judged. The server's script is in every case and is written by hand; a session's file would be as
independent, but only few cases compare their home directory. Of the lines it is asked only whether a
session began at all.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

DIALECTS = ("yume", "yume-app")
TERMINATED = 128 + 15
# What a tab shows before a process that cannot know it: that of another conversation.
SIZE_BEFORE = 40_000


@dataclass
class Call:
    id: str  # as the model gave it, or empty
    name: str


@dataclass
class Reply:
    """What the server answers to one request."""
    status: int = 0
    content_type: str = ""
    texts: list = field(default_factory=list)     # blocks: what came without something else between
    thoughts: list = field(default_factory=list)
    calls: list = field(default_factory=list)
    prompt_tokens: int = None
    finish: str = ""       # the model's last word
    reason: str = ""       # of a failure, in the server's words

    @property
    def complete(self):
        return bool(self.finish)


def body_of_script(text):
    """(first line, headers, body) of a backend script, without its directives."""
    head, _, rest = text.partition("\n\n")
    if head.startswith("#") and not head.startswith("##"):
        return "", "", ""  # a server that speaks no HTTP
    head = "\n".join(line for line in head.split("\n") if not line.startswith("##"))
    body = []
    for line in rest.split("\n"):
        if line.startswith("#raw "):
            body.append(line[5:].encode().decode("unicode_escape"))
        elif not line.startswith("#"):
            body.append(line + "\n")
    first, _, headers = head.partition("\n")
    return first, headers, "".join(body)


def read_reply(path):
    first, headers, body = body_of_script(path.read_text(encoding="utf-8"))
    reply = Reply()
    if not first:
        return reply
    reply.status = int(first.split()[1])
    found = re.search(r"(?im)^content-type:\s*(\S+)", headers)
    reply.content_type = found.group(1) if found else ""
    if reply.content_type != "text/event-stream":
        reply.reason = reason_of_body(body)
        return reply
    last_kind = None
    for event in re.findall(r"(?m)^data: (.*)$", body):
        try:
            said = json.loads(event)
        except ValueError:
            continue
        last_kind = add_event(reply, said, last_kind)
    return reply


def reason_of_body(body):
    try:
        return json.loads(body)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return ""


def add_event(reply, said, last_kind):
    """Adds one event of the stream; the kind of the part that came last, for the next."""
    usage = said.get("usageMetadata", {})
    if "promptTokenCount" in usage:
        reply.prompt_tokens = usage["promptTokenCount"]  # with what was cached (1.6)
    reply.reason = said.get("error", {}).get("message") or reply.reason
    reply.reason = said.get("promptFeedback", {}).get("blockReason") or reply.reason
    for candidate in said.get("candidates", [])[:1]:
        reply.finish = candidate.get("finishReason", reply.finish)
        for part in candidate.get("content", {}).get("parts", []):
            last_kind = add_part(reply, part, last_kind)
    if reply.finish not in ("", "STOP", "MAX_TOKENS"):
        reply.reason = reply.finish
    return last_kind


def add_part(reply, part, last_kind):
    if "functionCall" in part:
        call = part["functionCall"]
        if "name" in call:  # without: more arguments for the call before
            reply.calls.append(Call(call.get("id", ""), call["name"]))
        return "call"
    text = part.get("text", "")
    if not text:
        return last_kind
    kind, blocks = ("thought", reply.thoughts) if part.get("thought") else ("text", reply.texts)
    if last_kind == kind:
        blocks[-1] += text
    else:
        blocks.append(text)
    return kind


class Case:
    def __init__(self, folder, root):
        self.folder = folder
        self.name = folder.relative_to(root).as_posix()
        self.config = json.loads((folder / "case.json").read_text(encoding="utf-8"))
        self.args = self.config["args"]
        self.exit = self.config.get("exit", 0)

    # -- the command line ---------------------------------------------------------------------

    def flag(self, name):
        """The value of a flag, in either form; None when it is not there."""
        for index, token in enumerate(self.args):
            if token == name and index + 1 < len(self.args):
                return self.args[index + 1]
            if token.startswith(name + "="):
                return token[len(name) + 1:]
        return None

    @property
    def dialect(self):
        """As docs/yume.md says it is chosen; a golden case has no app among its ancestors."""
        named = (self.flag("--dialect") or (self.config.get("env") or {}).get("YUME_CLI_DIALECT")
                 or self.settings().get("dialect"))
        return named or ("yume" if self.flag("--provider") else "claude")

    def settings(self):
        path = self.folder / "home" / ".yume" / "settings.json"
        text = path.read_text(encoding="utf-8") if path.exists() else "{}"
        try:
            return json.loads(text)
        except ValueError:  # the case is about a broken one, of which no more is known
            return dict(re.findall(r'"(dialect)"\s*:\s*"([^"]*)"', text))

    @property
    def prompt(self):
        given = self.flag("--prompt")
        if given is None and (self.folder / "stdin.ndjson").exists():
            given = prompt_of_lines((self.folder / "stdin.ndjson").read_text(encoding="utf-8"))
        return given

    @property
    def session_tag(self):
        """How the ids of calls end in the app's lines: the beginning of the session's id."""
        given = self.flag("--session-id") or self.flag("--resume") or ""
        return given.split("-")[0]

    # -- what the run was ---------------------------------------------------------------------

    @property
    def reader_goes_away(self):
        return any(action.get("close_stdout") for action in self.config.get("on_stdout", []))

    @property
    def is_killed(self):
        return isinstance(self.exit, str) or self.exit == TERMINATED

    @property
    def fails(self):
        return not self.is_killed and self.exit != 0

    @property
    def replies(self):
        return [read_reply(path) for path in sorted((self.folder / "backend").glob("*.http"))]

    @property
    def spoken(self):
        """The replies that are part of the conversation. Other requests, for a summary or for a
        search, declare none of the tools that the conversation has; those of a subagent all but the
        one that starts subagents."""
        return [reply for number, reply in enumerate(self.replies, 1)
                if self.declares_tools(number) and not self.is_of_subagent(number)]

    def functions(self, number):
        path = self.folder / "expect" / "requests" / f"{number:02}.json"
        if not path.exists():
            return None
        return json.loads(path.read_text(encoding="utf-8")).get("functions")

    def declares_tools(self, number):
        path = self.folder / "expect" / "requests" / f"{number:02}.json"
        if self.flag("--tools") == "" or not path.exists():
            return True
        return bool(self.functions(number))

    def is_of_subagent(self, number):
        def starts_subagents(functions):
            return any(name in ("%{tools}", "Agent") for name in functions or [])
        return starts_subagents(self.functions(1)) and not starts_subagents(self.functions(number) or ["Agent"])

    @property
    def compacts(self):
        """/compact was asked for, and the model gave a summary."""
        asked = (self.prompt or "").split(" ")[0] == "/compact"
        return asked and self.exit == 0 and any(reply.complete for reply in self.replies)

    @property
    def answers_command(self):
        """A command like /cost: one text, and the model says nothing."""
        is_command = (self.prompt or "").startswith("/")
        return (is_command and self.exit == 0 and not self.compacts
                and not any(reply.texts for reply in self.spoken))

    # -- what should be shown -----------------------------------------------------------------

    @property
    def texts(self):
        return [text for reply in self.spoken for text in reply.texts]

    @property
    def thoughts(self):
        return [text for reply in self.spoken for text in reply.thoughts]

    @property
    def calls(self):
        """Those that were run: not those of a reply that broke off."""
        return [call for reply in self.spoken if reply.complete for call in reply.calls]

    def reason_words(self):
        """Words of which one must be in the reason; none when they cannot be known from here."""
        words = [reply.reason for reply in self.spoken[-1:] if reply.reason]
        words += [str(reply.status) for reply in self.spoken[-1:] if reply.status >= 300]
        words += [reply.content_type for reply in self.spoken[-1:]
                  if reply.status == 200 and reply.content_type != "text/event-stream"]
        for flag in ("--history-file", "--max-turns", "--max-budget-usd"):
            words += [Path(value).name for value in [self.flag(flag)] if value and not words]
        if self.flag("--provider") not in (None, "gemini"):
            words.append(f"'{self.flag('--provider')}'")
        words += [name for name, value in (self.config.get("env") or {}).items() if value is None]
        return words

    def size_before(self, began):
        """What the tab shows before the run: the size of the resumed conversation, nothing in a new
        tab. Of a run that never began a session nothing is known: its tab may show anything."""
        resumed = last_size(self.folder / "home") if self.flag("--resume") else None
        return resumed if began else resumed or SIZE_BEFORE

    # -- what was left ------------------------------------------------------------------------

    def lines(self):
        """The lines of stdout; of the macros those that stand for a number become one."""
        path = self.folder / "expect" / "stdout.ndjson"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        return re.sub(r"%\{(ms|bytes:\d+|pid:\d+)\}", "1", text).splitlines()

    def notices(self):
        """What the program itself says to the person beside the answer. Nothing but the lines knows
        of it; it must be shown all the same."""
        if self.dialect != "yume-app" or self.fails or self.answers_command:
            return []
        said = [json.loads(line).get("message") for line in self.lines()]
        return [block["text"] for message in said
                if isinstance(message, dict) and message.get("model") == "<synthetic>"
                for block in message["content"]]

    def error_lines(self):
        path = self.folder / "expect" / "stderr"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    def left_files(self):
        """Names of the files that the run left in its home directory; None: not compared."""
        if self.config.get("home") != "compared":
            return None
        home = self.folder / "expect" / "home"
        return [path.relative_to(home) for path in sorted(home.rglob("*")) if path.is_file()]

    def left_json(self, name):
        text = (self.folder / "expect" / "home" / name).read_text(encoding="utf-8")
        return json.loads(re.sub(r"%\{(ms|bytes:\d+|pid:\d+)\}", "1", text))


def prompt_of_lines(text):
    for line in text.splitlines():
        try:
            said = json.loads(line)
        except ValueError:
            continue
        if said.get("type") == "user":
            content = said["message"]["content"]
            return content if isinstance(content, str) else content[0].get("text", "")
    return None


def last_size(home):
    """The size of the context after the last reply in the session file that a case begins with."""
    size = None
    for path in sorted(home.rglob("*.jsonl")) if home.exists() else []:
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            usage = record.get("message", {}).get("usage") if record.get("type") == "assistant" else None
            if usage and usage.get("input_tokens"):
                size = usage["input_tokens"] + usage.get("cache_read_input_tokens", 0)
    return size


def find_cases(root):
    """Cases with lines in one of the dialects, by name; some have none, and should."""
    cases = (Case(path.parent, root) for path in sorted(root.rglob("case.json")))
    return [case for case in cases
            if case.dialect in DIALECTS and case.flag("--output-format") == "stream-json"]
