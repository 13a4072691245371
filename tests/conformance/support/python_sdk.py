# SPDX-License-Identifier: MIT
"""The rules by which the Claude Agent SDK for Python (0.2.143) starts a program and reads its lines,
without the SDK: the order of its arguments, the probe of the version, the control channel, and the
keys whose absence it answers with an exception.

A line that the SDK would refuse is an exception of `Query.messages`, as it would be there.
"""

import itertools
import json
import os
import queue
import re
import subprocess
import threading

LONGEST_LINE = 1024 * 1024  # characters; the SDK gives up on a longer one


class ParseError(Exception):
    """A line that the SDK refuses."""


class ProcessError(Exception):
    """The program has ended with another code than 0."""


class ControlError(Exception):
    """The program has answered a request with an error."""


# ----------------------------------------------------------------------------- reading

BLOCKS = {"text": ["text"], "thinking": ["thinking", "signature"], "tool_use": ["id", "name", "input"],
          "tool_result": ["tool_use_id"]}
SYSTEM = {"task_started": ["task_id", "description", "uuid", "session_id"],
          "task_progress": ["task_id", "description", "usage", "uuid", "session_id"],
          "task_notification": ["task_id", "status", "output_file", "summary", "uuid", "session_id"]}
RESULT = ["subtype", "duration_ms", "duration_api_ms", "is_error", "num_turns", "session_id"]
EVENT = ["uuid", "session_id", "event"]


def require(data, keys, kind):
    missing = [key for key in keys if key not in data]
    if missing:
        raise ParseError(f"{kind} without {', '.join(missing)}: {data}")


def check_blocks(content, kinds, kind):
    for block in content:
        if not isinstance(block, dict):
            raise ParseError(f"{kind} with a block that is no object: {block}")
        require(block, ["type"], f"a block of {kind}")
        if block["type"] in kinds:
            require(block, BLOCKS[block["type"]], f"{block['type']} of {kind}")


def parse(data):
    """The message, or None for a type that the SDK doesn't know and skips."""
    if not isinstance(data, dict):
        raise ParseError(f"no object: {data}")
    kind = data.get("type")
    if not kind:
        raise ParseError(f"a line without a type: {data}")
    if kind in ("user", "assistant"):
        require(data, ["message"], kind)
        require(data["message"], ["content"], kind)
        content = data["message"]["content"]
        if isinstance(content, list):
            check_blocks(content, [*BLOCKS] if kind == "assistant" else
                         ["text", "tool_use", "tool_result"], kind)
        elif kind == "assistant":
            raise ParseError(f"assistant whose content is no list: {data}")
        if kind == "assistant":
            require(data["message"], ["model"], kind)
    elif kind == "system":
        require(data, ["subtype"], kind)
        require(data, SYSTEM.get(data["subtype"], []), data["subtype"])
    elif kind == "result":
        require(data, RESULT, kind)
    elif kind == "stream_event":
        require(data, EVENT, kind)
    elif kind == "rate_limit_event":
        require(data, ["rate_limit_info", "uuid", "session_id"], kind)
        require(data["rate_limit_info"], ["status"], kind)
    else:
        return None
    return data


# ----------------------------------------------------------------------------- starting

