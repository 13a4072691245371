// SPDX-License-Identifier: MIT
#include "agent/context_keeper.h"

#include "support/compaction_scene.h"
#include "support/enum_name.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace yume::agent {
namespace {

using Strings = std::vector<std::string>;
using test::add_call;
using test::add_turn;
using test::enum_name;

const std::string k_thousand(4'000, 'x');  // tokens, about

struct Scene : test::CompactionScene {
  Scene(std::vector<test::Answer> answers, std::int64_t window, CompactionSettings settings = {})
      : CompactionScene(std::move(answers)),
        encoder(model(window), {}),
        keeper(compactor, encoder, std::move(settings)) {}

  std::string make_room(std::int64_t more = 0) {
    return enum_name(keeper.make_room(more, port, cancel.get_token()));
  }
  std::string make_room_after_refusal(std::optional<std::int64_t> limit = std::nullopt) {
    return enum_name(keeper.make_room_after_refusal(limit, port, cancel.get_token()));
  }
  std::string now() { return test::text_of(keeper.contents()); }

  gemini::RequestEncoder encoder;
  ContextKeeper keeper;
};

CompactionSettings at(double share) {
  return {.share = share};
}

TEST(ContextKeeper, LeavesAConversationBelowTheThresholdAlone) {
  Scene scene({}, 10'000, at(0.5));
  add_turn(scene.keeper.kept(), k_thousand, k_thousand);
  add_turn(scene.keeper.kept(), k_thousand, "short");
  EXPECT_EQ(scene.make_room(), "enough");
  EXPECT_TRUE(scene.transport.bodies.empty());
  EXPECT_EQ(scene.port.events(), Strings{});
}

TEST(ContextKeeper, CompactsWhenTheNextRequestWouldReachTheThreshold) {
  Scene scene({test::summary("SHORT")}, 10'000, at(0.5));
  add_turn(scene.keeper.kept(), k_thousand + k_thousand, k_thousand);
  add_turn(scene.keeper.kept(), "and?", "yes");
  EXPECT_EQ(scene.make_room(2'500), "enough");
  EXPECT_NE(scene.now().find("SHORT"), std::string::npos);
  EXPECT_EQ(scene.now().find("xxx"), std::string::npos);
  EXPECT_EQ(scene.keeper.take_compactions(), 1);
  EXPECT_EQ(scene.keeper.take_compactions(), 0) << "told once";
  EXPECT_EQ(scene.keeper.take_billed().size(), 1U);
  EXPECT_TRUE(scene.keeper.take_billed().empty()) << "told once";
}

TEST(ContextKeeper, BelievesTheServersCountOverItsOwn) {
  Scene scene({test::summary("SHORT")}, 10'000, at(0.5));
  add_turn(scene.keeper.kept(), k_thousand, "one");
  add_turn(scene.keeper.kept(), "and?", "yes");
  scene.keeper.measured({.prompt_tokens = 6'000});
  EXPECT_EQ(scene.keeper.tokens(), 6'000);
  EXPECT_EQ(scene.make_room(), "enough");
  EXPECT_EQ(scene.keeper.take_compactions(), 1);
  EXPECT_LT(scene.keeper.tokens(), 1'000) << "what was counted before counts no more";
}

TEST(ContextKeeper, TriesAgainOnlyWhenItHasGrownAfterAFailure) {
  const auto refused = test::error_answer(400, R"({"error":{"message":"no"}})");
  Scene scene({refused, test::summary("SHORT")}, 10'000, at(0.2));
  add_turn(scene.keeper.kept(), k_thousand + k_thousand, "one");
  add_turn(scene.keeper.kept(), k_thousand, "two");
  EXPECT_EQ(scene.make_room(), "enough");
  EXPECT_EQ(scene.transport.bodies.size(), 1U);
  EXPECT_TRUE(scene.port.events().back().starts_with("compaction failed"))
      << scene.port.events().back();
  EXPECT_EQ(scene.make_room(), "enough");
  EXPECT_EQ(scene.transport.bodies.size(), 1U) << "not again so soon";
  add_turn(scene.keeper.kept(), k_thousand, "three");
  EXPECT_EQ(scene.make_room(), "enough");
  EXPECT_EQ(scene.transport.bodies.size(), 2U);
  EXPECT_EQ(scene.keeper.take_compactions(), 1);
}

TEST(ContextKeeper, TrimsOldOutputsWhenNoSummaryCanBeHad) {
  const auto refused = test::error_answer(400, R"({"error":{"message":"no"}})");
  Scene scene({refused}, 5'000, at(0.5));
  scene.keeper.contents().add_user_text("go");
  scene.keeper.kept().note(0);
  for (int i = 0; i < 4; ++i) add_call(scene.keeper.kept(), k_thousand + k_thousand);
  EXPECT_EQ(scene.make_room(), "enough");
  EXPECT_LE(scene.keeper.tokens(), 5'000);
  EXPECT_NE(scene.now().find(k_thousand + k_thousand), std::string::npos) << "the last one's stays";
  EXPECT_EQ(scene.keeper.take_compactions(), 0);
}

TEST(ContextKeeper, SaysWhenNothingHelps) {
  Scene scene({}, 1'000);
  add_turn(scene.keeper.kept(), "q", "a");
  EXPECT_EQ(scene.make_room(2'000), "none");
  EXPECT_TRUE(scene.transport.bodies.empty()) << "no summary could make room for that";
}

TEST(ContextKeeper, StopsWhenItIsCancelled) {
  Scene scene({test::summary("SHORT")}, 2'000, at(0.5));
  add_turn(scene.keeper.kept(), k_thousand, "one");
  add_turn(scene.keeper.kept(), "and?", "yes");
  scene.cancel.request_stop();
  EXPECT_EQ(scene.make_room(), "cancelled");
  EXPECT_NE(scene.port.events().back().find("it was interrupted"), std::string::npos);
}

TEST(ContextKeeper, TakesTheServersLimitFromItsRefusal) {
  Scene scene({test::summary("SHORT")}, 1'000'000);
  add_turn(scene.keeper.kept(), k_thousand + k_thousand, "one");
  add_turn(scene.keeper.kept(), "and?", "yes");
  EXPECT_EQ(scene.make_room_after_refusal(3'000), "enough");
  EXPECT_EQ(scene.keeper.window(), 3'000);
  EXPECT_NE(scene.now().find("SHORT"), std::string::npos);
  EXPECT_EQ(scene.make_room_after_refusal(900'000), "none") << "nothing is left to sum up";
  EXPECT_EQ(scene.keeper.window(), 3'000) << "it never grows";
}

TEST(ContextKeeper, TrimsAfterARefusalWhenTheSummaryFails) {
  Scene scene({test::error_answer(400, R"({"error":{"message":"no"}})")}, 1'000'000);
  scene.keeper.contents().add_user_text("go");
  scene.keeper.kept().note(0);
  for (int i = 0; i < 4; ++i) add_call(scene.keeper.kept(), k_thousand + k_thousand + k_thousand);
  const std::int64_t before = scene.keeper.contents().tokens();
  EXPECT_EQ(scene.make_room_after_refusal(), "enough");
  EXPECT_LT(scene.keeper.contents().tokens(), before);
}

TEST(ContextKeeper, CompactsOnRequestUnlessItIsShort) {
  Scene scene({test::summary("SHORT")}, 1'000'000);
  add_turn(scene.keeper.kept(), "q", "a");
  add_turn(scene.keeper.kept(), "and?", "yes");
  EXPECT_EQ(scene.keeper.compact_now("", scene.port, {}).end, CompactionEnd::nothing_to_do);
  EXPECT_TRUE(scene.transport.bodies.empty());
  add_turn(scene.keeper.kept(), k_thousand + k_thousand + k_thousand, "long");
  add_turn(scene.keeper.kept(), "last", "one");
  EXPECT_EQ(scene.keeper.compact_now("the names", scene.port, {}).end, CompactionEnd::done);
  EXPECT_NE(scene.transport.bodies.at(0).find("the names"), std::string::npos);
}

TEST(ContextKeeper, CarriesOverWhatItIsGivenAtThatMoment) {
  std::string tasks = "none";
  Scene scene({test::summary("SHORT")}, 1'000'000, {.carry_over = [&] { return tasks; }});
  add_turn(scene.keeper.kept(), k_thousand + k_thousand + k_thousand, "long");
  add_turn(scene.keeper.kept(), "last", "one");
  tasks = "Tasks: two.";
  scene.keeper.compact_now("", scene.port, {});
  EXPECT_TRUE(scene.port.summaries.at(0).text.text().ends_with("Tasks: two."));
}

TEST(ContextKeeper, GoesOnWithWhatWasMeasuredBeforeIfThatCanBeTrue) {
  Scene believed({}, 100'000);
  add_turn(believed.keeper.kept(), k_thousand, "one");
  believed.keeper.resume({.prompt_tokens = 3'000, .output_tokens = 500});
  EXPECT_EQ(believed.keeper.tokens(), 3'500) << "the reply is a part of the next request";
  // A file that calls a conversation small which cannot be.
  Scene doubted({}, 500);
  add_turn(doubted.keeper.kept(), k_thousand + k_thousand, "one");
  const std::int64_t estimate = doubted.keeper.tokens();
  doubted.keeper.resume({.prompt_tokens = 10});
  EXPECT_EQ(doubted.keeper.tokens(), estimate);
}

}  // namespace
}  // namespace yume::agent
