// SPDX-License-Identifier: MIT
#include "util/nearest_word.h"

#include <gtest/gtest.h>

#include <string>

namespace yume {
namespace {

TEST(EditDistance, CountsAddedMissingReplacedAndSwappedLetters) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("models", "models"), 0U);
  EXPECT_EQ(edit_distance("model", "models"), 1U);
  EXPECT_EQ(edit_distance("mxdels", "models"), 1U);
  EXPECT_EQ(edit_distance("moedls", "models"), 1U);
  EXPECT_EQ(edit_distance("omdesl", "models"), 2U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

std::string near(std::string_view typed) {
  return nearest_word(typed, {"sessions", "models", "demo", "auth", "doctor"}).value_or("");
}

TEST(NearestWord, FindsSlips) {
  EXPECT_EQ(near("session"), "sessions");
  EXPECT_EQ(near("sesions"), "sessions");
  EXPECT_EQ(near("Models"), "models");
  EXPECT_EQ(near("modles"), "models");
  EXPECT_EQ(near("dcotor"), "doctor");
  EXPECT_EQ(near("doc"), "doctor") << "the beginning of no other";
}

TEST(NearestWord, DoesNotGuessWildly) {
  EXPECT_EQ(near("hello"), "");
  EXPECT_EQ(near("fix"), "");
  EXPECT_EQ(near("d"), "") << "two begin so, and one letter is too little";
  EXPECT_EQ(near(""), "");
  EXPECT_EQ(near(std::string(1'000'000, 's')), "") << "without taking its time";
  EXPECT_EQ(nearest_word("x", {"y"}), std::nullopt);
}

}  // namespace
}  // namespace yume
