// SPDX-License-Identifier: MIT
#include "gemini/thinking.h"

#include "gemini/model_catalog.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::gemini {
namespace {

std::string text(const std::optional<ThinkingSetting>& setting) {
  if (!setting) return "-";
  if (const auto* level = std::get_if<ThinkingLevel>(&*setting)) {
    return std::string(level_name(*level));
  }
  return std::to_string(std::get<ThinkingBudget>(*setting).tokens);
}

struct ClassCase {
  const char* model;
  const char* off;
  const char* low;
  const char* medium;
  const char* high;
  const char* max;
  const char* enabled;
};

// One line for every kind of model in the API's table of thinking.
const std::vector<ClassCase> k_classes = {
    {"gemini-2.5-pro", "128", "1024", "8192", "24576", "32768", "-"},
    {"gemini-2.5-flash", "0", "1024", "8192", "24576", "24576", "-"},
    {"gemini-2.5-flash-lite", "0", "1024", "8192", "24576", "24576", "-1"},
    {"gemini-3-pro-preview", "LOW", "LOW", "HIGH", "HIGH", "HIGH", "-"},
    {"gemini-3.1-pro-preview", "LOW", "LOW", "MEDIUM", "HIGH", "HIGH", "-"},
    {"gemini-3-flash-preview", "MINIMAL", "LOW", "MEDIUM", "HIGH", "HIGH", "-"},
    {"gemini-3.1-flash-lite", "MINIMAL", "LOW", "MEDIUM", "HIGH", "HIGH", "LOW"},
    {"gemini-3.5-flash-lite", "MINIMAL", "LOW", "MEDIUM", "HIGH", "HIGH", "LOW"},
    {"gemini-3.5-flash", "MINIMAL", "LOW", "MEDIUM", "HIGH", "HIGH", "-"},
    {"gemini-3.6-flash", "MINIMAL", "LOW", "MEDIUM", "HIGH", "HIGH", "-"},
    {"gemini-3.7-flash", "LOW", "LOW", "MEDIUM", "HIGH", "HIGH", "-"},
    {"gemini-3.8-flash", "LOW", "LOW", "MEDIUM", "HIGH", "HIGH", "-"},
    {"gemini-flash-latest", "LOW", "LOW", "MEDIUM", "HIGH", "HIGH", "-"},
    {"gemini-4-argon", "LOW", "LOW", "MEDIUM", "HIGH", "HIGH", "-"},
    {"gemini-4-carbon", "LOW", "LOW", "MEDIUM", "HIGH", "HIGH", "-"},
    {"gemma-4-31b-it", "MINIMAL", "HIGH", "HIGH", "HIGH", "HIGH", "-"},
    {"gemini-2.0-flash", "-", "-", "-", "-", "-", "-"},
    {"gemini-2.0-flash-thinking-exp", "-", "-", "-", "-", "-", "-"},
    {"gemini-1.5-pro", "-", "-", "-", "-", "-", "-"},
    {"gemini-9-unheard-of", "LOW", "LOW", "MEDIUM", "HIGH", "HIGH", "-"},
};

TEST(ChooseThinking, GivesEveryKindOfModelWhatItAccepts) {
  for (const ClassCase& one : k_classes) {
    const ModelInfo model = model_info(one.model);
    const auto effort = [&model](Effort wanted) {
      return text(choose_thinking(model, {.effort = wanted}));
    };
    EXPECT_EQ(text(choose_thinking(model, {.mode = ThinkingMode::disabled})), one.off) << one.model;
    EXPECT_EQ(text(choose_thinking(model, {.max_tokens = 0})), one.off) << one.model;
    EXPECT_EQ(effort(Effort::low), one.low) << one.model;
    EXPECT_EQ(effort(Effort::medium), one.medium) << one.model;
    EXPECT_EQ(effort(Effort::high), one.high) << one.model;
    EXPECT_EQ(effort(Effort::xhigh), one.max) << one.model;
    EXPECT_EQ(effort(Effort::max), one.max) << one.model;
    for (const ThinkingMode mode : {ThinkingMode::enabled, ThinkingMode::adaptive}) {
      EXPECT_EQ(text(choose_thinking(model, {.mode = mode})), one.enabled) << one.model;
    }
    EXPECT_EQ(text(choose_thinking(model, {})), "-") << one.model;
  }
}

struct TokensCase {
  std::int64_t tokens;
  const char* by_level;   // gemini-3.6-flash
  const char* by_budget;  // gemini-2.5-pro
};

TEST(ChooseThinking, TurnsTokensIntoLevelsAndKeepsBudgetsInRange) {
  const std::vector<TokensCase> cases = {
      {0, "MINIMAL", "128"},       {1, "LOW", "128"},           {1'024, "LOW", "1024"},
      {4'000, "LOW", "4000"},      {4'096, "LOW", "4096"},      {4'097, "MEDIUM", "4097"},
      {10'000, "MEDIUM", "10000"}, {16'384, "MEDIUM", "16384"}, {16'385, "HIGH", "16385"},
      {31'999, "HIGH", "31999"},   {1'000'000, "HIGH", "32768"}};
  for (const TokensCase& one : cases) {
    const ThinkingRequest wish{.max_tokens = one.tokens};
    EXPECT_EQ(text(choose_thinking(model_info("gemini-3.6-flash"), wish)), one.by_level)
        << one.tokens;
    EXPECT_EQ(text(choose_thinking(model_info("gemini-2.5-pro"), wish)), one.by_budget)
        << one.tokens;
  }
  EXPECT_EQ(text(choose_thinking(model_info("gemini-2.5-flash-lite"), {.max_tokens = 100})), "512");
}

TEST(ChooseThinking, TakesTokensAsACeilingOnEffort) {
  const ThinkingRequest wish{.effort = Effort::max, .max_tokens = 8'000};
  EXPECT_EQ(text(choose_thinking(model_info("gemini-3.8-flash"), wish)), "MEDIUM");
  EXPECT_EQ(text(choose_thinking(model_info("gemini-2.5-pro"), wish)), "8000");
  const ThinkingRequest roomy{.effort = Effort::low, .max_tokens = 31'999};
  EXPECT_EQ(text(choose_thinking(model_info("gemini-3.8-flash"), roomy)), "LOW");
  EXPECT_EQ(text(choose_thinking(model_info("gemini-2.5-pro"), roomy)), "1024");
}

TEST(ChooseThinking, LetsOffWinOverEffort) {
  const ThinkingRequest wish{.effort = Effort::high, .mode = ThinkingMode::disabled};
  EXPECT_EQ(text(choose_thinking(model_info("gemini-3.6-flash"), wish)), "MINIMAL");
  EXPECT_EQ(text(choose_thinking(model_info("gemini-2.5-flash"), wish)), "0");
}

// Whatever is asked of whichever model in the catalog, the answer is of the kind it takes.
TEST(ChooseThinking, NeverSendsWhatAModelRefuses) {
  std::vector<ThinkingRequest> wishes = {{}};
  for (const Effort effort : {Effort::low, Effort::medium, Effort::high, Effort::max}) {
    wishes.push_back({.effort = effort});
  }
  for (const std::int64_t tokens : {-1, 0, 1, 600, 5'000, 50'000}) {
    wishes.push_back({.max_tokens = tokens});
  }
  for (const ThinkingMode mode :
       {ThinkingMode::adaptive, ThinkingMode::enabled, ThinkingMode::disabled}) {
    wishes.push_back({.mode = mode});
  }
  for (const std::string& id : ModelCatalog::built_in().ids()) {
    const ModelInfo model = model_info(id);
    const ThinkingRange& range = model.thinking_range;
    for (const ThinkingRequest& wish : wishes) {
      const auto setting = choose_thinking(model, wish);
      if (!setting) continue;
      if (const auto* level = std::get_if<ThinkingLevel>(&*setting)) {
        EXPECT_EQ(model.thinking, ThinkingControl::level) << id;
        EXPECT_NE(std::find(range.levels.begin(), range.levels.end(), *level), range.levels.end())
            << id;
      } else {
        const std::int64_t tokens = std::get<ThinkingBudget>(*setting).tokens;
        EXPECT_EQ(model.thinking, ThinkingControl::budget) << id;
        EXPECT_TRUE(tokens == -1 || (tokens == 0 && range.can_be_off) ||
                    (tokens >= range.min_budget && tokens <= range.max_budget))
            << id << " " << tokens;
      }
    }
  }
}

}  // namespace
}  // namespace yume::gemini
