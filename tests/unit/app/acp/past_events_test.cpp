// SPDX-License-Identifier: MIT
#include "app/acp/past_events.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

namespace yume::app {
namespace {

using transcript::ShownItem;
using transcript::ShownSession;
using Kind = ShownItem::Kind;

TEST(PastEvents, AreWhatAHostWouldHaveSeen) {
  ShownSession shown;
  shown.items = {
      {.kind = Kind::prompt, .text = "do it"},
      {.kind = Kind::thought, .text = "hm", .message_id = "m"},
      {.kind = Kind::text, .text = "I do.", .message_id = "m"},
      {.kind = Kind::call,
       .call = {.id = "c", .name = "Edit", .input = {R"({"file_path":"f"})"}},
       .result = transcript::ShownResult{.text = "done", .patch = {{.lines = {"+a"}}}}},
      {.kind = Kind::interruption},
      {.kind = Kind::failure, .text = "broken"},
  };
  const auto events = past_events(shown);
  ASSERT_EQ(events.size(), 9U);
  EXPECT_EQ(std::get<core::PromptTaken>(events[0]).message.text(), "do it");
  EXPECT_EQ(std::get<core::MessageStarted>(events[1]).message_id, "m");
  EXPECT_EQ(std::get<core::ThoughtDelta>(events[2]).text, "hm");
  EXPECT_EQ(std::get<core::TextDelta>(events[4]).text, "I do.");
  EXPECT_EQ(std::get<core::ToolCallReady>(events[5]).call.id, "c");
  const auto& finished = std::get<core::ToolFinished>(events[6]);
  EXPECT_EQ(finished.outcome.content, "done");
  EXPECT_EQ(std::get<core::FileEdited>(finished.outcome.details).path, "f");
  EXPECT_EQ(std::get<core::TextDelta>(events[8]).text, "broken");
}

TEST(PastEvents, ACallThatWasCutOffHasFailed) {
  ShownSession shown;
  shown.items = {{.kind = Kind::call, .call = {.id = "c", .name = "Bash", .input = {"{}"}}}};
  const auto events = past_events(shown);
  EXPECT_TRUE(std::get<core::ToolFinished>(events.at(1)).outcome.is_error);
}

TEST(PastEvents, TodosAreReadFromTheCall) {
  ShownSession shown;
  shown.items = {
      {.kind = Kind::call,
       .call = {.id = "c",
                .name = "TodoWrite",
                .input = {R"({"todos":[{"content":"a","status":"completed"},{"content":""},7]})"}},
       .result = transcript::ShownResult{.text = "ok"}}};
  const auto events = past_events(shown);
  const auto& outcome = std::get<core::ToolFinished>(events.at(1)).outcome;
  EXPECT_EQ(std::get<core::TodosChanged>(outcome.details).after,
            (std::vector<core::Todo>{
                {.content = "a", .status = core::TodoStatus::completed, .active_form = ""}}));
}

}  // namespace
}  // namespace yume::app
