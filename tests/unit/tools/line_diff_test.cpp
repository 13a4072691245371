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
