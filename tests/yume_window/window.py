# SPDX-License-Identifier: MIT
"""What one tab of the released Yume app (0.3.1) shows for the lines that it is given.

The app is no part of this repository. This is a model of it, written from the facts that were
measured and read in it (hosts.md, the sections named below), so that a test can ask of every golden
transcript: is each answer and each tool shown exactly once, which size of the context is displayed,
does the spinner end, does the tab say "compacted", can the reason of a failure be seen.

    Spawner        the Rust side: which lines go to whom, the session's id          1.4
    EarlyListener  the client's `onMessageAsync`, live from the start               0 (rule 2), 1.5
    MainListener   the client's `onMessage`, live some time after the start         1.5, 1.11
    Store          rows, context, compaction, spinner                               1.5, 1.6, 1.11
    Window         all of these together, over the processes of one tab

Where 1.11, which was measured in the running window, says something else than the sections before
it, which were read in its source, 1.11 is followed. How a line replaces the row of its id (1.11)
was read in the app's source in more detail: which listener keeps the id, in which place the row
stays, what is compared before it is drawn again.

Each time the window loses, repeats or mistakes something, it notes the Quirk that did it. A window
can also be made without some of them: if all is right then, they are what was wrong.

Left out, because no line of ours is concerned: the dialects of other programs (`message`, Codex's
events, `stats`), snapshots of files, cost, how tool inputs and differences are drawn, and the path
of `claude` (1.4, path B). Yume's Node server (2) is another reader altogether.
"""

import json
from collections import OrderedDict, deque
from dataclasses import dataclass
from enum import Enum

REMEMBERED_LINES = 1000  # hosts.md 0, rule 3: of each listener
KEPT_ROWS = 500          # 1.5
BAR_WINDOW = 1_000_000   # 1.6: what the bar takes for Gemini's window
WRAPPER_WINDOW = 200_000  # 1.6: what decides about compaction, whatever the model
WARNS_AT, COMPACTS_AT, FORCES_AT = 0.55, 0.60, 0.65  # 1.6: shares of the latter

# 1.5: results with one of these are not shown at all.
HIDING_WORDS = ("<tool_use_error>", "File has not been read yet", "requested permissions to",
                "haven't granted it yet")
# 0, rule 11: which texts of a failed result become an error.
ERROR_WORDS = ("error", "failed", "fatal")
HARMLESS_WORDS = ("has been updated", "successfully", "Applied", "created", "\u2192")


class Quirk(Enum):
    """What the window does with lines, where it is not what one would expect."""
    text_twice = "both listeners take flat text, and the early one makes a bubble of each line (1.11)"
    result_twice = "both listeners take flat tool results, which get no id (1.11)"
    thought_lost = "flat thinking is never shown (1.11)"
    same_millisecond = "early bubbles are named by the millisecond and overwrite each other (1.5)"
    same_line = "a line that equals one of the last thousand is dropped (0, rule 3)"
    equal_blocks = "two equal blocks are shown once, unless an id tells them apart (1.11)"
    thought_not_redrawn = "a row is drawn again only if its text has changed, not its thought (read)"
    call_overwritten = "tool rows are known by the call's id in the whole tab (1.11)"
    result_repeated = "a result's text is shown if no text of the assistant equals it (1.6)"
    result_hidden = "results with certain words are hidden (1.5)"
    error_dropped = "rows of type error are dropped by the chat (1.11)"
    still_pending = "flat results leave their call pending, and an error clears nothing (1.5, 1.6)"
    no_result = "a process that ends without a result leaves the spinner on (1.11)"
    zero_usage = "a usage of zeros is read as a compaction (1.11)"
    compact_word = "a result's text with the word compact is read as a compaction (1.11)"
    listened_late = "lines before the main listener is there are lost to it (1.11)"
    old_row_dropped = "only the last 500 rows are kept (1.5)"
    file_listed = "every *.json in the folder of views is listed as a conversation (1.11)"


class Kind(Enum):
    text = "text"          # of the assistant
    thinking = "thinking"
    call = "call"
    call_result = "result of a call"
    result = "result"      # of the turn
    error = "error"
    user = "user"
    system = "system"


@dataclass
class Row:
    id: str
    kind: Kind
    text: str = ""
    call_id: str = ""
    name: str = ""
    turn: int = 0
    content: str = ""  # of a bubble, with all its fields: by this it is compared with others


