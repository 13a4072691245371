// SPDX-License-Identifier: MIT
#include "tools/line_diff.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace yume::tools {
namespace {

using core::Patch;
using core::PatchHunk;
using Strings = std::vector<std::string>;

Strings lines_of(const std::string& text) {
  Strings lines;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

// Applies hunks as a patch program would, checking everything they claim about the old text.
Strings patched(const Patch& patch, const Strings& old_lines) {
  Strings result;
  std::size_t at = 0;
  for (const PatchHunk& hunk : patch) {
    const auto start = static_cast<std::size_t>(hunk.old_start - 1);
    while (at < start) result.push_back(old_lines.at(at++));
    EXPECT_EQ(static_cast<std::size_t>(hunk.new_start - 1), result.size());
    std::int64_t removed = 0;
    std::int64_t added = 0;
    for (const std::string& line : hunk.lines) {
      const char mark = line.at(0);
      if (mark != '+') {
        EXPECT_EQ(old_lines.at(at), line.substr(1));
        ++at;
        ++removed;
      }
      if (mark != '-') {
        result.push_back(line.substr(1));
        ++added;
      }
    }
    EXPECT_EQ(hunk.old_lines, removed);
    EXPECT_EQ(hunk.new_lines, added);
  }
  while (at < old_lines.size()) result.push_back(old_lines[at++]);
  return result;
}

TEST(PatchBetween, IsEmptyForEqualTexts) {
  EXPECT_EQ(patch_between("a\nb\n", "a\nb\n"), Patch());
  EXPECT_EQ(patch_between("", ""), Patch());
}

TEST(PatchBetween, ShowsThreeLinesAroundTheChange) {
  EXPECT_EQ(patch_between("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\ny\n6\n7\n8\n9\n"),
            (Patch{{2, 7, 2, 8, {" 2", " 3", " 4", "-5", "+x", "+y", " 6", " 7", " 8"}}}));
}

TEST(PatchBetween, CoversCreationAndRemovalOfEverything) {
  EXPECT_EQ(patch_between("", "a\nb\n"), (Patch{{1, 0, 1, 2, {"+a", "+b"}}}));
  EXPECT_EQ(patch_between("a\n", ""), (Patch{{1, 1, 1, 0, {"-a"}}}));
}

TEST(PatchBetween, KeepsTheBytesOfLines) {
  EXPECT_EQ(patch_between("", "\"\xC3\xA9\xFF\r\n"), (Patch{{1, 0, 1, 1, {"+\"\xC3\xA9\xFF\r"}}}));
}

TEST(PatchBetween, MakesAHunkOfEachPlaceThatChanged) {
  std::string before;
  std::string after;
  for (int i = 1; i <= 30; ++i) {
    before += std::to_string(i) + "\n";
    after += (i == 5 || i == 25 ? "x" : "") + std::to_string(i) + "\n";
  }
  EXPECT_EQ(patch_between(before, after),
            (Patch{{2, 7, 2, 7, {" 2", " 3", " 4", "-5", "+x5", " 6", " 7", " 8"}},
                   {22, 7, 22, 7, {" 22", " 23", " 24", "-25", "+x25", " 26", " 27", " 28"}}}));
}

TEST(PatchBetween, JoinsPlacesThatShareTheirSurroundings) {
  const Patch patch = patch_between("a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n");
  ASSERT_EQ(patch.size(), 1U);
  EXPECT_EQ(patch[0].lines.size(), 10U);
}

TEST(PatchBetween, TellsWhenOnlyTheLastLineEndChanged) {
  EXPECT_EQ(patch_between("a\nb", "a\nb\n"), (Patch{{1, 2, 1, 2, {" a", "-b", "+b"}}}));
}

TEST(LineChanges, FindsTheFewestLines) {
  using Changes = std::vector<LineChange>;
  const auto changes = [](std::string_view before, std::string_view after) {
    return line_changes(lines_with_ends(before), lines_with_ends(after));
  };
  EXPECT_EQ(changes("a\nb\nc\n", "a\nb\nc\n"), Changes{});
  EXPECT_EQ(changes("a\nb\nc\n", "a\nc\n"), (Changes{{1, 2, 1, 1}}));
  EXPECT_EQ(changes("a\nb\nc\nd\n", "x\na\nb\nd\ny\n"),
            (Changes{{0, 0, 0, 1}, {2, 3, 3, 3}, {4, 4, 4, 5}}));
}

TEST(LineChanges, GivesUpOnWhatDiffersEverywhere) {
  std::string before;
  std::string after;
  for (int i = 0; i < 5000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  EXPECT_EQ(line_changes(lines_with_ends("=\n" + before), lines_with_ends("=\n" + after)),
            (std::vector<LineChange>{{1, 5001, 1, 5001}}));
}

TEST(PatchBetween, TurnsTheOldTextIntoTheNewOne) {
  std::mt19937 random(42);
  const auto random_text = [&random] {
    std::string text;
    const auto count = random() % 14;
    for (unsigned i = 0; i < count; ++i) {
      text += std::string(random() % 3, static_cast<char>('a' + random() % 2)) + "\n";
    }
    return text;
  };
  for (int round = 0; round < 3000; ++round) {
    const std::string before = random_text();
    // Half of them small edits, half unrelated texts.
    std::string after = random_text();
    if (random() % 2 == 0) {
      after = before;
      after.insert(after.empty() ? 0 : random() % after.size(), random() % 2 == 0 ? "x" : "\nq\n");
    }
    ASSERT_EQ(patched(patch_between(before, after), lines_of(before)), lines_of(after))
        << before << "---\n"
        << after;
  }
}

}  // namespace
}  // namespace yume::tools
