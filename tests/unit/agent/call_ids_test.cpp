// SPDX-License-Identifier: MIT
#include "agent/call_ids.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::agent {
namespace {

TEST(CallIds, KeepsTheModelsIdAndMakesOneWhereThereIsNone) {
  CallIds ids;
  EXPECT_EQ(ids.next("x"), "x");
  EXPECT_EQ(ids.next(std::nullopt), "call_gemini_1");
  EXPECT_EQ(ids.next(""), "call_gemini_2");
}

TEST(CallIds, NeverHandsOutTheSameTwice) {
  CallIds ids;
  EXPECT_EQ(ids.next("x"), "x");
  EXPECT_EQ(ids.next("x"), "call_gemini_1");
  EXPECT_EQ(ids.next("call_gemini_2"), "call_gemini_2");
  EXPECT_EQ(ids.next(std::nullopt), "call_gemini_3");
}

TEST(CallIds, ReplacesAnIdThatIsTooLongForALine) {
  CallIds ids;
  EXPECT_EQ(ids.next(std::string(129, 'x')), "call_gemini_1");
  EXPECT_EQ(ids.next(std::string(128, 'x')), std::string(128, 'x'));
}

TEST(CallIds, GivesTheSameIdsAgainToARepeatedReply) {
  CallIds ids;
  EXPECT_EQ(ids.next(std::nullopt), "call_gemini_1");
  const std::string second = ids.next(std::nullopt);
  const std::string third = ids.next("x");
  ids.give_back({second, third});
  EXPECT_EQ(ids.next(std::nullopt), second);
  EXPECT_EQ(ids.next("x"), third);
}

}  // namespace
}  // namespace yume::agent
