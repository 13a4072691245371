#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What hosts do through the Claude Agent SDK for Python, by its rules (support/python_sdk.py).

    python_sdk_test.py BINARY

Each test has a working directory of its own and runs alone, too.
"""

import json
import os
import sys
import tempfile
import threading
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "support"))
sys.path.insert(0, str(HERE.parent / "support"))
import python_sdk  # noqa: E402
from loopback_server import Server  # noqa: E402
from scripted_agent import environment  # noqa: E402
from streaming_gemini import Gemini, call, text, thought  # noqa: E402

BINARY = None
WRITES = [[call("Write", file_path="new.txt", content="one\n")], [text("Done.")]]


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(os.path.realpath(scratch.name))
        self.cwd = self.root / "work"
        self.home = self.root / "home"
        self.cwd.mkdir()
        self.home.mkdir()
        self.gemini = Gemini()
        self.addCleanup(self.gemini.close)

    def query(self, env=None, **options):
        """A process that has answered `initialize`."""
        options = {"model": "gemini-3.8-flash", "setting_sources": [],
                   "extra_args": {"auth": "api-key"}, **options}
        query = python_sdk.Query(BINARY, options, {
            **environment(self.home), "GOOGLE_GEMINI_BASE_URL": self.gemini.url, **(env or {})},
            self.cwd)
        self.addCleanup(query.process.stdout.close)
        self.addCleanup(query.process.stderr.close)
        self.addCleanup(query.close)
        self.addCleanup(query.process.kill)
        self.initialized = query.initialize()
        return query

    def turn(self, prompt, replies, code=0, **options):
        """A whole conversation of one prompt: its messages, and the result."""
        self.gemini.expect(replies)
        query = self.query(**options)
        query.say(prompt)
        messages = query.response()
        self.assertEqual(query.close(), code)
        self.assertEqual(query.errors, [])
        return messages, messages[-1]

    def exists(self, name):
        return (self.cwd / name).exists()


class Conversation(Case):
    def test_the_probe_finds_a_version_that_is_new_enough(self):
        query = self.query()
        self.assertGreaterEqual(query.version, (2, 0, 0))
        self.assertEqual(query.close(), 0)
        self.assertEqual(list(query.messages()), [], "nothing was asked")

    def test_initialize_describes_the_program(self):
        self.query()
        self.assertLessEqual({"commands", "agents", "output_style", "available_output_styles",
                              "models", "account"}, set(self.initialized))

    def test_a_text(self):
        messages, result = self.turn("hi", [[thought("Hm."), text("Hello.")]])
        self.assertEqual(messages[0]["subtype"], "init")
        self.assertEqual(result["result"], "Hello.")
        self.assertGreater(result["total_cost_usd"], 0)
        blocks = [one["message"]["content"][0]["type"] for one in messages if one["type"] == "assistant"]
        self.assertEqual(blocks, ["thinking", "text"])

    def test_the_empty_system_prompt_means_none(self):
        self.turn("hi", [[text("Hello.")]])
        self.assertEqual(self.gemini.requests[0].get("systemInstruction"), None)
        self.turn("hi", [[text("Hello.")]], append_system_prompt="Speak Latin.")
        prompt = self.gemini.requests[0]["systemInstruction"]["parts"]
        self.assertIn("Speak Latin.", prompt[-1]["text"])
        self.assertGreater(len(prompt[0]["text"]), 500, "it is appended to ours")

    def test_several_turns_of_one_process(self):
        self.gemini.expect([[text("One.")], [text("Two.")], [text("Three.")]])
        query = self.query()
        results = []
        for prompt in ("first", "second", "third"):
            query.say(prompt)
            results.append(query.response()[-1]["result"])
        self.assertEqual(results, ["One.", "Two.", "Three."])
        self.assertEqual(len(self.gemini.requests[-1]["contents"]), 5)
        self.assertEqual(query.close(), 0)

    def test_partial_messages_add_up_to_the_text(self):
        messages, _ = self.turn("hi", [[text("Hel"), text("lo.")]], include_partial_messages=True)
        said = "".join(one["event"]["delta"]["text"] for one in messages
                       if one["type"] == "stream_event"
                       and one["event"].get("delta", {}).get("type") == "text_delta")
        self.assertEqual(said, "Hello.")

    def test_an_answer_to_a_schema(self):
        _, result = self.turn(
            "give", [[{"functionCall": {"name": "StructuredOutput", "args": {"name": "Ada"}}}]],
            json_schema={"type": "object", "properties": {"name": {"type": "string"}},
                         "required": ["name"]})
        self.assertEqual(result["structured_output"], {"name": "Ada"})

    def test_resume_and_fork(self):
        _, first = self.turn("first", [[text("One.")]])
        messages, second = self.turn("second", [[text("Two.")]], resume=first["session_id"])
        self.assertEqual(second["session_id"], first["session_id"])
        self.assertEqual(len(self.gemini.requests[0]["contents"]), 3)
        _, fork = self.turn("third", [[text("Three.")]], resume=first["session_id"],
                            fork_session=True)
        self.assertNotEqual(fork["session_id"], first["session_id"])
        self.assertEqual(len(self.gemini.requests[0]["contents"]), 5)
        _, newest = self.turn("fourth", [[text("Four.")]], continue_conversation=True)
        self.assertEqual(newest["session_id"], fork["session_id"])

    def test_a_chosen_session_id(self):
        chosen = "6f0c8a4e-30f5-4b7e-8a1c-2b9b9a0c7d11"
        _, result = self.turn("hi", [[text("Hello.")]], session_id=chosen)
        self.assertEqual(result["session_id"], chosen)

    def test_a_long_result_of_a_tool_fits_the_readers_buffer(self):
        (self.cwd / "long.txt").write_text("a line of some length\n" * 20_000)
        messages, _ = self.turn("read", [[call("Read", file_path="long.txt", limit=10_000)],
                                         [text("Read.")]])
        self.assertTrue(any(one["type"] == "user" for one in messages))

    def test_settings_of_the_host(self):
        _, result = self.turn("write", WRITES,
                              settings='{"permissions":{"allow":["Write"]}}')
        self.assertEqual(result["permission_denials"], [])
        self.assertTrue(self.exists("new.txt"))

    def test_an_image(self):
        data = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAA"
                "AABJRU5ErkJggg==")
        self.turn([{"type": "text", "text": "what is it?"},
                   {"type": "image", "source": {"type": "base64", "media_type": "image/png",
                                                "data": data}}], [[text("A dot.")]])
        parts = self.gemini.requests[0]["contents"][0]["parts"]
        self.assertEqual([part["inlineData"]["data"] for part in parts if "inlineData" in part],
                         [data])

    def test_files_come_back_as_they_were(self):
        (self.cwd / "old.txt").write_text("one\n")
        self.gemini.expect([[call("Read", file_path="old.txt")],
                            [call("Write", file_path="old.txt", content="two\n"),
                             call("Write", file_path="new.txt", content="new\n")], [text("Done.")]])
        query = self.query(permission_mode="acceptEdits",
                           env={"CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING": "true"},
                           extra_args={"auth": "api-key", "replay-user-messages": None})
        query.say("change")
        [prompt] = [one["uuid"] for one in query.response() if one.get("isReplay")]
        self.assertEqual((self.cwd / "old.txt").read_text(), "two\n")
        query.request("rewind_files", user_message_id=prompt)
        self.assertEqual((self.cwd / "old.txt").read_text(), "one\n")
        self.assertFalse(self.exists("new.txt"))
        with self.assertRaises(python_sdk.ControlError):
            query.request("rewind_files", user_message_id="6f0c8a4e-30f5-4b7e-8a1c-2b9b9a0c7d11")
        self.assertEqual(query.close(), 0)

    def test_another_folder(self):
        other = self.root / "other"
        other.mkdir()
        (other / "a.txt").write_text("alpha\n")
        messages, result = self.turn("read", [[call("Read", file_path=str(other / "a.txt"))],
                                              [text("Read.")]], add_dirs=[other])
        self.assertEqual(result["permission_denials"], [])


class Errors(Case):
    def test_an_error_of_the_server_is_a_result_and_then_an_exit_code(self):
        self.gemini.expect([[]])  # a reply without a finish reason
        query = self.query(extra_args={"auth": "api-key", "api-base": "http://127.0.0.1:9"})
        query.say("hi")
        query.end_input()
        with self.assertRaisesRegex(python_sdk.ProcessError, "exit code 1"):
            taken = []
            for message in query.messages():
                taken.append(message)
        self.assertEqual([one["is_error"] for one in taken if one["type"] == "result"], [True])

    def test_the_limit_of_turns(self):
        (self.cwd / "a.txt").write_text("alpha\n")
        _, result = self.turn("loop", [[call("Read", file_path="a.txt")]] * 3, code=1, max_turns=1)
        self.assertEqual(result["subtype"], "error_max_turns")

    def test_the_budget(self):
        (self.cwd / "a.txt").write_text("alpha\n")
        _, result = self.turn("loop", [[call("Read", file_path="a.txt")]] * 3, code=1,
                              max_budget_usd=0.0000001)
        self.assertEqual(result["subtype"], "error_max_budget_usd")

    def test_an_unknown_request_fails_alone(self):
        self.gemini.expect([[text("Hello.")]])
        query = self.query()
        with self.assertRaises(python_sdk.ControlError):
            query.request("no_such_request")
        query.say("hi")
        self.assertEqual(query.response()[-1]["result"], "Hello.")


class Permissions(Case):
    def test_allowed_with_another_input(self):
        asked = []

        def can_use_tool(name, value, context):
            asked.append((name, context["tool_use_id"], context["suggestions"]))
            return {"behavior": "allow", "updatedInput": {**value, "content": "two\n"}}

        self.turn("write", WRITES, can_use_tool=can_use_tool)
        [(name, call_id, suggestions)] = asked
        self.assertEqual(name, "Write")
        self.assertTrue(call_id)
        self.assertEqual([one["type"] for one in suggestions], ["setMode"])
        self.assertEqual((self.cwd / "new.txt").read_text(), "two\n")

    def test_denied_in_the_hosts_words(self):
        messages, result = self.turn(
            "write", WRITES, can_use_tool=lambda *_: {"behavior": "deny", "message": "not today"})
        [block] = [one["message"]["content"][0] for one in messages if one["type"] == "user"]
        self.assertEqual((block["content"], block["is_error"]), ("not today", True))
        self.assertEqual([one["tool_name"] for one in result["permission_denials"]], ["Write"])

    def test_denied_and_the_turn_ended(self):
        _, result = self.turn("write", WRITES, code=1, can_use_tool=lambda *_: {
            "behavior": "deny", "message": "stop", "interrupt": True})
        self.assertEqual(result["subtype"], "error_during_execution")
        self.assertFalse(self.exists("new.txt"))

    def test_a_suggestion_that_is_granted_is_not_asked_for_again(self):
        asked = []

        def can_use_tool(name, _, context):
            asked.append(name)
            return {"behavior": "allow", "updatedPermissions": context["suggestions"]}

        self.turn("write", [[call("Write", file_path="a.txt", content="a")],
                            [call("Write", file_path="b.txt", content="b")], [text("Done.")]],
                  can_use_tool=can_use_tool)
        self.assertEqual(asked, ["Write"])
        self.assertTrue(self.exists("b.txt"))

    def test_a_function_that_fails_denies(self):
        def can_use_tool(*_):
            raise RuntimeError("the window was closed")

        _, result = self.turn("write", WRITES, can_use_tool=can_use_tool)
        self.assertEqual(result["result"], "Done.")
        self.assertFalse(self.exists("new.txt"))

    def test_modes(self):
        for mode, written in (("default", False), ("plan", False), ("dontAsk", False),
                              ("acceptEdits", True), ("bypassPermissions", True)):
            with self.subTest(mode):
                (self.cwd / "new.txt").unlink(missing_ok=True)
                messages, result = self.turn("write", WRITES, permission_mode=mode)
                self.assertEqual(messages[0]["permissionMode"], mode)
                self.assertEqual(self.exists("new.txt"), written)
                self.assertEqual(len(result["permission_denials"]), 0 if written else 1)

    def test_the_mode_is_changed_while_the_program_runs(self):
        self.gemini.expect(WRITES)
        query = self.query(permission_mode="default")
        query.request("set_permission_mode", mode="acceptEdits")
        query.say("write")
        query.response()
        self.assertTrue(self.exists("new.txt"))

    def test_the_model_is_changed_while_the_program_runs(self):
        self.gemini.expect([[text("One.")], [text("Two.")]])
        query = self.query()
        models = []
        for prompt in ("first", "second"):
            query.say(prompt)
            models += [one["model"] for one in query.response() if one.get("subtype") == "init"]
            query.request("set_model", model="gemini-3.6-flash")
        self.assertEqual(models, ["gemini-3.8-flash", "gemini-3.6-flash"])


class Hooks(Case):
    def test_before_a_call_it_can_be_denied(self):
        seen = []

        def deny(value, tool_use_id):
            seen.append((value["tool_name"], value["tool_use_id"] == tool_use_id))
            return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
                                           "permissionDecisionReason": "not here"}}

        messages, result = self.turn("write", WRITES, permission_mode="acceptEdits",
                                     hooks={"PreToolUse": [("Write|Edit", [deny])]})
        self.assertEqual(seen, [("Write", True)])
        self.assertEqual(len(result["permission_denials"]), 1)
        self.assertFalse(self.exists("new.txt"))

    def test_several_events_and_functions(self):
        seen = []

        def note(name, answer=None):
            return lambda value, _: (seen.append((name, value["hook_event_name"])), answer or {})[1]

        self.turn("write", WRITES, permission_mode="acceptEdits", hooks={
            "UserPromptSubmit": [(None, [note("prompt", {"hookSpecificOutput": {
                "hookEventName": "UserPromptSubmit", "additionalContext": "it is Monday"}})])],
            "PreToolUse": [("Write", [note("one"), note("two")]), ("Bash", [note("never")])],
            "PostToolUse": [(None, [note("after")])],
            "Stop": [(None, [note("end")])]})
        self.assertEqual(seen[0], ("prompt", "UserPromptSubmit"))
        self.assertEqual(sorted(seen[1:3]), [("one", "PreToolUse"), ("two", "PreToolUse")])
        self.assertEqual(seen[3:], [("after", "PostToolUse"), ("end", "Stop")])
        self.assertIn("it is Monday", str(self.gemini.requests[0]["contents"]))

    def test_the_end_can_be_refused(self):
        def more(value, _):
            return {} if value["stop_hook_active"] else {"decision": "block", "reason": "say more"}

        _, result = self.turn("go", [[text("Short.")], [text("Longer.")]],
                              hooks={"Stop": [(None, [more])]})
        self.assertEqual(result["result"], "Longer.")

    def test_a_function_that_fails_stops_nothing(self):
        def fails(*_):
            raise RuntimeError("no such table")

        self.turn("write", WRITES, permission_mode="acceptEdits",
                  hooks={"PostToolUse": [(None, [fails])]})
        self.assertTrue(self.exists("new.txt"))


class McpServers(Case):
    def test_a_server_inside_the_host(self):
        heard = []
        server = python_sdk.SdkServer("desk", {
            "echo": lambda value: (heard.append(value), "echo: " + value["text"])[1]})
        messages, _ = self.turn(
            "echo", [[call("mcp__desk__echo", text="hi")], [text("Done.")]],
            allowed_tools=["mcp__desk__echo"],
            mcp_servers={"desk": {"type": "sdk", "name": "desk", "instance": server}})
        init = next(one for one in messages if one.get("subtype") == "init")
        self.assertEqual([(one["name"], one["status"]) for one in init["mcp_servers"]],
                         [("desk", "connected")])
        self.assertIn("mcp__desk__echo", init["tools"])
        self.assertEqual(heard, [{"text": "hi"}])
        [block] = [one["message"]["content"][0] for one in messages if one["type"] == "user"]
        self.assertEqual(block["content"], [{"type": "text", "text": "echo: hi"}])

    def test_one_inside_and_one_outside(self):
        outside = {"command": sys.executable,
                   "args": [str(HERE.parent / "support" / "mcp_server.py"), "good"]}
        server = python_sdk.SdkServer("inside", {"echo": lambda value: "inside: " + value["text"]})
        messages, _ = self.turn(
            "echo", [[call("mcp__inside__echo", text="a"), call("mcp__outside__echo", text="b")],
                     [text("Done.")]],
            allowed_tools=["mcp__inside", "mcp__outside"], strict_mcp_config=True,
            mcp_servers={"inside": {"type": "sdk", "name": "inside", "instance": server},
                         "outside": outside})
        said = sorted(one["message"]["content"][0]["content"][0]["text"]
                      for one in messages if one["type"] == "user")
        self.assertEqual(said, ["echo: b", "inside: a"])

    def test_one_by_http(self):
        def answer(_, body):
            message = json.loads(body) if body else {}
            if "id" not in message:
                return 202, "application/json", b""
            result = {
                "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                               "serverInfo": {"name": "far", "version": "1"}},
                "tools/list": {"tools": [{"name": "hello", "inputSchema": {"type": "object"}}]},
                "tools/call": {"content": [{"type": "text", "text": "hello from far"}]},
            }.get(message["method"], {})
            return 200, "application/json", json.dumps(
                {"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()

        far = Server(answer)
        self.addCleanup(far.close)
        messages, _ = self.turn("greet", [[call("mcp__far__hello")], [text("Done.")]],
                                allowed_tools=["mcp__far"],
                                mcp_servers={"far": {"type": "http", "url": far.url + "/mcp"}})
        [block] = [one["message"]["content"][0] for one in messages if one["type"] == "user"]
        self.assertEqual(block["content"], [{"type": "text", "text": "hello from far"}])

    def test_switched_off_and_on_again(self):
        server = python_sdk.SdkServer("desk", {"echo": lambda value: "x"})
        self.gemini.expect([[text("One.")], [text("Two.")], [text("Three.")]])
        query = self.query(mcp_servers={"desk": {"type": "sdk", "name": "desk", "instance": server}})
        offered = []
        for change in (None, {"enabled": False}, {"enabled": True}):
            if change:
                query.request("mcp_toggle", serverName="desk", **change)
            query.say("hi")
            query.response()
            offered.append("mcp__desk__echo" in json.dumps(self.gemini.requests[-1]["tools"]))
        self.assertEqual(offered, [True, False, True])
        query.request("mcp_reconnect", serverName="desk")
        self.assertEqual(query.close(), 0)

    def test_status(self):
        server = python_sdk.SdkServer("desk", {"echo": lambda value: "x"})
        query = self.query(mcp_servers={"desk": {"type": "sdk", "name": "desk", "instance": server}})
        self.gemini.expect([[text("Hello.")]])
        query.say("hi")
        query.response()
        [one] = query.request("mcp_status")["mcpServers"]
        self.assertEqual((one["name"], one["status"]), ("desk", "connected"))


class Interrupts(Case):
    def interrupted(self, replies, reached, **options):
        """A turn that is interrupted when `reached(message)`, and the one after it."""
        self.gemini.expect(replies)
        query = self.query(**options)
        query.say("begin")
        taken = []
        for message in query.messages():
            taken.append(message)
            if message["type"] == "result":
                break
            if reached and reached(message):
                reached = None
                query.request("interrupt")
        self.assertEqual(taken[-1]["subtype"], "error_during_execution")
        query.say("and now?")
        self.assertEqual(query.response()[-1]["result"], "Later.")
        self.assertEqual(query.close(), 0)
        return taken

    def test_in_the_middle_of_a_text(self):
        self.interrupted([[text("Once "), threading.Event(), text("more.")], [text("Later.")]],
                         lambda one: one["type"] == "stream_event"
                         and one["event"]["type"] == "content_block_delta",
                         include_partial_messages=True)

    def test_in_the_middle_of_a_command(self):
        taken = self.interrupted(
            [[call("Bash", command="sleep 300")], [text("Later.")]],
            lambda one: one["type"] == "assistant"
            and one["message"]["content"][0]["type"] == "tool_use",
            permission_mode="bypassPermissions")
        [made] = [one["message"]["content"][0]["id"] for one in taken if one["type"] == "assistant"]
        [ended] = [one["message"]["content"][0]["tool_use_id"] for one in taken
                   if one["type"] == "user" and one["message"]["content"][0]["type"] == "tool_result"]
        self.assertEqual(made, ended)

    def test_while_the_host_is_asked(self):
        asked, answered = threading.Event(), threading.Event()

        def can_use_tool(*_):
            asked.set()
            answered.wait(60)
            return {"behavior": "allow"}

        self.gemini.expect([WRITES[0], [text("Later.")]])
        query = self.query(can_use_tool=can_use_tool)
        query.say("begin")
        self.assertTrue(asked.wait(60))
        query.request("interrupt")
        taken = query.response()
        answered.set()  # too late: it must change nothing
        self.assertIn("cancelled", [one["type"] for one in taken])
        query.say("and now?")
        self.assertEqual(query.response()[-1]["result"], "Later.")
        self.assertEqual(query.close(), 0)
        self.assertFalse(self.exists("new.txt"))


class Subagents(Case):
    def test_agents_of_the_host_work_and_report(self):
        messages, result = self.turn(
            "review", {"review": [[call("Agent", description="Look", prompt="a task",
                                        subagent_type="looker", run_in_background=False)],
                                  [text("Reviewed.")]],
                       "a task": [[call("Read", file_path="a.txt")], [text("Nothing there.")]]},
            agents={"looker": {"description": "Looks", "prompt": "You look.", "tools": ["Read"]}})
        self.assertEqual(result["result"], "Reviewed.")
        parents = {one.get("parent_tool_use_id") for one in messages if one["type"] == "assistant"}
        self.assertEqual(len(parents), 2, "the subagent's lines name the call")
        kinds = [one["subtype"] for one in messages if one["type"] == "system"]
        self.assertIn("task_started", kinds)
        self.assertIn("task_notification", kinds)


    def test_several_side_by_side(self):
        begun = threading.Barrier(3)

        def report(_):
            begun.wait(60)  # all of them at once
            return [text("Seen.")]

        look = [call("Agent", description=f"Look {number}", prompt=f"task {number}",
                     subagent_type="general-purpose", run_in_background=False)
                for number in (1, 2, 3)]
        messages, result = self.turn("look at all", {
            "task 1": [report], "task 2": [report], "task 3": [report],
            "look at all": [look, [text("All seen.")]]})
        self.assertEqual(result["result"], "All seen.")
        ended = [one for one in messages if one.get("subtype") == "task_notification"]
        self.assertEqual([one["status"] for one in ended], ["completed"] * 3)


class Questions(Case):
    def test_what_a_host_can_choose_from(self):
        self.gemini.expect([[text("One.")]])
        query = self.query()
        self.assertIn("gemini-3.8-flash", [one["value"] for one in self.initialized["models"]])
        self.assertIn("compact", [one["name"] for one in self.initialized["commands"]])
        self.assertIn("general-purpose", [one["name"] for one in self.initialized["agents"]])
        self.assertEqual(self.initialized["account"]["apiKeySource"], "GEMINI_API_KEY")
        query.say("hi")
        query.response()
        usage = query.request("get_context_usage")
        self.assertGreater(usage["totalTokens"], 0)
        self.assertGreater(usage["maxTokens"], usage["totalTokens"])
        self.assertEqual(query.close(), 0)


class Tools(Case):
    """Each built-in tool: its call, and what its result says."""

    CALLS = (
        ("Read", {"file_path": "a.txt"}, "alpha"),
        ("Write", {"file_path": "new.txt", "content": "one\n"}, "created"),
        ("Edit", {"file_path": "a.txt", "old_string": "beta", "new_string": "gamma"}, "updated"),
        ("MultiEdit", {"file_path": "a.txt", "edits": [
            {"old_string": "alpha", "new_string": "one"}]}, "a.txt"),
        ("NotebookEdit", {"notebook_path": "n.ipynb", "cell_id": "c1", "new_source": "print(2)"},
         "c1"),
        ("Glob", {"pattern": "*.txt"}, "a.txt"),
        ("Grep", {"pattern": "beta", "output_mode": "content"}, "a.txt:2:beta"),
        ("LS", {"path": "."}, "a.txt"),
        ("Bash", {"command": "printf o; echo ne"}, "one"),
        ("TodoWrite", {"todos": [{"content": "Look", "status": "pending",
                                  "activeForm": "Looking"}]}, "Todos have been modified"),
    )

    def test_each(self):
        notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
            {"id": "c1", "cell_type": "code", "source": ["print(1)"], "metadata": {}, "outputs": [],
             "execution_count": None}]}
        for name, arguments, words in self.CALLS:
            with self.subTest(name):
                (self.cwd / "a.txt").write_text("alpha\nbeta\n")
                (self.cwd / "n.ipynb").write_text(json.dumps(notebook))
                known = [call("Read", file_path=file) for file in ("a.txt", "n.ipynb")]
                messages, result = self.turn("go", [known, [call(name, **arguments)], [text("Done.")]],
                                             permission_mode="bypassPermissions")
                self.assertEqual(result["result"], "Done.")
                block = [one["message"]["content"][0] for one in messages
                         if one["type"] == "user"][-1]
                self.assertFalse(block.get("is_error", False), block)
                self.assertIn(words, str(block["content"]))


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