def arguments(options):
    """argv without the program, in the SDK's order."""
    argv = ["--output-format", "stream-json", "--verbose"]

    def add(name, flag, form=str):
        if options.get(name) is not None:
            argv.extend([flag, form(options[name])])

    def add_joined(name, flag):
        add(name, flag, form=",".join)

    def add_word(name, flag):
        if options.get(name):
            argv.append(flag)

    def add_bound(name, flag):
        if options.get(name):
            argv.append(f"{flag}={options[name]}")

    if "append_system_prompt" in options:
        add("append_system_prompt", "--append-system-prompt")
    elif "system_prompt_file" in options:
        add("system_prompt_file", "--system-prompt-file")
    else:
        argv.extend(["--system-prompt", options.get("system_prompt") or ""])
    add_joined("tools", "--tools")
    add_joined("allowed_tools", "--allowedTools")
    add("max_turns", "--max-turns")
    add("max_budget_usd", "--max-budget-usd")
    add_joined("disallowed_tools", "--disallowedTools")
    add("task_budget", "--task-budget")
    add("model", "--model")
    add("fallback_model", "--fallback-model")
    add_joined("betas", "--betas")
    if options.get("can_use_tool"):
        argv.extend(["--permission-prompt-tool", "stdio"])
    add("permission_mode", "--permission-mode")
    add_word("continue_conversation", "--continue")
    add_bound("resume", "--resume")
    add_bound("session_id", "--session-id")
    add("settings", "--settings")
    for folder in options.get("add_dirs", []):
        argv.extend(["--add-dir", str(folder)])
    if options.get("mcp_servers"):
        shown = {name: {key: value for key, value in server.items() if key != "instance"}
                 for name, server in options["mcp_servers"].items()}
        argv.extend(["--mcp-config", json.dumps({"mcpServers": shown})])
    add_word("include_partial_messages", "--include-partial-messages")
    add_word("include_hook_events", "--include-hook-events")
    add_word("strict_mcp_config", "--strict-mcp-config")
    add_word("fork_session", "--fork-session")
    if options.get("setting_sources") is not None:
        argv.append("--setting-sources=" + ",".join(options["setting_sources"]))
    for name, value in options.get("extra_args", {}).items():
        argv.extend([f"--{name}"] if value is None else [f"--{name}", str(value)])
    add("max_thinking_tokens", "--max-thinking-tokens")
    add("effort", "--effort")
    add("json_schema", "--json-schema", form=json.dumps)
    return argv + ["--input-format", "stream-json"]


def version(binary, env):
    """What the probe before the start finds; None is a warning to the user."""
    said = subprocess.run([binary, "-v"], env=env, capture_output=True, text=True, timeout=30)
    found = re.match(r"([0-9]+\.[0-9]+\.[0-9]+)", said.stdout.strip())
    return found and tuple(map(int, found.group(1).split(".")))


# ----------------------------------------------------------------------------- a conversation

class SdkServer:
    """An MCP server inside the host, as the SDK answers for it: `tools` is {name: function}."""

    def __init__(self, name, tools):
        self.name = name
        self.tools = tools

    def answer(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "initialize":
            result = {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}},
                      "serverInfo": {"name": self.name, "version": "1.0.0"}}
        elif method == "tools/list":
            result = {"tools": [{"name": name, "description": name,
                                 "inputSchema": {"type": "object", "properties": {
                                     "text": {"type": "string"}}}} for name in self.tools]}
        elif method == "tools/call":
            said = self.tools[params["name"]](params.get("arguments", {}))
            result = {"content": [{"type": "text", "text": said}]}
        elif method == "notifications/initialized":
            return {"jsonrpc": "2.0", "result": {}}
        else:
            return {"jsonrpc": "2.0", "id": message.get("id"),
                    "error": {"code": -32601, "message": f"Method '{method}' not found"}}
        return {"jsonrpc": "2.0", "id": message.get("id"), "result": result}


