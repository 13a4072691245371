#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Faults of the lines between host and program, and of what the model asks for (P-01 to P-16; the
table in docs/faults.md says which test proves which case).

    protocol_test.py BINARY
"""

import json
import subprocess
import sys
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import line_rules  # noqa: E402
from loopback_server import Server  # noqa: E402
from stream_host import StreamHost  # noqa: E402
from streaming_gemini import Gemini, call, text  # noqa: E402

BINARY = None
ODD = [None, 7, -1.5, True, "", "odd", [], [None], {}, {"odd": {}}]
MISSING = object()


class Case(unittest.TestCase):
    def setUp(self):
        self.gemini = Gemini()
        self.addCleanup(self.gemini.close)

    def host(self, *flags, replies=(), **more):
        self.gemini.expect(list(replies))
        return StreamHost(self, BINARY, self.gemini, *flags, **more)

    def asked(self, host):
        """The id of the next question."""
        return host.read_until(lambda line: line["type"] == "control_request")[-1]["request_id"]

    def decide(self, host, request_id, behaviour, **fields):
        host.write({"type": "control_response", "response": {
            "subtype": "success", "request_id": request_id,
            "response": {"behavior": behaviour, "message": "no", **fields}}})

    def results(self, lines):
        return [block["content"] for block in line_rules.blocks(lines, "tool_result", "user")]


class Lines(Case):
    def test_p01_lines_without_content_are_passed_over(self):
        host = self.host(replies=[[text("Hello.")]])
        host.write_bytes(b"\n   \n\r\n\t\n\xef\xbb\xbf\n")
        host.write_bytes(b'\xef\xbb\xbf{"type":"user","message":{"role":"user","content":"hi"}}\r\n')
        self.assertEqual(host.turn()[-1]["result"], "Hello.")
        self.assertEqual(host.close(), 0)

    def test_p04_unknown_types_are_passed_over_and_unknown_requests_refused(self):
        host = self.host(replies=[[text("Hello.")]])
        for line in ({"type": "no_such_type"}, {"type": "keep_alive"}, {"no": "type"},
                     {"type": "control_cancel_request", "request_id": "never"}):
            host.write(line)
        answer = host.request("no_such_request", request_id="u")
        self.assertEqual((answer["subtype"], answer["request_id"]), ("error", "u"))
        self.assertEqual(answer["error_code"], "unsupported_request")
        host.say("hi")
        self.assertEqual(host.turn()[-1]["result"], "Hello.")
        self.assertEqual(host.close(), 0)

    def test_p06_odd_characters_in_a_prompt(self):
        host = self.host(replies=[[text("One.")], [text("Two.")], [text("Three.")]])
        before = b'{"type":"user","message":{"role":"user","content":"'
        for words in (b"a \xff\xfe\xc3 b", rb"a \ud83d b \udc00 c", rb"a \u0000 b"):
            host.write_bytes(before + words + b'"}}\n')
            self.assertFalse(host.turn()[-1]["is_error"])
        sent = json.dumps(self.gemini.requests[-1], ensure_ascii=False)
        sent.encode("utf-8")  # half a character would be refused here
        self.assertIn("\ufffd", sent)
        self.assertEqual(host.close(), 0)

    def test_p07_the_end_of_input_in_a_turn_lets_it_finish(self):
        gate = threading.Event()
        host = self.host(replies=[[text("Once "), gate, call("Bash", command="echo more")],
                                  [text("Done.")]])
        host.say("go")
        host.read_until(lambda line: line.get("subtype") == "init")
        host.process.stdin.close()
        gate.set()
        lines = host.rest()
        self.assertEqual([line["result"] for line in lines if line["type"] == "result"], ["Done."])
        self.assertEqual(host.close(), 0)

    def test_p08_a_thousand_prompts_at_once(self):
        gate = threading.Event()
        host = self.host(replies=[[gate, text("First.")]] + [[text("Next.")]] * 1000)
        for number in range(1000):
            host.say(f"prompt {number};")
        host.write({"type": "control_request", "request_id": "r",
                    "request": {"subtype": "get_settings"}})
        lines = host.read_until(lambda line: line["type"] == "control_response")
        host.process.stdin.close()
        gate.set()
        lines += host.rest()
        self.assertEqual(host.close(), 0)
        results = [line for line in lines if line["type"] == "result"]
        self.assertEqual(len(results), sum(line.get("subtype") == "init" for line in lines))
        said = [part["text"] for content in self.gemini.requests[-1]["contents"]
                if content["role"] == "user" for part in content["parts"] if "text" in part]
        numbers = [int(words.split(";")[0].split()[-1]) for one in said
                   for words in one.split("prompt ")[1:]]
        self.assertEqual(numbers, list(range(1000)), "each once, in order")


class Shapes(Case):
    """P-03: every field with a value of another kind."""

    REQUESTS = {
        # A schema changes what a turn must end with, and is tested beside this.
        "initialize": ["hooks", "sdkMcpServers", "systemPrompt", "appendSystemPrompt", "agents"],
        "interrupt": ["cancel_queued"],
        "set_permission_mode": ["mode"],
        "set_model": ["model"],
        "set_max_thinking_tokens": ["max_thinking_tokens"],
        "mcp_status": ["serverName"],
        "mcp_reconnect": ["serverName"],
        "mcp_toggle": ["serverName", "enabled"],
        "mcp_set_servers": ["servers"],
        "mcp_message": ["server_name", "message"],
        "get_context_usage": ["detail"],
        "get_settings": ["detail"],
        "apply_flag_settings": ["settings"],
        "list_models": ["detail"],
        "rewind_files": ["user_message_id", "dry_run"],
        "stop_task": ["task_id"],
        "can_use_tool": ["input"],
        "hook_callback": ["callback_id"],
    }

    def test_p03_requests_are_answered_whatever_they_contain(self):
        host = self.host(replies=[[text("Hello.")]])
        number = 0
        for subtype, fields in self.REQUESTS.items():
            for field in fields:
                for value in ODD + [MISSING]:
                    number += 1
                    body = {} if value is MISSING else {field: value}
                    answer = host.request(subtype, request_id=f"r{number}", **body)
                    self.assertIn(answer["subtype"], ["success", "error"])
                    if answer["subtype"] == "error":
                        self.assertTrue(answer["error"], (subtype, field, value))
        for name in (None, 7, [], {}):
            host.write({"type": "control_request", "request_id": "odd", "request": {"subtype": name}})
            self.assertEqual(host.answer("odd")["subtype"], "error")
        for request in (None, 7, [], "text", {}):
            host.write({"type": "control_request", "request_id": "odd", "request": request})
            self.assertEqual(host.answer("odd")["subtype"], "error")
        print(f"{number} odd requests")
        host.request("set_model")
        host.request("set_permission_mode", mode="default")
        host.say("hi")
        lines = host.turn()
        self.assertEqual(lines[-1].get("result"), "Hello.", lines[-1])
        self.assertEqual(host.close(), 0)

    def test_p03_a_schema_of_another_kind(self):
        for value in ODD:
            with self.subTest(value=value):
                host = self.host(replies=[[text("Hello.")]] * 3)
                host.request("initialize", jsonSchema=value)
                host.say("hi")
                self.assertEqual(host.turn()[-1]["type"], "result")
                host.end()

    def test_p03_requests_without_a_usable_id_and_odd_answers_are_passed_over(self):
        host = self.host(replies=[[text("Hello.")]])
        for value in ODD:
            host.write({"type": "control_response", "response": value})
            host.write({"type": "control_response", "response": {"request_id": value}})
            host.write({"type": "control_response", "response": {
                "subtype": value, "request_id": "x", "response": value}})
            host.write({"type": "control_cancel_request", "request_id": value})
            host.write({"type": value})
        host.say("hi")
        self.assertEqual(host.turn()[-1]["result"], "Hello.")
        self.assertEqual(host.close(), 0)

    def test_p03_messages_are_answered_or_refused(self):
        """Whatever it is: a result, or the end with code 1 and a reason; never silence."""
        messages = [{"message": value} for value in ODD] + [{}]
        messages += [{"message": {"role": value, "content": "hi"}} for value in ODD]
        messages += [{"message": {"role": "user", "content": value}} for value in ODD]
        messages += [{"message": {"role": "user", "content": [block]}} for block in (
            {"type": None}, {"type": "text"}, {"type": "text", "text": None}, {"type": "image"},
            {"type": "image", "source": 7}, {"type": "image", "source": {"type": "base64"}},
            {"type": "document", "source": {}}, {"type": "tool_result"}, {"type": "odd"}, 7, "text")]
        messages += [{"message": {"role": "user", "content": "hi"}, field: value}
                     for field in ("uuid", "priority", "parent_tool_use_id", "session_id")
                     for value in ODD[:4] + [{}]]
        model = Server(lambda *_: (200, "text/event-stream", b'data: {"candidates":[{"content":{"role":'
                                   b'"model","parts":[{"text":"Hello."}]},"finishReason":"STOP"}]}\r\n\r\n'))
        self.addCleanup(model.close)

        def end_of(message):
            host = StreamHost(self, BINARY, model, stderr=subprocess.PIPE)
            host.write({"type": "user", **message})
            lines = host.rest()
            code, said = host.close(), host.process.stderr.read().decode()
            host.end()
            return message, [line for line in lines if line["type"] == "result"], code, said

        with ThreadPoolExecutor(4) as pool:
            for message, results, code, said in pool.map(end_of, messages):
                with self.subTest(message=message):
                    self.assertIn(code, [0, 1])
                    if not results:
                        self.assertTrue(code == 0 or said, "the end without a reason")
                    self.assertLessEqual(len(said.splitlines()), 1, said)
                    self.assertLessEqual(len(results), 1)
        print(f"{len(messages)} odd messages")


class Answers(Case):
    def test_p10_a_second_answer_changes_nothing(self):
        host = self.host("--permission-mode", "default", "--permission-prompt-tool", "stdio",
                         replies=[[call("Write", file_path="new.txt", content="x")],
                                  [text("Done.")], [text("Later.")]])
        host.say("write")
        question = self.asked(host)
        self.decide(host, question, "deny")
        self.decide(host, question, "allow")
        self.assertEqual(self.results(host.turn()), ["no"])
        self.decide(host, question, "allow")  # too late
        self.decide(host, "00000000-0000-4000-8000-000000000000", "allow")  # nobody asked
        host.say("and now?")
        self.assertEqual(host.turn()[-1]["result"], "Later.")
        self.assertEqual(host.close(), 0)
        self.assertFalse((host.home / "new.txt").exists())

    def test_p10_one_id_for_two_requests_gets_two_answers(self):
        host = self.host()
        host.write_bytes(2 * (json.dumps({"type": "control_request", "request_id": "same", "request": {
            "subtype": "get_settings"}}).encode() + b"\n"))
        host.answer("same")
        host.answer("same")
        self.assertEqual(host.close(), 0)

    def test_p11_the_host_cannot_widen_to_bypass_what_was_not_started_so(self):
        host = self.host("--permission-mode", "default",
                         replies=[[call("Write", file_path="new.txt", content="x")], [text("Done.")]])
        answer = host.request("set_permission_mode", mode="bypassPermissions")
        self.assertEqual((answer["subtype"], answer.get("error_code")), ("error", "bypass_not_launched"))
        host.say("write")
        self.assertEqual(len(host.turn()[-1]["permission_denials"]), 1)
        self.assertEqual(host.close(), 0)

    def test_p11_a_model_that_is_set_in_a_turn_holds_from_the_next_one(self):
        gate = threading.Event()
        host = self.host(replies=[[text("One, "), gate, text("done.")], [text("Two.")]])
        host.say("first")
        models = [line["model"] for line in host.read_until(
            lambda line: line.get("subtype") == "init") if line.get("subtype") == "init"]
        self.assertEqual(host.request("set_model", model="gemini-3.6-flash")["subtype"], "success")
        gate.set()
        self.assertEqual(host.turn()[-1]["result"], "One, done.")
        host.say("second")
        models += [line["model"] for line in host.turn() if line.get("subtype") == "init"]
        self.assertEqual(models, ["gemini-3.8-flash", "gemini-3.6-flash"])


class Calls(Case):
    def turn(self, *parts, flags=()):
        host = self.host(*flags, replies=[list(parts), [text("Done.")]])
        (host.home / "a.txt").write_text("".join(f"line {number}\n" for number in range(300)))
        host.say("go")
        lines = host.turn()
        self.assertEqual(lines[-1].get("result"), "Done.")
        line_rules.check_pairs(self, lines, "calls")
        line_rules.check_request(self, self.gemini.requests[-1], "calls")
        self.assertEqual(host.close(), 0)
        return lines, host

    def test_p12_arguments_of_the_wrong_kind_are_failed_calls(self):
        odd = [{"name": "Read", "args": {"file_path": value}} for value in (None, 7, [], {}, True)]
        odd += [{"name": "Read", "args": {}}, {"name": "Read"}, {"name": "Bash", "args": {"command": []}},
                {"name": "Grep", "args": {"pattern": "a", "-A": "three"}},
                {"name": "no_such_tool", "args": {}}, {"name": "TodoWrite", "args": {"todos": "one"}}]
        lines, _ = self.turn(*({"functionCall": one} for one in odd))
        blocks = list(line_rules.blocks(lines, "tool_result", "user"))
        self.assertEqual([block.get("is_error") for block in blocks], [True] * len(odd))

    def test_p12_two_hundred_calls_of_one_reply(self):
        lines, _ = self.turn(*(call("Read", file_path="a.txt", offset=1, limit=number + 1)
                               for number in range(200)))
        self.assertEqual(len(self.results(lines)), 200)

    def test_p12_one_id_for_several_calls(self):
        lines, _ = self.turn(*({"functionCall": {"id": "same", "name": "Read", "args": {
            "file_path": "a.txt"}}} for _ in range(3)))
        ids = {block["id"] for block in line_rules.blocks(lines, "tool_use", "assistant")}
        self.assertEqual(len(ids), 3)

    def test_p12_arguments_of_two_megabytes(self):
        lines, host = self.turn(call("Write", file_path="long.txt", content="x" * 2_000_000))
        self.assertEqual((host.home / "long.txt").stat().st_size, 2_000_000)
        self.assertLess(max(len(json.dumps(line)) for line in lines), 1_000_000)

    def test_p14_odd_counts_of_tokens(self):
        counts = [None, {}, {"promptTokenCount": -5, "candidatesTokenCount": -1},
                  {"promptTokenCount": 2**63, "candidatesTokenCount": 10**30},
                  {"promptTokenCount": "7", "candidatesTokenCount": None},
                  {"promptTokenCount": 1.5, "totalTokenCount": {}}]
        said = iter(counts)

        def answer(*_):
            event = {"candidates": [{"content": {"role": "model", "parts": [{"text": "Hello."}]},
                                     "finishReason": "STOP"}]}
            usage = next(said)
            if usage is not None:
                event["usageMetadata"] = usage
            return 200, "text/event-stream", f"data: {json.dumps(event)}\r\n\r\n".encode()

        model = Server(answer)
        self.addCleanup(model.close)
        host = StreamHost(self, BINARY, model)
        for usage in counts:
            with self.subTest(usage=usage):
                host.say("hi")
                result = host.turn()[-1]
                self.assertEqual(result["result"], "Hello.")
                self.assertGreaterEqual(result["usage"]["input_tokens"], 0)
                self.assertGreaterEqual(result["usage"]["output_tokens"], 0)
                self.assertGreaterEqual(result["total_cost_usd"], 0)
        self.assertEqual(host.close(), 0)

    def test_p16_a_prompt_behind_the_limit_of_turns_is_not_lost(self):
        gate = threading.Event()
        host = self.host("--max-turns", "1",
                         replies=[[gate, call("Read", file_path="a.txt")], [text("Later.")]])
        host.say("loop")
        host.read_until(lambda line: line.get("subtype") == "init")
        host.say("and this?")
        host.request("get_settings")  # read after the prompt, so that it is known to be there
        gate.set()
        results = [host.turn()[-1]]
        # It joined the turn with the result of the call, or has one of its own.
        lines = host.rest()
        results += [line for line in lines if line["type"] == "result"]
        self.assertEqual(results[0]["subtype"], "error_max_turns")
        self.assertEqual([one.get("result") for one in results[1:]], ["Later."])
        self.assertIn("and this?", str(self.gemini.requests[-1]["contents"][-1]))


if __name__ == "__main__":
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
