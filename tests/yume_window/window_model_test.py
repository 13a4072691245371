#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The model of the window fails where the released window was seen to fail, and nowhere else; and the
test of the golden transcripts notices when the app's lines get worse.

Each class names the section of hosts.md that its facts are from.
"""

import json
import sys
import unittest

from golden_cases import Case
from window import KEPT_ROWS, REMEMBERED_LINES, Kind, Quirk, Window
from window_test import GOLDEN, judge

USAGE = {"input_tokens": 40, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
         "output_tokens": 5}
ZEROS = dict.fromkeys(USAGE, 0)


class Lines:
    """Lines of both dialects, each with something that no other line has."""

    def __init__(self):
        self.number = 0

    def line(self, **fields):
        self.number += 1
        return json.dumps({**fields, "uuid": f"uuid-{self.number}"})

    def init(self, session="session-1"):
        return self.line(type="system", subtype="init", session_id=session)

    def flat_text(self, text):
        return self.line(type="text", content=text)

    def flat_call(self, call="c1"):
        return self.line(type="tool_use", id=call, name="Read", input={})

    def flat_result(self, content="read", call="c1"):
        return self.line(type="tool_result", tool_use_id=call, content=content, is_error=False)

    def said(self, text, row=None, **block):
        content = [{"type": "text", "text": text, **block}]
        return self.of_row(row, type="assistant", message={"id": "msg", "content": content})

    def thought(self, text, row=None):
        content = [{"type": "thinking", "thinking": text, "signature": ""}]
        return self.of_row(row, type="assistant", message={"id": "msg", "content": content})

    def of_row(self, row, **fields):
        return self.line(**fields, **({"id": row} if row else {}))

    def call(self, call="c1"):
        content = [{"type": "tool_use", "id": call, "name": "Read", "input": {}}]
        return self.line(type="assistant", message={"id": "msg", "content": content})

    def call_result(self, content="read", call="c1"):
        blocks = [{"type": "tool_result", "tool_use_id": call, "content": content}]
        return self.line(type="user", message={"role": "user", "content": blocks})

    def result(self, text="", usage=USAGE, **fields):
        return self.line(**{"type": "result", "subtype": "success", "is_error": False,
                            "duration_ms": 7, "result": text,
                            **({"usage": usage} if usage else {}), **fields})

    def failed(self, text, **fields):
        return self.result(text, subtype="error_during_execution", is_error=True, **fields)


class WindowTest(unittest.TestCase):
    def setUp(self):
        self.lines = Lines()
        self.window = Window()

    def run_turn(self, *lines, first_ms=120, gap_ms=5, main_listens_at_ms=0):
        self.window.start(main_listens_at_ms)
        for number, line in enumerate(lines):
            self.window.read_line(line, first_ms + gap_ms * number)
        self.window.end_process()

    def texts(self, *kinds):
        return [row.text for row in self.window.shown(*(kinds or [Kind.text]))]


class FlatLinesAreShownTwice(WindowTest):
    """Rule 2 of section 0, 1.5, 1.11."""

    def test_text_in_one_line_is_shown_by_both_listeners(self):
        self.run_turn(self.lines.flat_text("Hello"), self.lines.result("Hello"))
        self.assertEqual(self.texts(), ["Hello", "Hello"])

    def test_text_in_pieces_is_a_bubble_for_each_and_one_for_all(self):
        pieces = [self.lines.flat_text(piece) for piece in ("Hel", "lo")]
        self.run_turn(*pieces, self.lines.result("Hello"))
        self.assertEqual(sorted(self.texts()), ["Hel", "Hello", "lo"])

    def test_text_after_a_call_is_a_new_bubble(self):
        self.window = Window(cured={Quirk.text_twice})
        self.run_turn(self.lines.flat_text("a"), self.lines.flat_call(), self.lines.flat_text("b"))
        self.assertEqual(self.texts(), ["a", "b"])

    def test_a_call_is_one_row_with_two_results(self):
        self.run_turn(self.lines.flat_call(), self.lines.flat_result(), self.lines.result())
        self.assertEqual(len(self.window.shown(Kind.call)), 1)
        self.assertEqual(len(self.window.results_of("c1")), 2)

    def test_thoughts_are_not_shown(self):
        self.run_turn(self.lines.line(type="thinking", is_thinking=True, thought="Hm."),
                      self.lines.result())
        self.assertEqual(self.window.shown(), [])
        self.assertEqual(self.window.quirks, {Quirk.thought_lost})

    def test_text_of_one_millisecond_overwrites_what_is_there(self):
        pieces = [self.lines.flat_text(piece) for piece in ("Hel", "lo")]
        self.run_turn(*pieces, gap_ms=0)
        self.assertEqual(sorted(self.texts()), ["Hello", "lo"])


class NestedLinesAreShownOnce(WindowTest):
    """Rule 2 of section 0, 1.5, 1.11."""

    def test_text_thought_and_call(self):
        self.run_turn(self.lines.init(), self.lines.thought("Hm."), self.lines.said("Reading."),
                      self.lines.call(), self.lines.call_result(), self.lines.said("Read."),
                      self.lines.result("Read."), gap_ms=0)
        self.assertEqual(self.texts(), ["Reading.", "Read."])
        self.assertEqual(self.texts(Kind.thinking), ["Hm."])
        self.assertEqual(len(self.window.shown(Kind.call)), 1)
        self.assertEqual(len(self.window.results_of("c1")), 1)
        self.assertEqual(self.window.quirks, set())

    def test_equal_blocks_are_shown_once(self):
        self.run_turn(self.lines.said("Again."), self.lines.said("Again."))
        self.assertEqual(self.texts(), ["Again."])

    def test_equal_blocks_with_ids_are_shown_each(self):
        self.run_turn(self.lines.said("Again.", id="1"), self.lines.said("Again.", id="2"))
        self.assertEqual(self.texts(), ["Again.", "Again."])

    def test_a_result_that_no_text_equals_is_shown_beside_them(self):
        self.run_turn(self.lines.said("Half a "), self.lines.said("sentence."),
                      self.lines.result("Half a sentence."))
        self.assertEqual(self.texts(Kind.result), ["Half a sentence."])

    def test_both_forms_of_one_answer_are_both_shown(self):
        self.run_turn(self.lines.said("Hello"), self.lines.flat_text("Hello"))
        self.assertEqual(self.texts(), ["Hello"] * 3)


class GrowingTexts(WindowTest):
    """1.11, and how the row is replaced, which was read."""

    def test_a_grown_text_replaces_its_row_if_its_id_begins_as_that_of_a_shell(self):
        self.run_turn(self.lines.said("Hel", row="bash-1"), self.lines.said("Hello", row="bash-1"),
                      self.lines.result("Hello"))
        self.assertEqual(self.texts(), ["Hello"])
        self.assertEqual(self.window.quirks, set())

    def test_a_grown_text_with_another_id_is_a_new_row(self):
        self.run_turn(self.lines.said("Hel", row="text-1"), self.lines.said("Hello", row="text-1"))
        self.assertEqual(self.texts(), ["Hel", "Hello"])

    def test_the_row_stays_where_it_is(self):
        self.run_turn(self.lines.said("One", row="bash-1"), self.lines.said("Two", row="bash-2"),
                      self.lines.said("One more", row="bash-1"))
        self.assertEqual(self.texts(), ["One more", "Two"])

    def test_flat_text_keeps_no_id(self):
        pieces = [{**json.loads(self.lines.flat_text(text)), "id": "bash-1"} for text in ("Hel", "lo")]
        self.run_turn(*map(json.dumps, pieces))
        self.assertEqual(sorted(self.texts()), ["Hel", "Hello", "lo"])

    def test_a_row_that_equals_another_is_hidden_until_it_has_grown(self):
        self.run_turn(self.lines.said("I"), self.lines.said("I", row="bash-1"))
        self.assertEqual(self.texts(), ["I"])
        self.run_turn(self.lines.said("I see", row="bash-1"))
        self.assertEqual(self.texts(), ["I", "I see"])

    def test_what_a_row_no_longer_says_hides_nothing(self):
        self.run_turn(self.lines.said("I", row="bash-1"), self.lines.said("I see", row="bash-1"),
                      self.lines.said("I"))
        self.assertEqual(self.texts(), ["I see", "I"])

    def test_a_grown_thought_is_not_drawn_again(self):
        self.run_turn(self.lines.thought("Hm", row="bash-1"), self.lines.thought("Hm. So", row="bash-1"),
                      self.lines.result())
        self.assertEqual(self.texts(Kind.thinking), ["Hm"])
        self.assertEqual(self.window.quirks, {Quirk.thought_not_redrawn})

    def test_lines_that_were_lost_are_made_up_for_by_the_next(self):
        self.run_turn(self.lines.said("Hel", row="bash-1"), self.lines.said("Hello", row="bash-1"),
                      first_ms=90, gap_ms=30, main_listens_at_ms=100)
        self.assertEqual(self.texts(), ["Hello"])


class RowsOfATab(WindowTest):
    """Rule 3 of section 0, 1.5, 1.11."""

    def test_a_line_that_came_before_is_dropped(self):
        line = json.dumps({"type": "text", "content": "\n"})
        self.run_turn(line, line)
        self.assertEqual(self.texts(), ["\n", "\n"])  # of each listener one

    def test_a_line_is_forgotten_after_a_thousand_others(self):
        line = self.lines.flat_text("a")
        others = [self.lines.line(type="unknown") for _ in range(REMEMBERED_LINES)]
        self.run_turn(line, *others, line)
        self.assertNotIn(Quirk.same_line, self.window.quirks)

    def test_a_call_of_another_session_with_the_same_id_takes_the_row(self):
        for session in ("session-1", "session-2"):
            self.run_turn(self.lines.init(session), self.lines.call("call_gemini_1"),
                          self.lines.call_result(call="call_gemini_1"), self.lines.result())
        self.assertEqual(len(self.window.shown(Kind.call)), 1)
        self.assertEqual(self.window.quirks, {Quirk.call_overwritten})

    def test_calls_with_a_tag_of_their_session_keep_their_rows(self):
        for session in ("s1", "s2"):
            self.run_turn(self.lines.init(session), self.lines.call(f"call_gemini_1_{session}"),
                          self.lines.call_result(call=f"call_gemini_1_{session}"), self.lines.result())
        self.assertEqual(len(self.window.shown(Kind.call)), 2)

    def test_only_the_last_rows_are_kept(self):
        self.run_turn(*(self.lines.said(str(number)) for number in range(KEPT_ROWS + 1)))
        self.assertEqual(len(self.texts()), KEPT_ROWS)
        self.assertNotIn("0", self.texts())

    def test_results_with_certain_words_are_hidden(self):
        self.run_turn(self.lines.call(),
                      self.lines.call_result("<tool_use_error>no</tool_use_error>"))
        self.assertEqual(self.window.shown(Kind.call_result), [])
        self.assertEqual(len(self.window.results_of("c1")), 1)

    def test_only_the_first_init_names_the_session(self):
        self.run_turn(self.lines.init("session-1"), self.lines.init("session-2"))
        self.assertEqual([new for _, new in self.window.id_updates], ["session-1"])

    def test_other_files_are_listed_as_conversations(self):
        views = {"a.json": {"metadata": {"title": "hi"}, "history": []},
                 "index.json": {"sessions": {}}, "index.json.lock": {}}
        self.assertEqual(self.window.listed_conversations(views), {"a.json": "hi", "index.json": None})


class ContextAndCompaction(WindowTest):
    """Rule 10 of section 0, 1.6, 1.11."""

    def test_the_sum_of_a_turn_makes_the_app_compact(self):
        self.run_turn(self.lines.result(usage={**USAGE, "input_tokens": 4 * 40_000}))
        self.assertEqual(self.window.store.next_prompt, "compacts, forced")

    def test_the_last_request_does_not(self):
        self.run_turn(self.lines.result(usage={**USAGE, "input_tokens": 40_000}))
        self.assertEqual(self.window.store.next_prompt, "asks")
        self.assertEqual(self.window.store.bar_percent, 4)

    def test_the_app_warns_and_compacts_at_shares_of_its_own_window(self):
        for tokens, what in ((109_999, "asks"), (110_000, "warns"), (120_000, "compacts"),
                             (130_000, "compacts, forced")):
            self.run_turn(self.lines.result(usage={**USAGE, "input_tokens": tokens}))
            self.assertEqual(self.window.store.next_prompt, what)

    def test_cached_tokens_count(self):
        usage = {"input_tokens": 4, "cache_read_input_tokens": 8, "output_tokens": 1}
        self.run_turn(self.lines.result(usage=usage))
        self.assertEqual(self.window.context, 12)

    def test_zeros_are_a_compaction(self):
        self.run_turn(self.lines.failed("API Error: 400", usage=ZEROS))
        self.assertTrue(self.window.compacted)
        self.assertEqual(self.window.context, 0)

    def test_without_a_usage_the_last_size_stands(self):
        self.window = Window(context=8000)
        self.run_turn(self.lines.failed("API Error: 400", usage=None))
        self.assertFalse(self.window.compacted)
        self.assertEqual(self.window.context, 8000)

    def test_the_word_compact_in_a_result_is_a_compaction(self):
        self.run_turn(self.lines.result("Nothing to Compact."))
        self.assertTrue(self.window.compacted)

    def test_the_word_in_an_answer_is_not(self):
        self.run_turn(self.lines.said("Nothing to compact."), self.lines.result(""))
        self.assertFalse(self.window.compacted)

    def test_numbers_beside_the_usage_object_are_not_looked_at(self):
        self.run_turn(self.lines.line(type="usage", input_tokens=40, output_tokens=5))
        self.assertIsNone(self.window.context)
        self.run_turn(self.lines.line(type="usage", usage=USAGE))
        self.assertEqual(self.window.context, 40)


class Reasons(WindowTest):
    """Rules 6 and 11 of section 0, 1.5, 1.11."""

    def test_errors_of_flat_lines_are_invisible(self):
        reason = "API Error: 400 no"
        for line in (self.lines.line(type="error", message=reason),
                     self.lines.line(type="system", subtype="error", message=reason),
                     self.lines.failed(reason)):
            self.run_turn(line)
        self.assertEqual(self.window.shown(), [])
        self.assertIn(Quirk.error_dropped, self.window.quirks)

    def test_stderr_and_what_is_no_json_are_invisible(self):
        self.run_turn("Error: no settings")
        self.window.read_error_line("Error: no settings")
        self.assertEqual(self.window.shown(), [])

    def test_a_text_of_the_assistant_is_visible(self):
        self.run_turn(self.lines.said("API Error: 400 no"), self.lines.failed(None))
        self.assertEqual(self.texts(), ["API Error: 400 no"])
        self.assertFalse(self.window.spinner)

    def test_a_failed_result_without_the_word_is_visible(self):
        self.run_turn(self.lines.failed("No conversation found"))
        self.assertEqual(self.texts(Kind.result), ["No conversation found"])


class Spinner(WindowTest):
    """Rule 12 of section 0, 1.5, 1.6, 1.11."""

    def test_a_result_ends_it(self):
        self.run_turn(self.lines.flat_call(), self.lines.flat_result(), self.lines.result())
        self.assertFalse(self.window.spinner)

    def test_without_a_duration_flat_calls_keep_it_on(self):
        for duration in (0, 1.5, None):
            self.run_turn(self.lines.flat_call(), self.lines.flat_result(),
                          self.lines.result(duration_ms=duration))
            self.assertTrue(self.window.spinner)

    def test_a_failure_after_flat_calls_leaves_it_on(self):
        self.run_turn(self.lines.flat_call(), self.lines.flat_result(), self.lines.failed("stopped"))
        self.assertTrue(self.window.spinner)

    def test_a_failure_after_nested_calls_ends_it(self):
        self.run_turn(self.lines.call(), self.lines.call_result(), self.lines.failed("stopped"))
        self.assertFalse(self.window.spinner)

    def test_a_call_without_its_result_keeps_it_on(self):
        self.run_turn(self.lines.call(), self.lines.failed("stopped"))
        self.assertTrue(self.window.spinner)

    def test_a_killed_process_leaves_it_on_until_the_next_prompt(self):
        self.run_turn(self.lines.said("One"))
        self.assertTrue(self.window.spinner)
        self.run_turn(self.lines.result())
        self.assertFalse(self.window.spinner)

    def test_a_reconnected_tab_is_quiet_and_keeps_its_size(self):
        self.window = Window(context=40)
        self.run_turn(self.lines.init(), self.lines.result(""))
        self.assertEqual((self.window.spinner, self.window.compacted, self.window.context,
                          self.window.shown()), (False, False, 40, []))


class ListenedLate(WindowTest):
    """1.11: lines before the second listener is there are lost to it."""

    def answer(self):
        return [self.lines.init(), self.lines.said("Hello"), self.lines.result("Hello")]

    def test_nested_lines_after_two_milliseconds_are_lost(self):
        self.run_turn(*self.answer(), first_ms=2, main_listens_at_ms=100)
        self.assertEqual(self.texts(), [])
        self.assertEqual(self.texts(Kind.result), ["Hello"])  # the early one knows results
        self.assertIn(Quirk.listened_late, self.window.quirks)

    def test_those_that_wait_are_not(self):
        self.run_turn(*self.answer(), first_ms=120, main_listens_at_ms=120)
        self.assertEqual(self.texts(), ["Hello"])
        self.assertEqual(self.window.quirks, set())

    def test_flat_text_is_shown_by_the_early_one_alone(self):
        self.run_turn(self.lines.flat_text("Hello"), first_ms=2, main_listens_at_ms=100)
        self.assertEqual(self.texts(), ["Hello"])


class ChangedCase(Case):
    """A golden case whose lines were changed, as a fault in the program would."""

    def __init__(self, name, change):
        super().__init__(GOLDEN / name, GOLDEN)
        self.change = change

    def lines(self):
        changed = []
        for line in super().lines():
            parsed = json.loads(line)
            kept = self.change(parsed)
            if kept is not False:
                changed.append(json.dumps(parsed, separators=(",", ":")))
        return changed


def blocks(line):
    return line.get("message", {}).get("content", [])


class WorseLinesForTheApp(unittest.TestCase):
    """The rows of 1.11's table, each taken back: the column must say so."""

    def wrong_columns(self, name, change):
        cells = judge(ChangedCase(f"yume_app/{name}", change))
        return {column for column, cell in cells.items() if not cell.right}

    def test_unchanged_lines_are_right(self):
        for name in ("single_tool", "max_turns", "reconnect", "command_without_compaction"):
            self.assertEqual(self.wrong_columns(name, lambda line: None), set())

    def test_blocks_without_ids(self):
        def change(line):
            for block in blocks(line):
                if block["type"] != "tool_use":
                    block.pop("id", None)
        self.assertEqual(self.wrong_columns("plain_text", change), {"again"})

    def test_a_growing_text_whose_id_is_not_kept(self):
        def change(line):
            if "id" in line:
                line["id"] = line["id"].replace("bash-", "text-")
        for name in ("live_text", "live_text_then_tool", "live_text_interrupted",
                     "live_text_broken_off", "live_texts_and_thoughts"):
            self.assertEqual(self.wrong_columns(name, change), {"shown"}, name)

    def test_a_growing_text_that_is_not_completed(self):
        def change(line):
            return "id" not in line or "streaming" in line
        self.assertEqual(self.wrong_columns("live_text_paced", change), {"shown"})

    def test_calls_without_the_tag(self):
        def change(line):
            for block in blocks(line):
                for key in ("id", "tool_use_id"):
                    if key in block:
                        block[key] = block[key].removesuffix("_22222222")
        self.assertEqual(self.wrong_columns("single_tool", change), {"shown", "again"})

    def test_the_sum_of_the_turn(self):
        def change(line):
            if line["type"] == "result":
                line["usage"]["input_tokens"] = 60
        self.assertEqual(self.wrong_columns("single_tool", change), {"context"})

    def test_no_usage_after_an_error(self):
        def change(line):
            if line["type"] == "result":
                line["usage"].update(ZEROS)
        self.assertEqual(self.wrong_columns("max_turns", change), {"context", "compacted"})

    def test_the_word_compact(self):
        def change(line):
            if line["type"] == "result":
                line["result"] = "/compact sums up"
        wrong = self.wrong_columns("command_without_compaction", change)
        self.assertIn("compacted", wrong)

    def test_a_reason_in_the_result_only(self):
        def change(line):
            if line.get("message", {}).get("model") == "<synthetic>":
                return False
            if line["type"] == "result":
                line["result"] = "Error: " + line["errors"][0]
            return None
        self.assertEqual(self.wrong_columns("max_turns", change), {"reason"})

    def test_a_call_without_its_result(self):
        wrong = self.wrong_columns("interrupt_in_tool", lambda line: line["type"] != "user")
        self.assertEqual(wrong, {"shown", "spinner"})

    def test_a_text_that_is_lost(self):
        def change(line):
            return not any(block.get("text") == "Reading. " for block in blocks(line))
        self.assertEqual(self.wrong_columns("single_tool", change), {"shown"})

    def test_a_thought_that_is_lost(self):
        def change(line):
            return not any(block["type"] == "thinking" for block in blocks(line))
        self.assertEqual(self.wrong_columns("thinking", change), {"shown"})

    def test_a_result_that_repeats_the_answer(self):
        def change(line):
            if line["type"] == "result":
                line["result"] = "Reading. It says alpha."
        self.assertIn("shown", self.wrong_columns("single_tool", change))

    def test_another_session_in_the_result(self):
        def change(line):
            if line["type"] == "result":
                line["session_id"] = "another"
        self.assertEqual(self.wrong_columns("reconnect", change), {"session"})

    def test_no_result_at_all(self):
        wrong = self.wrong_columns("reconnect", lambda line: line["type"] != "result")
        self.assertEqual(wrong, {"spinner"})


if __name__ == "__main__":
    sys.exit(unittest.main())
