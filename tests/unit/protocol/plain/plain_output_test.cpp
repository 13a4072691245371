// SPDX-License-Identifier: MIT
#include "protocol/plain/plain_output.h"

#include "protocol/claude/claude_stream.h"
#include "protocol/yume/yume_stream.h"
#include "support/line_checks.h"
#include "support/recorded_lines.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace yume::protocol {
namespace {

core::TurnDone turn(core::TurnOutcome outcome, std::string text) {
  core::TurnDone done;
  done.outcome = outcome;
  done.text = std::move(text);
  done.max_turns = 3;
  done.duration = std::chrono::milliseconds(1);
  return done;
}

core::ToolCall call(const std::string& input) {
  return {.id = "a", .name = "Bash", .input = {input}};
}

template <class Emitter, class... Choices>
std::string written(const std::vector<core::Event>& events, Choices... choices) {
  test::RecordedLines output;
  Emitter emitter(output, choices...);
  for (const core::Event& event : events) emitter.on_event(event, {});
  return output.written;
}

std::string text_of(const std::vector<core::Event>& events, Reader reader = Reader::program) {
  return written<TextOutput>(events, reader);
}

TEST(TextOutput, PrintsOnlyTheFinalText) {
  EXPECT_EQ(text_of({core::SessionStarted{}, core::TextDelta{"no"}, core::ThoughtDelta{"no"},
                     core::ToolCallReady{call("{}")}, core::Notice{"no"},
                     turn(core::TurnOutcome::success, "h\xC3\xA9llo")}),
            "h\xC3\xA9llo\n");
}

TEST(TextOutput, PrintsWhatClaudePrintsForEveryOtherEnd) {
  EXPECT_EQ(text_of({turn(core::TurnOutcome::failed, "API Error: 1")}), "API Error: 1\n");
  EXPECT_EQ(text_of({turn(core::TurnOutcome::max_turns, "x")}), "Error: Reached max turns (3)");
  EXPECT_EQ(text_of({turn(core::TurnOutcome::interrupted, "x")}), "");
  EXPECT_EQ(text_of({turn(core::TurnOutcome::rejected, "x")}), "");
}

// "\xC2\x9B" is ESC [ in one character, 0x9B in one byte.
TEST(TextOutput, GivesAProgramEveryByteAndATerminalNoCommands) {
  const std::string text =
      "a\x1b[31mb\x07\tc\xC2\x9B"
      "2Jd\x9B"
      "e";
  EXPECT_EQ(text_of({turn(core::TurnOutcome::success, text)}), text + "\n");
  EXPECT_EQ(text_of({turn(core::TurnOutcome::success, text)}, Reader::person),
            "a[31mb\tc2Jd\xEF\xBF\xBD"
            "e\n");
  EXPECT_EQ(text_of({turn(core::TurnOutcome::failed, "no\x1b[2J")}, Reader::person), "no[2J\n");
}

std::vector<std::string> json_lines(JsonDetail detail, bool yume) {
  test::RecordedLines output;
  test::MemoryOverflow overflow;
  JsonOutput json(output, detail, [&](Output& inner) -> std::unique_ptr<Emitter> {
    if (yume) return std::make_unique<YumeStream>(inner, overflow, "S");
    return std::make_unique<ClaudeStream>(inner, overflow, core::Address{"S"});
  });
  json.on_event(core::SessionStarted{}, {});
  json.on_event(core::TextDelta{"hi"}, {});
  json.on_event(core::MessageDone{}, {});
  EXPECT_TRUE(output.lines.empty()) << "nothing before the end";
  json.on_event(turn(core::TurnOutcome::success, "hi"), {});
  return output.lines;
}

TEST(JsonOutput, PrintsTheResultAsOneLine) {
  for (const bool yume : {false, true}) {
    const auto lines = json_lines(JsonDetail::result_only, yume);
    ASSERT_EQ(lines.size(), 1U);
    test::expect_good_line(lines[0]);
    const auto json = nlohmann::json::parse(lines[0]);
    EXPECT_EQ(json["type"], "result");
    EXPECT_EQ(json["result"], "hi");
  }
}

TEST(JsonOutput, PrintsAllLinesAsOneArray) {
  const auto lines = json_lines(JsonDetail::all_lines, false);
  ASSERT_EQ(lines.size(), 1U);
  std::vector<std::string> types;
  for (const auto& message : nlohmann::json::parse(lines[0])) types.push_back(message["type"]);
  EXPECT_EQ(types, (std::vector<std::string>{"system", "assistant", "result"}));
}

TEST(ProgressBeside, TellsOfWaitsAndLeavesTheOutputAlone) {
  test::RecordedLines output;
  test::RecordedLines beside;
  ProgressBeside emitter(std::make_unique<TextOutput>(output, Reader::program), beside);
  const core::RetryScheduled retry{.attempt = 2,
                                   .max_retries = 5,
                                   .delay = std::chrono::milliseconds(12'400),
                                   .reason = "cannot connect\x1b[2J"};
  for (const core::Event& event :
       std::vector<core::Event>{core::TextDelta{"hi"}, retry, core::Notice{"careful"},
                                turn(core::TurnOutcome::success, "hi")}) {
    emitter.on_event(event, {});
  }
  EXPECT_EQ(output.written, "hi\n");
  EXPECT_EQ(beside.written, "cannot connect[2J; trying again in 12 s (2 of 5)\ncareful\n");
}

}  // namespace
}  // namespace yume::protocol
