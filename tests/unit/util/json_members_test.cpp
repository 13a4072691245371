// SPDX-License-Identifier: MIT
#include "util/json_members.h"

#include <gtest/gtest.h>

#include <string>

namespace yume {
namespace {

TEST(JsonMembers, StayTheJsonTheyAreWrittenIn) {
  const auto members = JsonMembers::of(
      R"( { "a" : 1.50 , "b":"x\u00e9\"","c": [1, {"d":2}] ,"e":{"f":[]},"g":null , "h":true } )");
  ASSERT_TRUE(members.has_value());
  EXPECT_EQ(members->at("a").text, "1.50");
  EXPECT_EQ(members->at("b").text, R"("x\u00e9\"")");
  EXPECT_EQ(members->at("c").text, R"([1, {"d":2}])");
  EXPECT_EQ(members->at("e").text, R"({"f":[]})");
  EXPECT_EQ(members->at("g").text, "null");
  EXPECT_EQ(members->at("h").text, "true");
  EXPECT_EQ(members->at("d").text, "");
}

TEST(JsonMembers, TheLastOfOneNameCountsHoweverItIsSpelt) {
  EXPECT_EQ(JsonMembers::of(R"({"a":1,"\u0061":2})")->at("a").text, "2");
}

TEST(JsonMembers, OnlyAnObjectHasThem) {
  EXPECT_TRUE(JsonMembers::of("{}").has_value());
  for (const char* other : {"[]", "1", "\"x\"", "null", ""}) {
    EXPECT_FALSE(JsonMembers::of(other).has_value()) << other;
  }
}

TEST(JsonText, IsTheTextOfAStringAndOfNothingElse) {
  EXPECT_EQ(json_text(R"("a\n\u00e9")"), "a\n\xC3\xA9");
  EXPECT_EQ(json_text(R"("")"), "");
  for (const char* other : {"1", "{}", "null", ""}) {
    EXPECT_EQ(json_text(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace yume
