// SPDX-License-Identifier: MIT
#include "tools/search/glob_pattern.h"

#include "support/work.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::tools::search {
namespace {

bool matches(std::string_view glob, std::string_view path) {
  const auto made = GlobPattern::compile(glob, Braces::alternatives);
  EXPECT_TRUE(made.ok()) << glob;
  return made.ok() && made->matches(path);
}

TEST(GlobPattern, KeepsAnAsteriskInsideAComponent) {
  EXPECT_TRUE(matches("*.ts", "a.ts"));
  EXPECT_FALSE(matches("*.ts", "d/a.ts"));
  EXPECT_TRUE(matches("src/*.ts", "src/a.ts"));
  EXPECT_FALSE(matches("src/*.ts", "src/d/a.ts"));
  EXPECT_FALSE(matches("*.ts", "a.tsx"));
}

TEST(GlobPattern, LetsTwoAsterisksCrossDirectories) {
  EXPECT_TRUE(matches("**/*.ts", "a.ts"));
  EXPECT_TRUE(matches("**/*.ts", "a/b/c.ts"));
  EXPECT_TRUE(matches("src/**/test/*.c", "src/test/a.c"));
  EXPECT_TRUE(matches("src/**/test/*.c", "src/x/test/y/test/a.c"));
  EXPECT_FALSE(matches("src/**/test/*.c", "src/x/tests/a.c"));
  EXPECT_TRUE(matches("src/**", "src/a/b"));
  EXPECT_TRUE(matches("**", "a/b"));
}

TEST(GlobPattern, GoesBackToTheLastPlaceThatCanStretch) {
  EXPECT_TRUE(matches("**/a*b/c", "a1b/x/a2b/c"));
  EXPECT_TRUE(matches("*ab*ab", "ababxab"));
  EXPECT_FALSE(matches("*ab*ab", "abxba"));
}

TEST(GlobPattern, ExpandsNestedBraces) {
  EXPECT_TRUE(matches("*.{ts,js{,x}}", "a.jsx"));
  EXPECT_TRUE(matches("*.{ts,js{,x}}", "a.js"));
  EXPECT_FALSE(matches("*.{ts,js{,x}}", "a.tsx"));
  EXPECT_TRUE(matches("{a,b/c}/d", "b/c/d"));
  EXPECT_TRUE(matches("\\{a\\}", "{a}"));
}

TEST(GlobPattern, TakesAWholeCharacterForAQuestionMark) {
  EXPECT_TRUE(matches("?.md", "\xC3\xA9.md"));
  EXPECT_FALSE(matches("?.md", "ab.md"));
  EXPECT_FALSE(matches("a?b", "a/b"));
}

TEST(GlobPattern, RefusesWhatItCannotRead) {
  for (const std::string_view bad : {"[a", "a\\", "{a,b", "[[:nonsense:]]"}) {
    EXPECT_FALSE(GlobPattern::compile(bad, Braces::alternatives).ok()) << bad;
  }
}

TEST(GlobPattern, RefusesABombOfAlternatives) {
  std::string bomb;
  for (int i = 0; i < 30; ++i) bomb += "{a,b}";
  const auto made = GlobPattern::compile(bomb, Braces::alternatives);
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message.find("10,000 alternatives"), std::string::npos);
  EXPECT_FALSE(GlobPattern::compile(std::string(1 << 20, '*'), Braces::alternatives).ok());
  // Few alternatives, but each of them long.
  const std::string long_bomb = std::string(5000, '*') + bomb.substr(0, 5 * 10);
  EXPECT_FALSE(GlobPattern::compile(long_bomb, Braces::alternatives).ok());
  EXPECT_TRUE(GlobPattern::compile(bomb.substr(0, 5 * 12), Braces::alternatives).ok());
}

TEST(GlobPattern, ComparesEachCharacterWithThePatternOnceAtMost) {
  const auto work = [](const std::string& pattern, const std::string& path) {
    const double bytes = test::work_in_bytes([&] { EXPECT_FALSE(matches(pattern, path)); });
    return bytes / static_cast<double>(pattern.size() * path.size());
  };
  std::string stars;
  for (int i = 0; i < 100; ++i) stars += "a*";
  // A step costs more than a look at a byte, but not ten times as much.
  EXPECT_LT(work(stars + "b", std::string(4000, 'a')), 10);
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "a/";
  EXPECT_LT(work("**/a/**/a/**/a/**/b", deep + "c"), 10);
}

}  // namespace
}  // namespace yume::tools::search
