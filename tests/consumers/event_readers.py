# SPDX-License-Identifier: MIT
"""How public programs read events of their own kinds, as JSON lines: written anew from what is known
of their rules. They are strict: an unknown spelling or a number of the wrong kind raises."""

from datetime import datetime

TOOL_KINDS = {"read", "edit", "delete", "move", "search", "execute", "think", "fetch", "browse",
              "ask", "memory", "mcp", "other"}


def require(holds, what):
    if not holds:
        raise ValueError(what)


def is_integer(value):
    return type(value) is int  # a bool is none


class InsightsEvents:
    """A desktop program's event type: one enum for each set of words, typed fields."""

    # field: (check, required)
    TEXT = (lambda value: isinstance(value, str), False)
    NEEDED = (lambda value: isinstance(value, str), True)
    INTEGER = (is_integer, False)
    NUMBER = (lambda value: is_integer(value) or isinstance(value, float), False)
    FLAG = (lambda value: isinstance(value, bool), False)
    TEXTS = (lambda value: isinstance(value, list) and
             all(isinstance(one, str) for one in value), False)
    OBJECTS = (lambda value: isinstance(value, list) and
               all(isinstance(one, dict) for one in value), False)
    OBJECT = (lambda value: isinstance(value, dict), False)
    MAP = (lambda value: isinstance(value, dict), True)
    ANY = (lambda value: True, False)

    @staticmethod
    def one_of(*words):
        return (lambda value: value in words, True)

    FIELDS = {
        "session_init": {"model": TEXT, "reasoningEffort": TEXT, "cwd": TEXT,
                         "availableTools": TEXTS, "mcpServers": OBJECTS, "permissionMode": TEXT,
                         "account": OBJECT, "slashCommands": OBJECTS, "availableModels": OBJECTS},
        "session_status": {"message": TEXT},
        "text": {"text": NEEDED, "parentCallId": TEXT, "model": TEXT},
        "user_input": {"text": NEEDED, "images": OBJECTS, "isSynthetic": FLAG},
        "tool_invocation": {"callId": NEEDED, "toolName": NEEDED, "title": TEXT, "input": MAP,
                            "locations": TEXTS, "parentCallId": TEXT, "model": TEXT},
        "tool_completion": {"callId": NEEDED, "output": ANY, "isError": FLAG, "content": OBJECTS,
                            "locations": TEXTS},
        "subagent_spawn": {"callId": NEEDED, "agentType": TEXT, "description": TEXT,
                           "isResume": FLAG, "resumeAgentId": TEXT},
        "subagent_complete": {"callId": NEEDED, "agentId": TEXT, "status": TEXT, "summary": TEXT},
        "turn_complete": {"isError": FLAG, "subtype": TEXT, "errors": TEXTS, "result": TEXT,
                          "costUsd": NUMBER, "durationMs": INTEGER, "durationApiMs": INTEGER,
                          "numTurns": INTEGER, "usage": OBJECT, "modelUsage": OBJECT,
                          "permissionDenials": OBJECTS},
        "context_compaction": {"preTokens": INTEGER, "summary": TEXT},
        "permission_request": {"requestId": NEEDED, "toolName": NEEDED, "toolInput": MAP,
                               "toolUseId": TEXT, "reason": TEXT, "blockedPath": TEXT,
                               "suggestions": OBJECTS},
        "config_options": {"configOptions": OBJECTS},
        "available_commands": {"availableCommands": OBJECTS},
        "session_mode": {"currentModeId": NEEDED, "availableModes": OBJECTS},
        "stream_delta": {"parentCallId": TEXT, "textDelta": TEXT, "jsonDelta": TEXT,
                         "blockIndex": INTEGER, "callId": TEXT},
        "usage_update": {"stepUsage": MAP},
        "rate_limit_update": {},
    }
    WORDS = {
        "session_status": {"status": one_of("compacting", "resuming", "interrupted", "ended",
                                            "error")},
        "text": {"kind": one_of("text", "thinking", "plan", "error")},
        "tool_invocation": {"kind": one_of(*TOOL_KINDS)},
        "tool_completion": {"status": one_of("completed", "failed", "cancelled")},
        "context_compaction": {"trigger": one_of("auto", "manual", "cleared")},
        "permission_request": {"toolKind": one_of(*TOOL_KINDS)},
        "stream_delta": {"kind": one_of("text", "thinking", "toolInput", "messageStart",
                                        "messageStop", "blockStart", "blockStop")},
    }
    COMMON = {"event", "id", "timestamp", "provider", "raw", "extensions", "sessionId"}
    COUNTS = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheCreationTokens",
              "contextWindow", "webSearchRequests")

    def __init__(self):
        self.events = []
        self.ids = set()
        self.pieces = {"text": "", "thinking": ""}
        self.whole = {"text": "", "thinking": "", "plan": "", "error": ""}
        self.open_calls = []

    def read(self, event):
        kind = event["event"]
        require(kind in self.FIELDS, f"unknown event {kind}")
        require(isinstance(event["id"], str) and event["id"] not in self.ids, "id")
        self.ids.add(event["id"])
        datetime.fromisoformat(event["timestamp"].replace("Z", "+00:00"))
        require(event["provider"] in ("claude", "codex", "gemini", "acp"), "provider")
        require(isinstance(event["sessionId"], str), "sessionId")
        require(isinstance(event.get("extensions", {}), dict), "extensions")
        fields = {**self.FIELDS[kind], **self.WORDS.get(kind, {})}
        for name, (check, needed) in fields.items():
            value = event.get(name)
            require(value is not None or not needed, f"{kind}.{name} is missing")
            require(value is None or check(value), f"{kind}.{name} is {value!r}")
        extra = set(event) - set(fields) - self.COMMON
        require(not extra, f"{kind} has {extra}")
        self.follow(kind, event)
        self.events.append(event)

    def follow(self, kind, event):
        if kind == "stream_delta" and "textDelta" in event:
            self.pieces[event["kind"]] += event["textDelta"]
        elif kind == "text":
            self.whole[event["kind"]] += event["text"]
        elif kind == "tool_invocation":
            self.open_calls.append(event["callId"])
        elif kind == "tool_completion":
            self.open_calls.remove(event["callId"])
        elif kind == "turn_complete":
            require(not self.open_calls, "a turn ended with open calls")
            require(self.pieces["text"] == self.whole["text"], "pieces and whole texts differ")
            for counts in (event.get("usage", {}), *event.get("modelUsage", {}).values()):
                for name in self.COUNTS:
                    require(is_integer(counts.get(name, 0)), name)
            for denial in event.get("permissionDenials", []):
                require(set(denial) == {"tool_name", "tool_use_id", "tool_input"}, "denial")
        elif kind == "permission_request":
            for one in event.get("suggestions", []):
                require(isinstance(one["type"], str) and isinstance(one["description"], str),
                        "suggestion")

    def kinds(self):
        return [event["event"] for event in self.events]

    def of(self, kind):
        return [event for event in self.events if event["event"] == kind]


