// SPDX-License-Identifier: MIT
// Which model and how much thinking a command line asks for, in Claude's words.
#include "app/options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::app {
namespace {

using gemini::Effort;
using gemini::ModelMap;
using gemini::ThinkingDisplay;
using gemini::ThinkingMode;
using gemini::ThinkingRequest;

std::variant<Options, UsageError> read(const std::vector<std::string>& tokens,
                                       const platform::Environment& environment = {}) {
  const auto arguments = parse_arguments(tokens);
  EXPECT_TRUE(arguments.ok());
  return read_options(*arguments, environment);
}

ThinkingRequest wish(const std::vector<std::string>& tokens) {
  const auto options = read(tokens);
  EXPECT_TRUE(std::holds_alternative<Options>(options));
  return std::get<Options>(options).thinking;
}

TEST(ModelOptions, ReadHowMuchToThink) {
  EXPECT_EQ(wish({}), ThinkingRequest{});
  EXPECT_EQ(wish({"--effort", "low"}), ThinkingRequest{.effort = Effort::low});
  EXPECT_EQ(wish({"--effort=xhigh"}), ThinkingRequest{.effort = Effort::xhigh});
  EXPECT_EQ(wish({"--thinking=adaptive"}), ThinkingRequest{.mode = ThinkingMode::adaptive});
  EXPECT_EQ(wish({"--thinking", "disabled"}), ThinkingRequest{.mode = ThinkingMode::disabled});
  EXPECT_EQ(wish({"--max-thinking-tokens", "31999"}), ThinkingRequest{.max_tokens = 31'999});
  EXPECT_EQ(wish({"--max-thinking-tokens=0"}), ThinkingRequest{.max_tokens = 0});
  EXPECT_EQ(wish({"--thinking-display=omitted"}),
            ThinkingRequest{.display = ThinkingDisplay::omitted});
  EXPECT_EQ(wish({"--thinking-display=summarized"}), ThinkingRequest{});
  EXPECT_EQ(wish({"--thinking-display=of-tomorrow"}), ThinkingRequest{});
}

TEST(ModelOptions, RefuseWordsThatMeanNothing) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--effort", "lots"},
       "error: option '--effort <level>' argument 'lots' is invalid. Allowed choices are low, "
       "medium, high, xhigh, max."},
      {{"--thinking", "yes"},
       "error: option '--thinking <mode>' argument 'yes' is invalid. Allowed choices are "
       "adaptive, enabled, disabled."},
      {{"--max-thinking-tokens", "-1"},
       "error: --max-thinking-tokens wants a whole number from 0, not '-1'"},
      {{"--model-map", "a=b", "--model-map", "c"},
       "error: --model-map: 'c' is not of the form name=model"},
  };
  for (const auto& [tokens, message] : cases) {
    const auto options = read(tokens);
    ASSERT_TRUE(std::holds_alternative<UsageError>(options)) << message;
    EXPECT_EQ(std::get<UsageError>(options).message, message);
  }
}

TEST(ModelOptions, LetTheFlagsMapWinOverTheVariables) {
  platform::Environment environment;
  environment.variables["YUME_MODEL_MAP"] = "sonnet=a,opus=b";
  const auto options =
      read({"--model-map", "sonnet=c,haiku=d", "--model-map=haiku=e"}, environment);
  ASSERT_TRUE(std::holds_alternative<Options>(options));
  EXPECT_EQ(std::get<Options>(options).model_map,
            (ModelMap{{"sonnet", "c"}, {"opus", "b"}, {"haiku", "e"}}));
}

}  // namespace
}  // namespace yume::app