class Store:
    """The React side's state of one tab: its rows, and what stands around them."""

    def __init__(self, cured=()):
        self.cured = frozenset(cured)  # quirks that this one does not have
        self.quirks = set()            # those that did something
        self.rows = OrderedDict()
        self.context = None      # tokens; None: nothing was reported yet
        self.compacted = False   # "Conversation compacted successfully" has appeared
        self.session_id = None   # as the client knows it
        self.streaming = False
        self.pending = set()     # calls without a result, as far as the store knows
        self.answered_flat = set()
        self.turn = 0
        self.made_ids = 0

    def has(self, quirk):
        """Whether the window is like this; to be asked where it matters, and noted then."""
        if quirk not in self.cured:
            self.quirks.add(quirk)
        return quirk not in self.cured

    # -- rows ---------------------------------------------------------------------------------

    def new_id(self, what):
        self.made_ids += 1
        return f"{what}-{self.made_ids}"

    def put(self, row):
        """A row with a known id replaces the one that is there, in its place."""
        self.rows[row.id] = row
        if len(self.rows) > KEPT_ROWS and self.has(Quirk.old_row_dropped):
            self.rows.popitem(last=False)

    def put_of_call(self, row):
        earlier = self.rows.get(row.id)
        # In one turn it is the same call, which both listeners hand on when it is flat: no harm.
        if earlier is not None and earlier.turn != row.turn and not self.has(Quirk.call_overwritten):
            self.rows[self.new_id("earlier")] = earlier
        self.put(row)

    def add_bubble(self, row_id, kind, text, content):
        """Nested text or thinking."""
        earlier = self.rows.get(row_id)
        if (earlier is not None and kind is earlier.kind is Kind.thinking and text != earlier.text
                and self.has(Quirk.thought_not_redrawn)):
            text = earlier.text
        self.put(Row(row_id, kind, text, content=content))

    def add_call(self, call_id, name):
        self.put_of_call(Row(call_id, Kind.call, call_id=call_id, name=name, turn=self.turn))
        self.pending.add(call_id)

    def add_nested_result(self, call_id, content):
        self.pending.discard(call_id)
        self.put_of_call(
            Row(f"result-of-{call_id}", Kind.call_result, content, call_id, turn=self.turn))

    def add_flat_result(self, call_id, content):
        """Without an id of its own, and the set of pending calls is not told (1.5)."""
        self.put(Row(self.new_id("flat-result"), Kind.call_result, content, call_id))
        self.answered_flat.add(call_id)

    def add_error(self, message):
        self.put(Row(self.new_id("error"), Kind.error, message))

    def visible_rows(self):
        """What the chat shows of the rows."""
        said = {row.text for row in self.rows.values() if row.kind is Kind.text}
        visible, contents = [], set()
        for row in self.rows.values():
            if row.content and row.content in contents and self.has(Quirk.equal_blocks):
                continue
            contents.add(row.content)
            if self.is_visible(row, said):
                visible.append(row)
        return visible

    def is_visible(self, row, said):
        if row.kind is Kind.error:
            return not self.has(Quirk.error_dropped)
        if row.kind is Kind.call_result and any(word in row.text for word in HIDING_WORDS):
            return not self.has(Quirk.result_hidden)
        if row.kind is Kind.result:
            new = row.text and row.text not in said
            return bool(new) and (not said or self.has(Quirk.result_repeated))
        return row.kind not in (Kind.user, Kind.system)

    # -- context and compaction ---------------------------------------------------------------

    def measure(self, usage):
        """Of the last line with a top-level usage: a snapshot, no sum (1.6)."""
        self.context = sum(usage.get(key, 0) for key in (
            "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"))

    @property
    def bar_percent(self):
        return 100 * (self.context or 0) / BAR_WINDOW

    @property
    def next_prompt(self):
        """What the wrapper does before the next prompt (1.6)."""
        share = (self.context or 0) / WRAPPER_WINDOW
        if share >= FORCES_AT:
            return "compacts, forced"
        if share >= COMPACTS_AT:
            return "compacts"
        return "warns" if share >= WARNS_AT else "asks"

    # -- the end of a turn --------------------------------------------------------------------

    @property
    def spinner(self):
        # That a pending call keeps it on is inferred: only a clean result is said to clear both by
        # force (0, rule 12; 1.6).
        return self.streaming or bool(self.pending)

    def begin_turn(self):
        """The user has sent something; what an earlier turn left on is forgotten (1.11)."""
        self.turn += 1
        self.streaming = True
        self.pending.clear()

    def end_streaming(self):
        """`streaming_end`, from a result, an error or `claude-complete` (1.6)."""
        self.streaming = False

    def end_turn(self, line):
        usage = line.get("usage")
        if isinstance(usage, dict):
            empty = usage.get("input_tokens") == 0 and usage.get("output_tokens") == 0
            if not empty or self.has(Quirk.zero_usage):
                self.measure(usage)
                self.compacted |= empty
        text = line.get("result") or ""
        if "compact" in text.lower() and self.has(Quirk.compact_word):
            self.compacted = True
        failed = bool(line.get("is_error"))
        # Both listeners do this. Whether that makes two rows is not known, and not asked: one that
        # repeats the answer is one too many.
        row_id = f"result-of-turn-{self.turn}"
        kind = Kind.error if is_shown_as_error(line, text) else Kind.result
        self.put(Row(row_id, kind, text))
        duration = line.get("duration_ms")
        if not failed and type(duration) is int and duration > 0:
            self.pending.clear()
        elif self.pending & self.answered_flat and not self.has(Quirk.still_pending):
            self.pending -= self.answered_flat
        self.end_streaming()


