// SPDX-License-Identifier: MIT
#include "hooks/matcher.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::hooks {
namespace {

bool matches(std::string_view matcher, std::string_view name) {
  const auto parsed = Matcher::parse(matcher);
  EXPECT_TRUE(parsed.ok()) << matcher;
  return parsed.ok() && parsed->matches(name);
}

TEST(HookMatcher, TakesAllWithoutAWord) {
  for (const char* all : {"", "*", ".*"}) EXPECT_TRUE(matches(all, "manual")) << all;
}

TEST(HookMatcher, TakesNamesWhole) {
  EXPECT_TRUE(matches("manual", "manual"));
  EXPECT_TRUE(matches("auto|manual", "manual"));
  EXPECT_FALSE(matches("auto|manual", "man"));
  EXPECT_FALSE(matches("man", "manual"));
  EXPECT_FALSE(matches("Manual", "manual"));
  EXPECT_FALSE(matches("|", "manual"));
}

TEST(HookMatcher, FindsPatternsAnywhere) {
  EXPECT_TRUE(matches("^man", "manual"));
  EXPECT_TRUE(matches("mcp__.*__write", "mcp__files__write_all"));
  EXPECT_FALSE(matches("^al", "manual"));
  EXPECT_FALSE(matches("(?:auto)$", "manual"));
}

TEST(HookMatcher, RefusesWhatIsNoPattern) {
  const auto parsed = Matcher::parse("(auto");
  ASSERT_FALSE(parsed.ok());
  EXPECT_NE(parsed.error().message.find("\"(auto\" is not a regular expression"),
            std::string::npos);
}

}  // namespace
}  // namespace yume::hooks
