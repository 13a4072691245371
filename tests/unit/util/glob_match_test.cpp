// SPDX-License-Identifier: MIT
#include "util/glob_match.h"

#include "support/work.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume {
namespace {

struct Case {
  std::string_view pattern;
  std::string_view text;
  bool matches;
};

TEST(GlobMatch, FollowsTheRulesForPaths) {
  const std::vector<Case> cases = {
      {"a", "a", true},
      {"a", "b", false},
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
      {"*", "name.txt", true},
      {"*", "a/b", false},
      {"*.cpp", "x.cpp", true},
      {"*.cpp", "dir/x.cpp", false},
      {"?", "a", true},
      {"?", "/", false},
      {"?", "", false},
      {"a*c", "abbbc", true},
      {"a*c", "ac", true},
      {"a*c", "ab/c", false},
      {"**", "a/b/c", true},
      {"**", "", true},
      {"src/**", "src/a/b", true},
      {"src/**", "src/", true},
      {"src/**", "src", false},
      {"src/**", "srcx/a", false},
      {"**/x", "x", true},
      {"**/x", "a/x", true},
      {"**/x", "a/b/x", true},
      {"**/x", "ax", false},
      {"**/x", "a/bx", false},
      {"a/**/b", "a/b", true},
      {"a/**/b", "a/x/y/b", true},
      {"a/**/b", "a/xb", false},
      {"a**b", "a/x/b", true},
      {"/**/.env", "/w/app/.env", true},
      {"/**/.env", "/.env", true},
      {"/**/.env", "/w/app/.envrc", false},
      {"/w/*/x", "/w/a/x", true},
      {"/w/*/x", "/w/a/b/x", false},
      {"***", "a/b", true},
      {"[a]", "a", false},
      {"[a]", "[a]", true},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(glob_match(one.pattern, one.text), one.matches) << one.pattern << " on " << one.text;
  }
}

TEST(WildcardMatch, LetsAStarMatchAnything) {
  const std::vector<Case> cases = {
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
      {"*", "a b/c", true},
      {"git *", "git diff", true},
      {"git *", "git", false},
      {"ls*", "lsof", true},
      {"*x", "axbx", true},
      {"*x", "axb", false},
      {"a*b*c", "a12b3c", true},
      {"a*b*c", "acb", false},
      {"**", "abc", true},
      {"a?", "ab", false},
      {"a?", "a?", true},
      {"abc", "abcd", false},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(wildcard_match(one.pattern, one.text), one.matches)
        << one.pattern << " on " << one.text;
  }
}

TEST(GlobMatch, ComparesEachCharacterWithThePatternOnceAtMost) {
  const std::string text(3000, 'a');
  std::string stars;
  for (int i = 0; i < 40; ++i) stars += "*a";
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += "**/";
  // A step costs more than a look at a byte, but not twenty times as much.
  const double most = 20.0 * static_cast<double>(text.size() * (stars.size() + 1));
  EXPECT_LT(test::work_in_bytes([&] { EXPECT_FALSE(glob_match(stars + "b", text)); }), most);
  EXPECT_LT(test::work_in_bytes([&] { EXPECT_FALSE(wildcard_match(stars + "b", text)); }), most);
  EXPECT_LT(test::work_in_bytes([&] { EXPECT_FALSE(glob_match(deep + "b", text)); }), most);
}

}  // namespace
}  // namespace yume