class Query:
    """One process and the host's side of its control channel. `messages` gives what the SDK would."""

    def __init__(self, binary, options, env, cwd):
        env = {**env, "CLAUDE_CODE_ENTRYPOINT": "sdk-py", "CLAUDE_AGENT_SDK_VERSION": "0.2.143",
               "PWD": str(cwd)}
        self.options = options
        self.version = version(binary, env)
        self.process = subprocess.Popen([binary, *arguments(options)], env=env, cwd=cwd,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.errors = []
        self.received = queue.Queue()
        self.answers = {}  # of requests that are pending: a queue each
        self.callbacks = {}
        self.counter = itertools.count(1)
        self.write_lock = threading.Lock()
        self.workers = []
        for body in (self.read_lines, self.read_errors):
            thread = threading.Thread(target=body, daemon=True)
            thread.start()
            self.workers.append(thread)

    # -- lines in and out

    def write(self, line):
        with self.write_lock:
            self.process.stdin.write(json.dumps(line).encode() + b"\n")
            self.process.stdin.flush()

    def read_errors(self):
        self.errors.extend(self.process.stderr)

    def read_lines(self):
        try:
            for line in self.process.stdout:
                self.take(line.decode("utf-8").strip())
            code = self.process.wait()
            self.received.put(ProcessError(f"exit code {code}") if code else None)
        except Exception as failure:  # whatever it is, the reader must learn of it
            self.received.put(failure)
        for answers in list(self.answers.values()):
            answers.put({"subtype": "error", "error": "the program has ended"})

    def take(self, line):
        if not line.startswith("{"):
            return
        if len(line) > LONGEST_LINE:
            raise ParseError(f"a line of {len(line)} characters")
        data = json.loads(line)
        kind = data.get("type")
        if kind == "control_response":
            pending = self.answers.get(data.get("response", {}).get("request_id"))
            if pending:
                pending.put(data["response"])
        elif kind == "control_request":
            threading.Thread(target=self.serve, args=(data,), daemon=True).start()
        elif kind == "control_cancel_request":
            self.received.put({"type": "cancelled", "request_id": data.get("request_id")})
        elif parse(data):
            self.received.put(data)

    # -- what the program asks

    def serve(self, line):
        request = line["request"]
        try:
            body = {"can_use_tool": self.permission, "hook_callback": self.hook,
                    "mcp_message": self.mcp}[request["subtype"]](request)
            response = {"subtype": "success", "request_id": line["request_id"], "response": body}
        except Exception as failure:  # the SDK reports every one of them
            response = {"subtype": "error", "request_id": line["request_id"], "error": str(failure)}
        try:
            self.write({"type": "control_response", "response": response})
        except (BrokenPipeError, ValueError):
            pass  # it no longer wants to know

    def permission(self, request):
        answer = self.options["can_use_tool"](request["tool_name"], request["input"], {
            "suggestions": request.get("permission_suggestions") or [],
            "tool_use_id": request.get("tool_use_id"), "agent_id": request.get("agent_id")})
        if answer["behavior"] == "allow":
            answer.setdefault("updatedInput", request["input"])
        return answer

    def hook(self, request):
        return self.callbacks[request["callback_id"]](request.get("input"), request.get("tool_use_id"))

    def mcp(self, request):
        server = self.options["mcp_servers"][request["server_name"]]["instance"]
        return {"mcp_response": server.answer(request["message"])}

    # -- what the host asks

    def request(self, subtype, **fields):
        """The body of the answer."""
        request_id = f"req_{next(self.counter)}_{os.urandom(4).hex()}"
        self.answers[request_id] = queue.Queue()
        self.write({"type": "control_request", "request_id": request_id,
                    "request": {"subtype": subtype, **fields}})
        response = self.answers[request_id].get(timeout=60)
        del self.answers[request_id]
        if response["subtype"] == "error":
            raise ControlError(response.get("error", "Unknown error"))
        return response.get("response") or {}

    def initialize(self):
        hooks = {}
        for event, groups in self.options.get("hooks", {}).items():
            hooks[event] = []
            for matcher, functions in groups:
                ids = []
                for function in functions:
                    ids.append(f"hook_{len(self.callbacks)}")
                    self.callbacks[ids[-1]] = function
                hooks[event].append({"matcher": matcher, "hookCallbackIds": ids})
        more = {"agents": self.options["agents"]} if self.options.get("agents") else {}
        return self.request("initialize", hooks=hooks or None, **more)

    def say(self, content):
        self.write({"type": "user", "session_id": "default", "parent_tool_use_id": None,
                    "message": {"role": "user", "content": content}})

    def messages(self):
        """Until the program ends, or the caller has enough."""
        while True:
            item = self.received.get(timeout=60)
            if item is None:
                return
            if isinstance(item, Exception):
                raise item
            yield item

    def response(self):
        """The messages up to the next result, which is the last of them."""
        taken = []
        for message in self.messages():
            taken.append(message)
            if message["type"] == "result":
                return taken
        raise ProcessError("stdout has ended without a result")

    def end_input(self):
        with self.write_lock:
            self.process.stdin.close()

    def close(self):
        """The exit code, after all that was left to say."""
        if not self.process.stdin.closed:
            self.end_input()
        code = self.process.wait(timeout=60)
        for worker in self.workers:
            worker.join()
        return code
