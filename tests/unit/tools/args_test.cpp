// SPDX-License-Identifier: MIT
#include "tools/args.h"

#include "support/event_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace yume::tools {
namespace {

using nlohmann::json;

TEST(ArgReader, ReadsWhatFits) {
  const json input = {{"path", "x"}, {"note", "y"}, {"count", 3}, {"all", true}};
  ArgReader args("Edit", input);
  EXPECT_EQ(args.required_string("path"), "x");
  EXPECT_EQ(args.optional_string("note"), "y");
  EXPECT_EQ(args.optional_integer("count"), 3);
  EXPECT_TRUE(args.optional_bool("all", false));
  EXPECT_FALSE(args.problems().has_value());
}

TEST(ArgReader, TakesAbsentAndNullForNotGiven) {
  const json input = {{"note", nullptr}, {"count", nullptr}};
  ArgReader args("Edit", input);
  EXPECT_EQ(args.optional_string("note"), std::nullopt);
  EXPECT_EQ(args.optional_integer("count"), std::nullopt);
  EXPECT_TRUE(args.optional_bool("all", true));
  EXPECT_FALSE(args.optional_bool("none", false));
  EXPECT_FALSE(args.problems().has_value());
}

TEST(ArgReader, ReadsIntegersAsModelsWriteThem) {
  const std::vector<std::pair<const char*, std::optional<std::int64_t>>> cases = {
      {"12", 12},
      {"-3", -3},
      {"12.0", 12},
      {R"("12")", 12},
      {R"("-3")", -3},
      {"9223372036854775807", 9223372036854775807},
      {"9223372036854775808", std::nullopt},
      {"18446744073709551615", std::nullopt},
      {"12.5", std::nullopt},
      {"1e300", std::nullopt},
      {R"("")", std::nullopt},
      {R"("12x")", std::nullopt},
      {R"(" 12")", std::nullopt},
      {"true", std::nullopt},
      {"[]", std::nullopt},
  };
  for (const auto& [text, expected] : cases) {
    const json input = {{"n", json::parse(text)}};
    ArgReader args("Read", input);
    EXPECT_EQ(args.optional_integer("n"), expected) << text;
    EXPECT_EQ(args.problems().has_value(), !expected.has_value()) << text;
  }
}

TEST(ArgReader, ReadsBooleansAsModelsWriteThem) {
  const json input = {{"a", "true"}, {"b", "false"}, {"c", false}, {"d", 1}};
  ArgReader args("Edit", input);
  EXPECT_TRUE(args.optional_bool("a", false));
  EXPECT_FALSE(args.optional_bool("b", true));
  EXPECT_FALSE(args.optional_bool("c", true));
  EXPECT_TRUE(args.optional_bool("d", true));
  EXPECT_EQ(args.problems()->content,
            "<tool_use_error>InputValidationError: Edit failed due to the following issue:\n"
            "The parameter `d` must be true or false</tool_use_error>");
}

TEST(ArgReader, ListsEverythingThatIsWrongInClaudesForm) {
  const json input = {{"path", "x"}, {"old", 7}};
  ArgReader args("Read", input);
  (void)args.required_string("file_path");
  (void)args.required_string("old");
  (void)args.optional_integer("limit");
  const auto problem = args.problems();
  ASSERT_TRUE(problem.has_value());
  const std::string text =
      "InputValidationError: Read failed due to the following issues:\n"
      "The required parameter `file_path` is missing\n"
      "The parameter `old` must be a string\n"
      "An unexpected parameter `path` was provided";
  EXPECT_EQ(problem->content, "<tool_use_error>" + text + "</tool_use_error>");
  EXPECT_EQ(problem->details, core::ToolDetails(core::CallFailed{text}));
  EXPECT_TRUE(problem->is_error);
}

}  // namespace
}  // namespace yume::tools
