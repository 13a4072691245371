// SPDX-License-Identifier: MIT
#include "protocol/gemini_cli/gemini_cli_stream.h"

#include "protocol/gemini_cli/gemini_cli_failure.h"
#include "protocol/gemini_cli/gemini_cli_plain.h"
#include "support/fake_clock.h"
#include "support/recorded_lines.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace yume::protocol {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using Strings = std::vector<std::string>;

const platform::SteadyTime k_start{std::chrono::hours(5)};

struct Scene {
  void at(milliseconds since_start, const core::Event& event) {
    stream.on_event(event, k_start + since_start);
  }
  // The texts of the assistant since the last call.
  Strings texts() {
    Strings found;
    for (const std::string& line : output.take()) {
      const auto value = json::parse(line);
      if (value["type"] == "message") found.push_back(value["content"]);
    }
    return found;
  }
  json last() { return json::parse(output.lines.back()); }

  test::FakeClock clock;
  test::RecordedLines output;
  test::RecordedLines errors;
  test::MemoryOverflow overflow;
  GeminiCliStream stream{output, errors, overflow, clock};
};

core::ToolFinished finished(const std::string& id, bool is_error, std::string content) {
  core::ToolFinished event{.call = {.id = id, .name = "Bash", .input = RawJson{"{}"}},
                           .outcome = {}};
  event.outcome.is_error = is_error;
  event.outcome.content = std::move(content);
  return event;
}

TEST(GeminiCliStream, JoinsPiecesThatWouldHaveTheSameTime) {
  Scene scene;
  scene.at(milliseconds(0), core::TextDelta{"a"});
  scene.at(milliseconds(0), core::TextDelta{"b"});
  scene.at(milliseconds(1), core::TextDelta{"b"});
  EXPECT_EQ(scene.texts(), (Strings{"a"}));
  EXPECT_EQ(scene.stream.wake_at(), k_start + milliseconds(2));
  scene.stream.on_time(k_start + milliseconds(2));
  EXPECT_EQ(scene.texts(), (Strings{"bb"}));
  scene.at(milliseconds(3), core::TextDelta{"bb"});
  EXPECT_EQ(scene.stream.not_before(core::TurnDone{}), k_start + milliseconds(4));
  scene.at(milliseconds(4), core::TurnDone{});
  EXPECT_EQ(scene.texts(), (Strings{"bb"}));
}

TEST(GeminiCliStream, KeepsNobodyWaitingForATextThatDiffers) {
  Scene scene;
  scene.at(milliseconds(0), core::TextDelta{"a"});
  scene.at(milliseconds(0), core::TextDelta{"b"});
  EXPECT_EQ(scene.stream.not_before(core::TurnDone{}), std::nullopt);
  scene.at(milliseconds(0), core::TurnDone{});
  EXPECT_EQ(scene.texts(), (Strings{"a", "b"}));
  // What it said before that could have the same time.
  scene.at(milliseconds(1), core::TextDelta{"a"});
  EXPECT_EQ(scene.stream.not_before(core::TurnDone{}), k_start + milliseconds(2));
}

TEST(GeminiCliStream, SaysWhyACallFailed) {
  Scene scene;
  scene.at(milliseconds(0), finished("1", true, "exit 1"));
  EXPECT_EQ(scene.last()["error"]["type"], "TOOL_EXECUTION_ERROR");
  const core::ToolCall refused{.id = "2", .name = "Bash", .input = RawJson{"{}"}};
  scene.at(milliseconds(0), core::PermissionRefused{.call = refused, .message = "no"});
  scene.at(milliseconds(0), finished("2", true, "no"));
  EXPECT_EQ(scene.last()["error"]["type"], "policy_violation");
  EXPECT_EQ(scene.last()["output"], "no");
}

TEST(GeminiCliStream, EndsEveryTurnWithAResult) {
  struct Row {
    core::TurnOutcome outcome;
    core::FailureKind failure;
    const char* type;
    const char* word;
  };
  using core::FailureKind;
  using core::TurnOutcome;
  const Row rows[] = {
      {TurnOutcome::failed, FailureKind::authentication, "FatalAuthenticationError", "auth"},
      {TurnOutcome::failed, FailureKind::rate_limit, "QuotaExceededError", "Quota exceeded"},
      {TurnOutcome::failed, FailureKind::server_error, "unknown", "Error: "},
      {TurnOutcome::max_turns, FailureKind::none, "FatalTurnLimitedError", "Error: "},
      {TurnOutcome::interrupted, FailureKind::none, "FatalCancellationError", "cancelled"},
      {TurnOutcome::timed_out, FailureKind::none, "TimeoutError", "Error: "},
      {TurnOutcome::rejected, FailureKind::invalid_request, "FatalInputError", "Error: "},
  };
  for (const Row& row : rows) {
    Scene scene;
    core::TurnDone done;
    done.outcome = row.outcome;
    done.failure = row.failure;
    done.text = "Error: it\nbroke";
    scene.at(milliseconds(0), done);
    EXPECT_EQ(scene.last()["status"], "error");
    EXPECT_EQ(scene.last()["error"]["type"], row.type);
    ASSERT_EQ(scene.errors.lines.size(), 1U);
    EXPECT_NE(scene.errors.lines[0].find(row.word), std::string::npos) << scene.errors.lines[0];
    EXPECT_EQ(scene.errors.lines[0].find('\n'), std::string::npos);
  }
  Scene scene;
  scene.at(milliseconds(0), core::TurnDone{});
  EXPECT_EQ(scene.last()["status"], "success");
  EXPECT_TRUE(scene.errors.lines.empty());
}

TEST(GeminiCliText, ShowsAPersonNothingThatCommandsTheirTerminal) {
  test::RecordedLines output;
  test::RecordedLines errors;
  GeminiCliText text(output, errors, TextReader::person);
  text.on_event(core::TextDelta{"a\x1b[2Jb"}, k_start);
  core::TurnDone done;
  done.outcome = core::TurnOutcome::failed;
  done.text = "bad \x1b[31mkey";
  text.on_event(done, k_start);
  EXPECT_EQ(output.written.find('\x1b'), std::string::npos);
  EXPECT_EQ(errors.lines.at(0).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace yume::protocol