class AgentEvents:
    """A team's event type. Text of the category `message` is gathered until the turn is complete."""

    KINDS = {"session.started", "text", "tool.started", "tool.completed", "turn.completed", "error",
             "todo_list"}

    def __init__(self):
        self.text = ""
        self.kinds = []
        self.tools = {}
        self.outputs = {}
        self.errors = []
        self.todos = None
        self.finished = None

    def read(self, event):
        kind = event["type"]
        require(kind in self.KINDS, f"unknown type {kind}")
        require(isinstance(event["eventId"], str) and isinstance(event["agentId"], str), "ids")
        require(event["agentType"] == "google-gemini", "agentType")
        require(is_integer(event["timestamp"]) and event["timestamp"] > 1_700_000_000_000, "time")
        require(isinstance(event["teamMetadata"], dict), "teamMetadata")
        self.kinds.append(kind)
        if kind == "text" and event.get("category") == "message":
            self.text += event["text"]
        elif kind == "tool.started":
            require(isinstance(event["input"], dict), "input")
            self.tools[event["toolId"]] = event["toolName"]
        elif kind == "tool.completed":
            require(event["toolId"] in self.tools, "a result without a call")
            self.outputs[event["toolId"]] = (event.get("output"), event.get("error"))
        elif kind == "error":
            self.errors.append((event["error"], event.get("code")))
        elif kind == "todo_list":
            require(isinstance(event["todoId"], str) and event["todoId"], "todoId")
            for item in event["items"]:
                require(item["text"].strip(), "an item without a text")
                require(item["status"] in ("pending", "in_progress", "completed", "cancelled"),
                        item["status"])
            self.todos = [(item["text"], item["status"]) for item in event["items"]]
        elif kind == "turn.completed":
            require(event["finishReason"] in ("done", "error", "cancelled", "timeout"), "reason")
            self.finished = event["finishReason"]
