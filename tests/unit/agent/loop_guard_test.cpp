// SPDX-License-Identifier: MIT
#include "agent/loop_guard.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::agent {
namespace {

FinishedCall done(const std::string& input, const std::string& content) {
  return {.call = {.id = "id", .name = "Read", .input = {input}},
          .provider = {.name = "Read"},
          .outcome = {.content = content, .details = {}}};
}

FinishedCall denied(const std::string& input) {
  FinishedCall call = done(input, "no");
  call.outcome.is_error = true;
  call.denial = Denial::unasked;
  return call;
}

FinishedCall failed(const std::string& input) {
  FinishedCall call = done(input, "error");
  call.outcome.is_error = true;
  return call;
}

// What the guard makes of the content of the last of so many equal calls.
std::string last_of(LoopGuard& guard, int count, const FinishedCall& call) {
  FinishedCall last = call;
  for (int i = 0; i < count; ++i) {
    last = call;
    guard.observe(last);
  }
  return last.outcome.content;
}

TEST(LoopGuard, SaysAtTheThirdEqualDenialThatRepeatingDoesNotHelp) {
  LoopGuard guard;
  EXPECT_EQ(last_of(guard, 2, denied("{}")), "no");
  EXPECT_EQ(last_of(guard, 1, denied("{}")),
            "no\n\nThis call was denied 3 times in a row. Repeating it will not help: do without "
            "it, or end your turn and tell the user what you need.");
  EXPECT_EQ(last_of(guard, 1, denied("{\"a\":1}")), "no") << "another call";
  EXPECT_EQ(last_of(guard, 2, denied("{}")), "no") << "not in a row";
}

TEST(LoopGuard, EndsTheTurnAtTenDenialsWithoutASuccess) {
  LoopGuard guard;
  for (int i = 0; i < 9; ++i) {
    last_of(guard, 1, denied(std::to_string(i)));
    last_of(guard, 1, failed(std::to_string(i)));  // no success
  }
  EXPECT_FALSE(guard.reason_to_end());
  last_of(guard, 1, denied("10"));
  EXPECT_EQ(guard.reason_to_end(),
            "The turn was ended because 10 tool calls were denied and none succeeded. Allow what "
            "is needed (--allowedTools, --permission-mode), or ask for something else.");
}

TEST(LoopGuard, ASuccessForgivesDenials) {
  LoopGuard guard;
  last_of(guard, 9, denied("{}"));
  last_of(guard, 1, done("{}", "text"));
  last_of(guard, 9, denied("{}"));
  EXPECT_FALSE(guard.reason_to_end());
}

TEST(LoopGuard, WarnsAtEveryTenthRepetitionAndEndsTheTurnAtTheFortieth) {
  LoopGuard guard;
  EXPECT_EQ(last_of(guard, 10, done("{}", "text")), "text");
  for (const int repeats : {10, 20, 30}) {
    EXPECT_EQ(last_of(guard, 1, done("{}", "text")),
              "text\n\nThe last " + std::to_string(repeats) +
                  " calls repeated earlier ones and brought the same results. Do something else, "
                  "or end your turn and tell the user what is missing. After 40 such calls the "
                  "turn is ended.");
    EXPECT_EQ(last_of(guard, 9, done("{}", "text")), "text");
  }
  EXPECT_FALSE(guard.reason_to_end());
  last_of(guard, 1, done("{}", "text"));
  EXPECT_EQ(guard.reason_to_end(),
            "The turn was ended because the model went round in circles: its last 40 tool calls "
            "repeated earlier ones and brought the same results. Ask again in other words, or with "
            "a stronger model.");
}

TEST(LoopGuard, SeesALoopOfSeveralCalls) {
  LoopGuard guard;
  for (int round = 0; round < 21; ++round) {
    last_of(guard, 1, done("{\"file\":\"a\"}", "text of a"));
    last_of(guard, 1, failed("{\"file\":\"b\"}"));
  }
  EXPECT_TRUE(guard.reason_to_end());
}

TEST(LoopGuard, AnotherResultOrAnotherCallIsProgress) {
  LoopGuard guard;
  for (int i = 0; i < 10; ++i) {
    last_of(guard, 39, done("{}", "text"));
    last_of(guard, 1, done("{}", "text " + std::to_string(i)));  // the same call found something
    last_of(guard, 39, done("{}", "text"));
    last_of(guard, 1, done(std::to_string(i), "text"));
  }
  EXPECT_FALSE(guard.reason_to_end());
}

}  // namespace
}  // namespace yume::agent
