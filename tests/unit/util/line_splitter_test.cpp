// SPDX-License-Identifier: MIT
#include "util/line_splitter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace yume {
namespace {

using Lines = std::vector<std::string>;

Lines split(const std::string& bytes, std::size_t at_once, std::size_t limit) {
  LineSplitter splitter(limit);
  Lines lines;
  const auto on_line = [&](std::string_view line) { lines.emplace_back(line); };
  const auto on_too_long = [&](std::string_view beginning, std::size_t size) {
    lines.push_back("too long: " + std::string(beginning.substr(0, 3)) + " " +
                    std::to_string(size));
  };
  for (std::size_t i = 0; i < bytes.size(); i += at_once) {
    splitter.feed(std::string_view(bytes).substr(i, at_once), on_line, on_too_long);
  }
  splitter.finish(on_line, on_too_long);
  return lines;
}

TEST(LineSplitter, FindsTheSameLinesHoweverTheyCome) {
  const std::string bytes = "one\ntwo\r\n\nfour and more\nlast";
  for (std::size_t at_once = 1; at_once <= bytes.size(); ++at_once) {
    EXPECT_EQ(split(bytes, at_once, 100), (Lines{"one", "two", "", "four and more", "last"}))
        << at_once;
  }
}

TEST(LineSplitter, PassesOverALineThatIsTooLong) {
  const std::string bytes = "one\n0123456789\ntwo\n" + std::string(3'000, 'x') + "\nend";
  for (const std::size_t at_once : {1, 2, 5, 7, 1'000, 10'000}) {
    EXPECT_EQ(split(bytes, at_once, 5),
              (Lines{"one", "too long: 012 10", "two", "too long: xxx 3000", "end"}))
        << at_once;
  }
}

TEST(LineSplitter, TakesALineOfExactlyTheLimit) {
  EXPECT_EQ(split("12345\n123456\n", 3, 5), (Lines{"12345", "too long: 123 6"}));
}

}  // namespace
}  // namespace yume
