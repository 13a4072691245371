// SPDX-License-Identifier: MIT
#include "protocol/yume_app/yume_app_host.h"

#include "protocol/spaced_output.h"
#include "support/fake_clock.h"
#include "support/recorded_lines.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace yume::protocol {
namespace {

using Json = nlohmann::json;
using std::chrono::milliseconds;

constexpr platform::SteadyTime k_listens{milliseconds(120)};
constexpr platform::SteadyTime k_later{milliseconds(500)};

struct Scene {
  void write(core::Event event, platform::SteadyTime at = k_later) {
    host.write({.address = {"5e55-1"}, .event = std::move(event)}, at);
  }
  std::vector<Json> lines() const {
    std::vector<Json> all;
    for (const std::string& line : output.lines) all.push_back(Json::parse(line));
    return all;
  }
  Json last() const { return Json::parse(output.lines.back()); }

  test::RecordedLines output;
  test::MemoryOverflow overflow;
  YumeAppHost host{output, overflow, k_listens};
};

core::SessionStarted started(core::Usage context = {}) {
  return {.session_id = "5e55-1",
          .model = "m",
          .cwd = "/w",
          .tools = {},
          .credential_source = "none",
          .context = context};
}

core::TurnDone done(core::TurnOutcome outcome, std::string text) {
  core::TurnDone end;
  end.outcome = outcome;
  end.text = std::move(text);
  end.duration = milliseconds(1);
  return end;
}

TEST(YumeAppHost, HoldsTheFirstLineBackUntilTheAppListens) {
  Scene scene;
  scene.write(started(), platform::SteadyTime(milliseconds(2)));
  EXPECT_TRUE(scene.output.lines.empty());
  EXPECT_EQ(scene.host.wake_at(), k_listens);
  scene.host.on_time(platform::SteadyTime(milliseconds(119)));
  EXPECT_TRUE(scene.output.lines.empty());
  scene.host.on_time(k_listens);
  ASSERT_EQ(scene.output.lines.size(), 1U);
  EXPECT_EQ(scene.last()["subtype"], "init");
  EXPECT_EQ(scene.host.wake_at(), std::nullopt);
}

TEST(YumeAppHost, LetsNothingPassTheFirstLine) {
  Scene scene;
  scene.write(started(), platform::SteadyTime(milliseconds(2)));
  const core::Envelope end{.address = {"5e55-1"}, .event = done(core::TurnOutcome::success, "hi")};
  EXPECT_EQ(scene.host.not_before(end), k_listens);
  scene.host.write(end, k_listens);
  ASSERT_EQ(scene.output.lines.size(), 2U);
  EXPECT_EQ(scene.lines()[0]["subtype"], "init");
  EXPECT_EQ(scene.lines()[1]["type"], "result");
}

TEST(YumeAppHost, WritesAtOnceWhenTheAppListens) {
  Scene scene;
  scene.write(started());
  EXPECT_EQ(scene.output.lines.size(), 1U);
}

TEST(YumeAppHost, GivesEqualBlocksIdsOfTheirOwn) {
  Scene scene;
  scene.write(started());
  for (int i = 0; i < 2; ++i) {
    scene.write(core::TextDelta{"same"});
    scene.write(core::BlockDone{});
  }
  const auto lines = scene.lines();
  const std::string first = lines[1]["message"]["content"][0]["id"];
  const std::string second = lines[2]["message"]["content"][0]["id"];
  EXPECT_FALSE(first.empty());
  EXPECT_NE(first, second);
}

TEST(YumeAppHost, TagsCallsWithTheirSession) {
  Scene scene;
  scene.write(started());
  const core::ToolCall call{.id = "call_gemini_1", .name = "Read", .input = {"{}"}};
  scene.write(core::ToolCallReady{.call = call});
  EXPECT_EQ(scene.last()["message"]["content"][0]["id"], "call_gemini_1_5e55");
  scene.write(core::ToolFinished{.call = call, .outcome = {.content = "x", .details = {}}});
  EXPECT_EQ(scene.last()["message"]["content"][0]["tool_use_id"], "call_gemini_1_5e55");
}

TEST(YumeAppHost, ShowsTheLastRequestAsTheContextAndNeverZero) {
  {
    Scene scene;
    scene.write(started());
    scene.write(done(core::TurnOutcome::failed, "no"));
    EXPECT_GT(scene.last()["usage"]["input_tokens"], 0) << "nothing is known of a new session";
  }
  Scene scene;
  scene.write(started({.prompt_tokens = 70}));
  core::TurnDone end = done(core::TurnOutcome::failed, "no");
  end.total.prompt_tokens = 500;
  scene.write(end);
  EXPECT_EQ(scene.lines()[1]["message"]["usage"]["input_tokens"], 70) << "its reason, too";
  EXPECT_EQ(scene.last()["usage"]["input_tokens"], 70);
  end = done(core::TurnOutcome::success, "yes");
  end.total.prompt_tokens = 500;
  end.context.prompt_tokens = 90;
  scene.write(end);
  EXPECT_EQ(scene.last()["usage"]["input_tokens"], 90);
}

TEST(YumeAppHost, ShowsAFinishedCompactionByItsZeros) {
  Scene scene;
  scene.write(started({.prompt_tokens = 70}));
  core::TurnDone end = done(core::TurnOutcome::success, "Compacted");
  end.compacted = true;
  end.is_local_command = true;
  scene.write(end);
  EXPECT_EQ(scene.last()["usage"]["input_tokens"], 0);
}

TEST(YumeAppHost, SaysEveryReasonAsTextOfTheAssistant) {
  for (const auto outcome : {core::TurnOutcome::failed, core::TurnOutcome::max_turns,
                             core::TurnOutcome::max_budget, core::TurnOutcome::rejected}) {
    Scene scene;
    scene.write(done(outcome, "The reason."));
    const auto lines = scene.lines();
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0]["message"]["content"][0]["text"], "The reason.");
    EXPECT_EQ(lines[1]["subtype"], "error_during_execution");
    EXPECT_EQ(lines[1]["is_error"], true);
  }
}

