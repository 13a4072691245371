// SPDX-License-Identifier: MIT
#include "agent/compactor.h"

#include "support/compaction_scene.h"
#include "support/enum_name.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::agent {
namespace {

using Strings = std::vector<std::string>;
using test::add_call;
using test::add_turn;
using test::CompactionScene;

const std::string k_long(4'000, 'x');  // about 1,000 tokens

// Three turns, the first of them long.
KeptHistory three_turns() {
  KeptHistory kept;
  add_turn(kept, "first " + k_long, "one " + k_long);
  add_turn(kept, "second", "two");
  add_turn(kept, "third", "three");
  return kept;
}

// Of three turns, the last stays.
CompactionRequest asked_for(const KeptHistory& kept) {
  const std::size_t size = kept.contents.size();
  return {.trigger = core::CompactionTrigger::manual,
          .tokens = kept.contents.tokens(),
          .estimate = kept.contents.tokens(),
          .window = 1'000'000,
          .keep_tokens = kept.contents.tokens_of(size - 2) + kept.contents.tokens_of(size - 1)};
}

std::string end_of(const CompactionResult& result) {
  return test::enum_name(result.end) + (result.reason.empty() ? "" : ": " + result.reason);
}

TEST(ChooseCut, FindsNoPlaceInOneContent) {
  KeptHistory kept;
  EXPECT_EQ(choose_cut(kept.contents, 100), 0U);
  kept.contents.add_user_text("only");
  EXPECT_EQ(choose_cut(kept.contents, 0), 0U);
}

TEST(ChooseCut, KeepsAsManyWholeTurnsAsFit) {
  const KeptHistory kept = three_turns();
  const std::int64_t last = kept.contents.tokens_of(4) + kept.contents.tokens_of(5);
  const std::int64_t two = last + kept.contents.tokens_of(2) + kept.contents.tokens_of(3);
  EXPECT_EQ(choose_cut(kept.contents, two), 2U);
  EXPECT_EQ(choose_cut(kept.contents, two - 1), 4U);
  EXPECT_EQ(choose_cut(kept.contents, last), 4U);
}

TEST(ChooseCut, KeepsTheLastReplyHoweverLargeItIs) {
  KeptHistory kept;
  add_turn(kept, "first", "one");
  add_turn(kept, "second", k_long);
  EXPECT_EQ(choose_cut(kept.contents, 1), 3U);
}

TEST(ChooseCut, NeverPartsACallFromItsResult) {
  KeptHistory kept;
  kept.contents.add_user_text("go");
  for (int i = 0; i < 5; ++i) add_call(kept, "result " + k_long);
  for (std::int64_t keep = 0; keep < kept.contents.tokens(); keep += 97) {
    const std::size_t cut = choose_cut(kept.contents, keep);
    EXPECT_TRUE(cut == 0 || kept.contents.may_cut_before(cut)) << keep;
    EXPECT_NE(cut % 2, 0U) << "1, 3, ... are the calls";
  }
}

TEST(Compactor, PutsASummaryInPlaceOfWhatIsOld) {
  CompactionScene scene({test::summary("SHORT")});
  KeptHistory kept = three_turns();
  const std::string recent = test::text_of(kept.contents.part(4, 6));
  EXPECT_EQ(end_of(scene.compactor.run(asked_for(kept), kept, scene.port, {})), "done");

  ASSERT_EQ(scene.port.summaries.size(), 1U);
  const core::Summary& summary = scene.port.summaries.front();
  EXPECT_EQ(summary.trigger, core::CompactionTrigger::manual);
  EXPECT_EQ(summary.kept_from, 4U);
  EXPECT_NE(summary.text.text().find("summed up"), std::string::npos);
  EXPECT_TRUE(summary.text.text().ends_with("\n\nSHORT")) << summary.text.text();
  // The summary and the kept question are one content, the kept answer the next.
  const std::string now = test::text_of(kept.contents);
  EXPECT_EQ(kept.contents.size(), 2U);
  EXPECT_EQ(kept.starts, (std::vector<std::size_t>{0, 2}));
  EXPECT_NE(now.find("SHORT"), std::string::npos);
  EXPECT_TRUE(now.ends_with(recent.substr(recent.find("third")))) << now;
  EXPECT_EQ(now.find("second"), std::string::npos);
  EXPECT_LT(kept.contents.tokens(), 200);
}

TEST(Compactor, ShowsTheHostTheCompactionAndNothingOfTheModelsTalk) {
  CompactionScene scene({test::error_answer(503, "{}"), test::summary("SHORT")});
  KeptHistory kept = three_turns();
  scene.compactor.run(asked_for(kept), kept, scene.port, {});
  const Strings events = scene.port.events();
  ASSERT_EQ(events.size(), 3U) << testing::PrintToString(events);
  EXPECT_EQ(events[0], "compacting manual");
  EXPECT_TRUE(events[1].starts_with("retry 1/1 ")) << events[1];
  EXPECT_TRUE(events[2].starts_with("compacted manual ")) << events[2];
}

TEST(Compactor, AsksForTheMemoryOfTheOldPartAloneWithoutTools) {
  CompactionScene scene({test::summary("SHORT")});
  scene.hooks.advice.instructions = "keep the names";
  KeptHistory kept = three_turns();
  CompactionRequest request = asked_for(kept);
  request.focus = "the tests";
  scene.compactor.run(request, kept, scene.port, {});
  ASSERT_EQ(scene.transport.bodies.size(), 1U);
  const std::string& body = scene.transport.bodies.front();
  EXPECT_NE(body.find("first xxx"), std::string::npos);
  EXPECT_NE(body.find("second"), std::string::npos);
  EXPECT_EQ(body.find("third"), std::string::npos);
  EXPECT_EQ(body.find("functionDeclarations"), std::string::npos);
  EXPECT_NE(body.find("special attention to: the tests"), std::string::npos);
  EXPECT_NE(body.find(R"(own instructions for it:\nkeep the names)"), std::string::npos);
  EXPECT_EQ(scene.hooks.asked, Strings{"manual the tests"});
}

TEST(Compactor, CarriesOverWhatASummaryMustNotLose) {
  CompactionScene scene({test::summary("SHORT")});
  KeptHistory kept = three_turns();
  CompactionRequest request = asked_for(kept);
  request.carried_over = "Tasks: one.";
  request.user_request = "third";
  scene.compactor.run(request, kept, scene.port, {});
  EXPECT_TRUE(scene.port.summaries.at(0).text.text().ends_with("\n\nSHORT\n\nTasks: one."))
      << "the request itself is kept";
}

TEST(Compactor, RepeatsTheUsersRequestWhenItIsSummedUp) {
  CompactionScene scene({test::summary("SHORT")});
  KeptHistory kept;
  kept.contents.add_user_text("look at everything");
  kept.note(0);
  for (int i = 0; i < 3; ++i) add_call(kept, k_long);
  CompactionRequest request = asked_for(kept);
  request.user_request = "look at everything";
  EXPECT_EQ(end_of(scene.compactor.run(request, kept, scene.port, {})), "done");
  EXPECT_TRUE(scene.port.summaries.at(0).text.text().ends_with(
      "SHORT\n\nThe user's last request, word for word:\nlook at everything"));
  EXPECT_EQ(scene.port.summaries.at(0).kept_from, 5U);
  EXPECT_EQ(kept.starts, (std::vector<std::size_t>{0, 1, 2}));
}

// What is said and what is kept stay as they were, whatever goes wrong.
struct Failing {
  std::string what;
  std::vector<test::Answer> answers;
  std::string end;
};

TEST(Compactor, LeavesTheConversationAloneWhenThereIsNoSummary) {
  const std::vector<Failing> cases = {
      {"an error", {test::error_answer(400, R"({"error":{"message":"no"}})")}, "failed: "},
      {"nothing but space", {test::summary(" \\n ")}, "failed: the model gave no summary"},
      {"more than before",
       {test::summary("much " + k_long + k_long)},
       "failed: the summary would not be shorter than what it stands for"},
  };
  for (const Failing& one : cases) {
    SCOPED_TRACE(one.what);
    CompactionScene scene(one.answers);
    KeptHistory kept = three_turns();
    const std::string before = test::text_of(kept.contents);
    const std::vector<std::size_t> starts = kept.starts;
    const auto result = scene.compactor.run(asked_for(kept), kept, scene.port, {});
    EXPECT_TRUE(end_of(result).starts_with(one.end)) << end_of(result);
    EXPECT_EQ(test::text_of(kept.contents), before);
    EXPECT_EQ(kept.starts, starts);
    EXPECT_TRUE(scene.port.summaries.empty());
  }
}

TEST(Compactor, StopsWhenItIsCancelled) {
  CompactionScene scene({test::summary("SHORT")});
  KeptHistory kept = three_turns();
  const std::string before = test::text_of(kept.contents);
  scene.cancel.request_stop();
  EXPECT_EQ(
      end_of(scene.compactor.run(asked_for(kept), kept, scene.port, scene.cancel.get_token())),
      "cancelled");
  EXPECT_EQ(test::text_of(kept.contents), before);
}

TEST(Compactor, AsksNothingAfterAVeto) {
  CompactionScene scene({});
  scene.hooks.advice.veto = "not today";
  KeptHistory kept = three_turns();
  EXPECT_EQ(end_of(scene.compactor.run(asked_for(kept), kept, scene.port, {})),
            "failed: a PreCompact hook stopped it: not today");
  EXPECT_TRUE(scene.transport.bodies.empty());
}

TEST(Compactor, DoesNothingWhereTheOldPartIsHardlyAnything) {
  CompactionScene scene({});
  KeptHistory kept;
  add_turn(kept, "first", "one");
  add_turn(kept, "second", k_long);
  EXPECT_EQ(end_of(scene.compactor.run(asked_for(kept), kept, scene.port, {})), "nothing_to_do");
  EXPECT_EQ(scene.port.events(), Strings{});
  EXPECT_EQ(scene.hooks.asked, Strings{});
}

TEST(Compactor, SumsUpPieceByPieceWhatTheWindowCannotTake) {
  CompactionScene scene({test::summary("A"), test::summary("A and B"), test::summary("ALL")});
  KeptHistory kept;
  for (const char* name : {"one ", "two ", "three "}) add_turn(kept, name + k_long, "said");
  add_turn(kept, "last", "said");
  CompactionRequest request = asked_for(kept);
  request.window = 2'000;  // three quarters of it take one of the long turns
  const auto result = scene.compactor.run(request, kept, scene.port, {});
  EXPECT_EQ(end_of(result), "done");
  EXPECT_EQ(result.billed.size(), 3U);
  ASSERT_EQ(scene.transport.bodies.size(), 3U);
  EXPECT_NE(scene.transport.bodies[0].find("one xxx"), std::string::npos);
  EXPECT_EQ(scene.transport.bodies[0].find("two xxx"), std::string::npos);
  EXPECT_NE(scene.transport.bodies[1].find("A"), std::string::npos);
  EXPECT_EQ(scene.transport.bodies[1].find("one xxx"), std::string::npos);
  EXPECT_NE(scene.transport.bodies[2].find("A and B"), std::string::npos);
  EXPECT_NE(scene.transport.bodies[2].find("three xxx"), std::string::npos);
  EXPECT_TRUE(scene.port.summaries.at(0).text.text().ends_with("\n\nALL"));
}

TEST(Compactor, BillsForASummaryThatWasOfNoUse) {
  CompactionScene scene({test::summary("much " + k_long + k_long)});
  KeptHistory kept = three_turns();
  const auto result = scene.compactor.run(asked_for(kept), kept, scene.port, {});
  ASSERT_EQ(result.billed.size(), 1U);
  EXPECT_EQ(result.billed[0].prompt_tokens, 50);
}

TEST(Compactor, TellsTheTokensInTheServersMeasure) {
  CompactionScene scene({test::summary("SHORT")});
  KeptHistory kept = three_turns();
  CompactionRequest request = asked_for(kept);
  request.tokens = 2 * request.estimate;  // the server counts twice as many
  scene.compactor.run(request, kept, scene.port, {});
  EXPECT_EQ(scene.port.summaries.at(0).pre_tokens, request.tokens);
  EXPECT_EQ(scene.port.summaries.at(0).post_tokens, 2 * kept.contents.tokens());
}

}  // namespace
}  // namespace yume::agent
