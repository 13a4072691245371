// SPDX-License-Identifier: MIT
#include "tools/line_diff.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>
#include <string>
#include <vector>

namespace yume::tools {
namespace {

using nlohmann::json;
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
Strings patched(const json& hunks, const Strings& old_lines) {
  Strings result;
  std::size_t at = 0;
  for (const json& hunk : hunks) {
    const auto start = hunk["oldStart"].get<std::size_t>() - 1;
    while (at < start) result.push_back(old_lines.at(at++));
    EXPECT_EQ(hunk["newStart"].get<std::size_t>() - 1, result.size());
    std::size_t removed = 0;
    std::size_t added = 0;
    for (const std::string line : hunk["lines"]) {
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
    EXPECT_EQ(hunk["oldLines"].get<std::size_t>(), removed);
    EXPECT_EQ(hunk["newLines"].get<std::size_t>(), added);
  }
  while (at < old_lines.size()) result.push_back(old_lines[at++]);
  return result;
}

TEST(StructuredPatch, IsEmptyForEqualTexts) {
  EXPECT_EQ(structured_patch("a\nb\n", "a\nb\n").text, "[]");
  EXPECT_EQ(structured_patch("", "").text, "[]");
}

TEST(StructuredPatch, ShowsThreeLinesAroundTheChange) {
  EXPECT_EQ(structured_patch("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\ny\n6\n7\n8\n9\n").text,
            R"([{"oldStart":2,"oldLines":7,"newStart":2,"newLines":8,)"
            R"("lines":[" 2"," 3"," 4","-5","+x","+y"," 6"," 7"," 8"]}])");
}

TEST(StructuredPatch, CoversCreationAndRemovalOfEverything) {
  EXPECT_EQ(structured_patch("", "a\nb\n").text,
            R"([{"oldStart":1,"oldLines":0,"newStart":1,"newLines":2,"lines":["+a","+b"]}])");
  EXPECT_EQ(structured_patch("a\n", "").text,
            R"([{"oldStart":1,"oldLines":1,"newStart":1,"newLines":0,"lines":["-a"]}])");
}

TEST(StructuredPatch, EscapesWhatLinesContain) {
  EXPECT_EQ(structured_patch("", "\"\xC3\xA9\xFF\r\n").text,
            R"([{"oldStart":1,"oldLines":0,"newStart":1,"newLines":1,)"
            R"("lines":["+\"\u00e9\ufffd\r"]}])");
}

TEST(StructuredPatch, MakesAHunkOfEachPlaceThatChanged) {
  std::string before;
  std::string after;
  for (int i = 1; i <= 30; ++i) {
    before += std::to_string(i) + "\n";
    after += (i == 5 || i == 25 ? "x" : "") + std::to_string(i) + "\n";
  }
  EXPECT_EQ(structured_patch(before, after).text,
            R"([{"oldStart":2,"oldLines":7,"newStart":2,"newLines":7,)"
            R"("lines":[" 2"," 3"," 4","-5","+x5"," 6"," 7"," 8"]},)"
            R"({"oldStart":22,"oldLines":7,"newStart":22,"newLines":7,)"
            R"("lines":[" 22"," 23"," 24","-25","+x25"," 26"," 27"," 28"]}])");
}

TEST(StructuredPatch, JoinsPlacesThatShareTheirSurroundings) {
  const json hunks =
      json::parse(structured_patch("a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n").text);
  EXPECT_EQ(hunks.size(), 1U);
  EXPECT_EQ(hunks[0]["lines"].size(), 10U);
}

TEST(StructuredPatch, TellsWhenOnlyTheLastLineEndChanged) {
  EXPECT_EQ(structured_patch("a\nb", "a\nb\n").text,
            R"([{"oldStart":1,"oldLines":2,"newStart":1,"newLines":2,"lines":[" a","-b","+b"]}])");
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

TEST(StructuredPatch, TurnsTheOldTextIntoTheNewOne) {
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
    const json hunks = json::parse(structured_patch(before, after).text);
    ASSERT_EQ(patched(hunks, lines_of(before)), lines_of(after)) << before << "---\n" << after;
  }
}

}  // namespace
}  // namespace yume::tools
