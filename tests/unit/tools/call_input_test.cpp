// SPDX-License-Identifier: MIT
#include "tools/call_input.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace yume::tools {
namespace {

using nlohmann::json;

TEST(CallInput, ShowsWhatTheModelWroteWhereItUsedOurNames) {
  const std::string args = R"({ "limit": 1.0, "file_path": "\u00e9" })";
  const CallInput input = read_call_input("Read", args);
  EXPECT_EQ(input.given.text, args);
  EXPECT_EQ(input.renamed, std::nullopt);
  EXPECT_EQ(input.shown().text, args);
  EXPECT_EQ(*input.fields, (json{{"file_path", "\xC3\xA9"}, {"limit", 1.0}}));
  EXPECT_EQ(input.problem, "");
}

TEST(CallInput, ShowsOurNamesWhereItUsedOthers) {
  const CallInput input = read_call_input("read_file", R"({"absolute_path":"/a"})");
  EXPECT_EQ(input.given.text, R"({"absolute_path":"/a"})");
  EXPECT_EQ(input.shown().text, R"({"file_path":"/a"})");
  EXPECT_EQ(*input.fields, (json{{"file_path", "/a"}}));
}

TEST(CallInput, SaysWhyItCannotBeUsed) {
  const std::string deep = R"({"n":)" + std::string(100, '[') + std::string(100, ']') + "}";
  const CallInput input = read_call_input("Read", deep);
  EXPECT_EQ(input.shown().text, deep);
  EXPECT_EQ(input.fields, nullptr);
  EXPECT_TRUE(input.problem.starts_with("JSON nested deeper than 64")) << input.problem;
}

TEST(CallInput, TakesAnEmptyOne) {
  const CallInput input = read_call_input("Unknown", "{}");
  EXPECT_EQ(input.shown().text, "{}");
  EXPECT_EQ(*input.fields, json::object());
}

}  // namespace
}  // namespace yume::tools
