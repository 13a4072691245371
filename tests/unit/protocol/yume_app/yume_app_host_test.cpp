// SPDX-License-Identifier: MIT
#include "protocol/yume_app/yume_app_host.h"

#include "protocol/spaced_output.h"
#include "support/fake_clock.h"
#include "support/recorded_lines.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
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
  std::optional<milliseconds> live_text_gap = std::nullopt;
  YumeAppHost host{output, overflow, {.listens_at = k_listens, .live_text_gap = live_text_gap}};
};

// A scene whose window is shown texts that grow.
Scene live_scene(milliseconds gap = milliseconds(80)) {
  return Scene{.output = {}, .overflow = {}, .live_text_gap = gap};
}

platform::SteadyTime after(int ms) {
  return k_later + milliseconds(ms);
}

std::string text_of(const Json& line) {
  return line["message"]["content"][0]["text"];
}

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

TEST(YumeAppHost, ShowsATextWhenItIsComplete) {
  Scene scene;
  scene.write(core::TextDelta{"Hel"});
  scene.write(core::TextDelta{"lo"}, after(1'000));
  EXPECT_TRUE(scene.output.lines.empty());
  EXPECT_EQ(scene.host.wake_at(), std::nullopt);
  scene.write(core::BlockDone{});
  EXPECT_FALSE(scene.last().contains("id"));
  EXPECT_FALSE(scene.last().contains("streaming"));
}

TEST(YumeAppHost, ShowsALiveTextInOneRow) {
  Scene scene = live_scene();
  scene.write(core::TextDelta{"Hel"});
  scene.write(core::TextDelta{"lo"}, after(80));
  scene.write(core::BlockDone{.uuid = "final"}, after(90));
  const auto lines = scene.lines();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(text_of(lines[0]), "Hel");
  EXPECT_EQ(text_of(lines[1]), "Hello");
  EXPECT_EQ(text_of(lines[2]), "Hello");
  const std::string row = lines[0]["id"];
  EXPECT_TRUE(row.starts_with("bash-")) << row;
  EXPECT_EQ(lines[1]["id"], row);
  EXPECT_EQ(lines[2]["id"], row);
  EXPECT_EQ(lines[0]["streaming"], true);
  EXPECT_EQ(lines[1]["streaming"], true);
  EXPECT_FALSE(lines[2].contains("streaming")) << "this is all of it";
  EXPECT_EQ(lines[2]["uuid"], "final") << "the record's, and only here";
  EXPECT_NE(lines[0]["uuid"], lines[1]["uuid"]);
}

TEST(YumeAppHost, ShowsWhatALiveTextHasHeldBackWhenItsTimeHasCome) {
  Scene scene = live_scene();
  scene.write(core::TextDelta{"a"});
  scene.write(core::TextDelta{"b"}, after(10));
  scene.write(core::TextDelta{"c"}, after(20));
  EXPECT_EQ(scene.output.lines.size(), 1U);
  EXPECT_EQ(scene.host.wake_at(), after(80));
  scene.host.on_time(after(79));
  EXPECT_EQ(scene.output.lines.size(), 1U);
  scene.host.on_time(after(80));
  ASSERT_EQ(scene.output.lines.size(), 2U);
  EXPECT_EQ(text_of(scene.last()), "abc");
  EXPECT_EQ(scene.host.wake_at(), std::nullopt) << "it has to grow first";
}

TEST(YumeAppHost, GivesEachLiveTextARowOfItsOwn) {
  Scene scene = live_scene();
  scene.write(core::TextDelta{"One."});
  scene.write(core::ThoughtDelta{"Hm."}, after(1));
  scene.write(core::TextDelta{"Two."}, after(2));
  scene.write(core::ToolCallReady{.call = {.id = "c", .name = "Read", .input = {"{}"}}}, after(3));
  const auto lines = scene.lines();
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[0]["id"], lines[1]["id"]);
  EXPECT_EQ(lines[2]["message"]["content"][0]["type"], "thinking");
  EXPECT_FALSE(lines[2].contains("id")) << "the window would not draw it again";
  EXPECT_EQ(lines[3]["id"], lines[4]["id"]);
  EXPECT_NE(lines[0]["id"], lines[3]["id"]);
  EXPECT_FALSE(lines[5].contains("id")) << "a call is no text";
}

TEST(YumeAppHost, EndsALiveTextInItsRowWhateverEndsTheTurn) {
  for (const auto outcome : {core::TurnOutcome::interrupted, core::TurnOutcome::failed}) {
    Scene scene = live_scene();
    scene.write(core::TextDelta{"Half"});
    scene.write(core::TextDelta{" a"}, after(1));
    scene.write(done(outcome, "no"), after(2));
    const auto lines = scene.lines();
    EXPECT_EQ(text_of(lines[1]), "Half a");
    EXPECT_EQ(lines[1]["id"], lines[0]["id"]);
    EXPECT_FALSE(lines[2].contains("id"));
    EXPECT_EQ(scene.last()["type"], "result");
    EXPECT_EQ(scene.host.wake_at(), std::nullopt);
  }
}

TEST(YumeAppHost, DoesNotTakeALiveTextForTheLastOne) {
  Scene scene = live_scene();
  scene.write(core::TextDelta{"Half a "});
  scene.write(core::TextDelta{"sentence."}, after(100));
  scene.write(done(core::TurnOutcome::success, "Half a "), after(101));
  EXPECT_EQ(scene.last()["result"], "") << "no row shows only this";
}

TEST(YumeAppHost, SplitsALongLiveTextOverRowsThatFit) {
  Scene scene = live_scene(milliseconds(0));
  std::string all;
  for (int i = 0; i < 15; ++i) {
    const std::string piece(100'000, static_cast<char>('a' + i));
    scene.write(core::TextDelta{piece});
    all += piece;
    if (i == 9) {
      scene.write(core::BlockDone{.uuid = {}, .extent = core::BlockDone::Extent::first_line});
    }
  }
  scene.write(core::BlockDone{});
  std::map<std::string, std::string> rows;
  std::vector<std::string> order;
  std::size_t bytes = 0;
  for (const std::string& line : scene.output.lines) {
    EXPECT_LT(line.size(), k_max_line_bytes);
    bytes += line.size();
    const Json json = Json::parse(line);
    const std::string row = json["id"];
    if (!rows.contains(row)) order.push_back(row);
    rows[row] = text_of(json);
  }
  ASSERT_EQ(order.size(), 2U);
  EXPECT_TRUE(rows[order[0]] + rows[order[1]] == all);
  EXPECT_LT(bytes, 11 * all.size());
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
