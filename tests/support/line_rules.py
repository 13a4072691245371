# SPDX-License-Identifier: MIT
"""What must hold for the lines of any turn, whatever happened in it."""

import json

LONGEST = 1_000_000


def check_bytes(test, line):
    """One line as it came, without its end."""
    test.assertLessEqual(len(line), LONGEST)
    test.assertTrue(line.isascii(), line[:200])
    test.assertTrue(line.startswith(b'{"type":'), line[:200])
    return json.loads(line)


def blocks(lines, kind, role):
    for line in lines:
        content = line["message"]["content"] if line["type"] == role else []
        for block in content if isinstance(content, list) else []:
            if block["type"] == kind:
                yield block


def check_pairs(test, lines, where):
    """Every call has exactly one result, which comes after it."""
    open_calls, closed = set(), set()
    for line in lines:
        for block in blocks([line], "tool_use", "assistant"):
            test.assertNotIn(block["id"], open_calls | closed, f"{where}: announced twice")
            open_calls.add(block["id"])
        for block in blocks([line], "tool_result", "user"):
            test.assertIn(block["tool_use_id"], open_calls, f"{where}: a result without its call")
            open_calls.remove(block["tool_use_id"])
            closed.add(block["tool_use_id"])
    test.assertEqual(open_calls, set(), f"{where}: calls without a result")


def check_streams(test, lines, where):
    """Messages and blocks that were begun in partial messages are ended."""
    state = {}  # by subagent: the indexes of its open blocks, or None between messages
    for line in lines:
        if line["type"] != "stream_event":
            continue
        agent, event = line.get("parent_tool_use_id"), line["event"]
        if event["type"] == "message_start":
            test.assertIsNone(state.get(agent), f"{where}: a message within a message")
            state[agent] = set()
            continue
        test.assertIsNotNone(state.get(agent), f"{where}: {event['type']} outside a message")
        if event["type"] == "content_block_start":
            state[agent].add(event["index"])
        elif event["type"] == "content_block_delta":
            test.assertIn(event["index"], state[agent], f"{where}: a piece of no block")
        elif event["type"] == "content_block_stop":
            state[agent].remove(event["index"])
        elif event["type"] == "message_stop":
            test.assertEqual(state[agent], set(), f"{where}: blocks that were not ended")
            state[agent] = None
    test.assertEqual([agent for agent, blocks in state.items() if blocks is not None], [],
                     f"{where}: messages that were not ended")


def check_request(test, request, where):
    """In what the model is sent, every call is followed by its answer, in the same order."""
    contents = request["contents"]
    for index, content in enumerate(contents):
        calls = [part["functionCall"]["name"] for part in content["parts"] if "functionCall" in part]
        if not calls:
            continue
        test.assertLess(index + 1, len(contents), f"{where}: calls at the end of a request")
        answers = [part["functionResponse"]["name"] for part in contents[index + 1]["parts"]
                   if "functionResponse" in part]
        test.assertEqual(answers, calls, f"{where}: calls and answers of a request")
