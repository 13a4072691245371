// SPDX-License-Identifier: MIT
// What holds for every line of every dialect (hosts rely on each of these), checked in one place.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/line_writer.h"
#include "util/json_io.h"

namespace yume::test {

inline void expect_good_line(std::string_view line) {
  const std::string shown(line.substr(0, 200));
  EXPECT_LT(line.size(), protocol::k_max_line_bytes) << shown;
  EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) { return c >= 0x20 && c < 0x7F; }))
      << shown;
  EXPECT_TRUE(line.starts_with(R"({"type":")")) << shown;
  ASSERT_TRUE(check_json(line).ok()) << shown;
  std::string compact;
  append_ascii_json(compact, line);
  EXPECT_EQ(compact.size(), line.size()) << "not compact, or a lone surrogate: " << shown;
}

inline void expect_good_lines(const std::vector<std::string>& lines) {
  std::set<std::string> seen;
  for (const std::string& line : lines) {
    expect_good_line(line);
    EXPECT_TRUE(seen.insert(line).second) << "twice: " << line.substr(0, 200);
  }
}

// The line with every random id replaced by the name of its field, so that lines compare whole.
inline std::string without_ids(std::string_view line) {
  auto json = nlohmann::ordered_json::parse(line);
  if (json.contains("uuid")) json["uuid"] = "U";
  if (json.value("id", "").starts_with("txt_")) json["id"] = "T";
  return json.dump();
}

inline std::vector<std::string> without_ids(const std::vector<std::string>& lines) {
  std::vector<std::string> plain;
  for (const std::string& line : lines) plain.push_back(without_ids(line));
  return plain;
}

}  // namespace yume::test