def is_shown_as_error(line, text):
    """Rule 11 of section 0."""
    return (line.get("subtype") != "success" and any(word in text.lower() for word in ERROR_WORDS)
            and not any(word in text for word in HARMLESS_WORDS))


class Listener:
    """What both listeners of the client understand (1.5)."""

    def __init__(self, store):
        self.store = store
        self.last_lines = deque(maxlen=REMEMBERED_LINES)

    def hear(self, raw, at_ms):
        if raw in self.last_lines and self.store.has(Quirk.same_line):
            return
        self.last_lines.append(raw)
        try:
            line = json.loads(raw)
        except ValueError:
            line = None
        if not isinstance(line, dict):
            self.store.add_error(raw)  # 0, rule 6
            return
        handler = getattr(self, f"on_{line.get('type')}", None)
        if handler is not None:  # the rest is silently ignored
            handler(line, at_ms)

    def on_tool_use(self, line, _):
        self.store.add_call(line.get("id") or line.get("tool_id"), line.get("name"))

    def on_tool_result(self, line, _):
        content = line.get("content", line.get("output", ""))
        self.store.add_flat_result(line.get("tool_use_id") or line.get("tool_id"), content)

    def on_result(self, line, _):
        self.store.session_id = line.get("session_id") or self.store.session_id
        self.store.end_turn(line)

    def on_error(self, line, _):
        error = line.get("error")
        message = line.get("message") or (error.get("message") if isinstance(error, dict) else None)
        self.store.add_error(message or "Unknown error")
        self.store.end_streaming()

    def on_system(self, line, _):
        message = line.get("message")
        if line.get("subtype") == "error":
            self.store.add_error(message or "")
            return
        self.store.session_id = line.get("session_id") or self.store.session_id
        if isinstance(message, str):
            self.store.put(Row(self.store.new_id("system"), Kind.system, message))


class EarlyListener(Listener):
    """Knows flat lines only: `assistant`, `user`, `thinking` and `usage` pass it by (0, rule 2)."""

    def on_text(self, line, at_ms):
        if not self.store.has(Quirk.text_twice):
            return
        row_id = f"assistant-{at_ms}-stream"
        if row_id in self.store.rows and not self.store.has(Quirk.same_millisecond):
            row_id = self.store.new_id(row_id)
        self.store.put(Row(row_id, Kind.text, line.get("content", "")))

    def on_tool_result(self, line, at_ms):
        if self.store.has(Quirk.result_twice):
            super().on_tool_result(line, at_ms)


class MainListener(Listener):
    """Knows all lines, from the moment at which it is registered (1.5, 1.11)."""

    def __init__(self, store):
        super().__init__(store)
        self.growing = None  # the row that flat text goes to

    def on_text(self, line, _):
        if self.growing is None:
            self.growing = Row(self.store.new_id("assistant"), Kind.text)
            self.store.put(self.growing)
        self.growing.text += line.get("content", "")

    def on_tool_use(self, line, at_ms):
        self.growing = None
        super().on_tool_use(line, at_ms)

    def on_result(self, line, at_ms):
        self.growing = None
        super().on_result(line, at_ms)

    def on_error(self, line, at_ms):
        self.growing = None
        super().on_error(line, at_ms)

    def on_thinking(self, line, _):
        if line.get("thought") and not self.store.has(Quirk.thought_lost):
            self.store.put(Row(self.store.new_id("thinking"), Kind.thinking, line["thought"]))

    def on_usage(self, line, _):
        if isinstance(line.get("usage"), dict):  # top-level numbers are not looked at (1.5)
            self.store.measure(line["usage"])

    def on_assistant(self, line, _):
        blocks = line.get("message", {}).get("content", [])
        for block in blocks:
            if block.get("type") == "tool_use":
                self.store.add_call(block.get("id"), block.get("name"))
        said = [block for block in blocks if block.get("type") in ("text", "thinking")]
        if said:
            # The message's id is not looked at. Of the line's own only one that begins like this
            # is kept, so that such a line replaces its row (1.11), which stays where it is. The
            # early listener passes these lines by, so that nothing keeps the id twice.
            own = str(line.get("id", ""))
            row_id = own if own.startswith("bash-") else self.store.new_id("assistant")
            kind = Kind.text if any(block["type"] == "text" for block in said) else Kind.thinking
            text = "".join(block.get(block["type"], "") for block in said)
            self.store.add_bubble(row_id, kind, text, json.dumps(said, sort_keys=True))

    def on_user(self, line, _):
        content = line.get("message", {}).get("content", [])
        for block in content if isinstance(content, list) else []:
            if block.get("type") == "tool_result":
                content = block.get("content", "")
                text = content if isinstance(content, str) else json.dumps(content)
                self.store.add_nested_result(block.get("tool_use_id"), text)
        # The message itself becomes a row too, which the store hides.
        self.store.put(Row(self.store.new_id("user"), Kind.user))