TEST(YumeAppHost, KeepsTheWordCompactOutOfResultsWithoutACompaction) {
  Scene scene;
  scene.write(done(core::TurnOutcome::success, "I made it more Compact."));
  EXPECT_EQ(scene.last()["result"], "");
  scene.write(core::TextDelta{"I made it shorter."});
  scene.write(done(core::TurnOutcome::success, "I made it shorter."));
  EXPECT_EQ(scene.last()["result"], "I made it shorter.");
}

TEST(YumeAppHost, LeavesOutAResultThatWouldBeShownAgain) {
  Scene scene;
  scene.write(core::TextDelta{"Half a "});
  scene.write(core::BlockDone{});
  scene.write(core::TextDelta{"sentence."});
  scene.write(done(core::TurnOutcome::success, "Half a sentence."));
  EXPECT_EQ(scene.last()["result"], "");
}

TEST(YumeAppHost, SaysNoticesAsTexts) {
  Scene scene;
  scene.write(core::Notice{"A new conversation begins."});
  EXPECT_EQ(scene.last()["message"]["content"][0]["text"], "A new conversation begins.");
}

TEST(YumeAppHost, SaysNoUsageOfASessionThatNeverWas) {
  Scene scene;
  scene.write(done(core::TurnOutcome::rejected, "No."));
  EXPECT_FALSE(scene.last().contains("usage"));
}

TEST(YumeAppHost, CannotBeAsked) {
  const Scene scene;
  EXPECT_FALSE(scene.host.can_be_asked());
}

TEST(SpacedOutput, KeepsLinesApart) {
  test::FakeClock clock;
  test::RecordedLines lines;
  SpacedOutput output(lines, clock, milliseconds(2));
  output.line("a");
  const auto first = clock.steady_now();
  output.line("b");
  EXPECT_EQ(clock.steady_now() - first, milliseconds(2));
  clock.sleep_for(milliseconds(5), {});
  const auto later = clock.steady_now();
  output.line("c");
  EXPECT_EQ(clock.steady_now(), later) << "long enough ago";
  EXPECT_EQ(lines.lines, (std::vector<std::string>{"a", "b", "c"}));
}

}  // namespace
}  // namespace yume::protocol
