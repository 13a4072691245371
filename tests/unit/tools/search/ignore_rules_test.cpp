// SPDX-License-Identifier: MIT
#include "tools/search/ignore_rules.h"

#include "support/ignore_table.h"

#include <gtest/gtest.h>

namespace yume::tools::search {
namespace {

// As a walk would: a path is ignored when it or one of its directories is.
bool is_ignored(const IgnoreRules& rules, std::string_view path, bool is_directory) {
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    const bool last = end == std::string_view::npos;
    const std::string_view part = path.substr(0, end);
    const Candidate entry{.path = part,
                          .name = part.substr(part.rfind('/') + 1),
                          .is_directory = !last || is_directory};
    if (rules.judge(entry) == Verdict::ignore) return true;
    if (last) return false;
  }
}

TEST(IgnoreRules, DecideAsGitDoes) {
  for (const test::IgnoreRow& row : test::k_ignore_rows) {
    std::string_view path = row.path;
    const bool is_directory = path.ends_with('/');
    if (is_directory) path.remove_suffix(1);
    EXPECT_EQ(is_ignored(IgnoreRules::parse(row.rules), path, is_directory), row.ignored)
        << "rules: " << row.rules << " path: " << row.path;
  }
}

TEST(IgnoreRules, TakeGlobsAsRipgrepsFlagDoes) {
  IgnoreRules globs;
  ASSERT_TRUE(globs.add_override("*.{ts,tsx}").ok());
  ASSERT_TRUE(globs.add_override("!*.d.ts").ok());
  EXPECT_EQ(globs.judge({.path = "a/b.ts", .name = "b.ts"}), Verdict::keep);
  EXPECT_EQ(globs.judge({.path = "a/b.tsx", .name = "b.tsx"}), Verdict::keep);
  EXPECT_EQ(globs.judge({.path = "a/b.d.ts", .name = "b.d.ts"}), Verdict::ignore);
  EXPECT_EQ(globs.judge({.path = "a/b.js", .name = "b.js"}), Verdict::none);
  EXPECT_FALSE(globs.add_override("[a").ok());
  EXPECT_FALSE(globs.add_override("{a,b").ok());
}

TEST(IgnoreRules, SurviveFilesThatAreNoText) {
  EXPECT_TRUE(IgnoreRules::parse(std::string_view("\0\0", 0)).empty());
  EXPECT_TRUE(IgnoreRules::parse("#only a comment\n\n   \n").empty());
  EXPECT_TRUE(IgnoreRules::parse("[unclosed\n\\\n/\n").empty());
}

}  // namespace
}  // namespace yume::tools::search