class Spawner:
    """The Rust side of one process: it hands on every line, and looks into few of them (1.4)."""

    def __init__(self, synthetic_id, deliver, complete):
        self.synthetic_id = synthetic_id
        self.deliver = deliver
        self.complete = complete
        self.id_updates = []  # (old, new)
        self.has_result = False

    def read(self, raw, at_ms):
        try:
            line = json.loads(raw)
        except ValueError:
            line = {}
        if not isinstance(line, dict):
            line = {}
        kind = line.get("type")
        begins = kind == "init" or (kind == "system" and line.get("subtype") == "init")
        if begins and not self.id_updates and isinstance(line.get("session_id"), str):
            self.id_updates.append((self.synthetic_id, line["session_id"]))
        self.deliver(raw, at_ms)
        if kind in ("result", "message_stop"):
            self.has_result = True
            self.complete()


class Window:
    """One tab of the app, over all the processes that are started for it.

        window = Window()
        window.start(main_listens_at_ms=0)
        window.read_line('{"type":...}', at_ms=120)
        window.end_process()

    Times are milliseconds since the start of the process. When the main listener is there is a race:
    in 1.11's runs lines were lost to it that began after 2 ms, and none that began after 120 ms.
    """

    def __init__(self, context=None, cured=()):
        self.store = Store(cured)
        self.store.context = context
        self.early = EarlyListener(self.store)
        self.main = MainListener(self.store)
        self.spawner = None
        self.id_updates = []
        self.main_listens_at_ms = 0

    def start(self, main_listens_at_ms=0):
        """Every turn is a new process (1.2)."""
        self.main_listens_at_ms = main_listens_at_ms
        self.main.growing = None  # it is registered anew, for the new synthetic id
        self.store.begin_turn()
        self.spawner = Spawner(f"syn_{self.store.turn:022x}", self.deliver, self.store.end_streaming)

    def deliver(self, raw, at_ms):
        # Events on the id of the session itself have no listener of their own in a new tab.
        self.early.hear(raw, at_ms)
        if at_ms >= self.main_listens_at_ms or not self.store.has(Quirk.listened_late):
            self.main.hear(raw, at_ms)

    def read_line(self, raw, at_ms=0):
        self.spawner.read(raw, at_ms)

    def read_error_line(self, text):
        """stderr: `claude-error` (1.4)."""
        self.store.add_error(text)

    def end_process(self):
        # 1.6 counts this among what ends the spinner; 1.11 has seen it stay on.
        if not self.spawner.has_result and not self.store.has(Quirk.no_result):
            self.store.end_streaming()
            self.store.pending.clear()
        self.id_updates += self.spawner.id_updates

    # -- what can be seen ---------------------------------------------------------------------

    @property
    def quirks(self):
        return self.store.quirks

    @property
    def spinner(self):
        return self.store.spinner

    @property
    def compacted(self):
        return self.store.compacted

    @property
    def context(self):
        return self.store.context

    def shown(self, *kinds):
        """Visible rows of these kinds, or all, in order."""
        return [row for row in self.store.visible_rows() if not kinds or row.kind in kinds]

    def listed_conversations(self, views):
        """The list of recent conversations, from the files of the views' folder by name: the title,
        or None for what is no conversation and is listed all the same (1.9, 1.11)."""
        titles = {}
        for name, view in views.items():
            if "history" in view:
                titles[name] = view.get("metadata", {}).get("title")
            elif name.endswith(".json") and self.store.has(Quirk.file_listed):
                titles[name] = None
        return titles

    def results_of(self, call_id):
        """Rows with a result of this call, also those that the chat hides by their words."""
        return [row for row in self.store.rows.values()
                if row.kind is Kind.call_result and row.call_id == call_id]
