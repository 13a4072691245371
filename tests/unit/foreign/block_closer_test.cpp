// SPDX-License-Identifier: MIT
#include "foreign/block_closer.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace yume::foreign {
namespace {

std::string name_of(const core::Event& event) {
  if (const auto* done = std::get_if<core::BlockDone>(&event)) {
    return done->extent == core::BlockDone::Extent::all ? "end" : "line";
  }
  if (std::holds_alternative<core::TextDelta>(event)) return "text";
  if (std::holds_alternative<core::ThoughtDelta>(event)) return "thought";
  return "other";
}

std::vector<std::string> passed(std::vector<core::Event> events) {
  BlockCloser closer;
  std::vector<std::string> names;
  const Emit emit = [&names](const core::Event& event) { names.push_back(name_of(event)); };
  for (core::Event& event : events) closer.pass(std::move(event), emit);
  return names;
}

TEST(BlockCloser, EndsATextBeforeWhatIsNoText) {
  EXPECT_EQ(passed({core::TextDelta{"a"}, core::TextDelta{"b"}, core::ThoughtDelta{"c"},
                    core::Notice{"n"}, core::ToolCallReady{}, core::MessageDone{}}),
            (std::vector<std::string>{"text", "text", "end", "thought", "other", "end", "other",
                                      "other"}));
}

TEST(BlockCloser, EndsALineBeforeItIsTooLong) {
  EXPECT_EQ(
      passed({core::TextDelta{std::string(200'000, 'a')}, core::TextDelta{"b"}, core::TurnDone{}}),
      (std::vector<std::string>{"text", "line", "text", "end", "other"}));
}

}  // namespace
}  // namespace yume::foreign
