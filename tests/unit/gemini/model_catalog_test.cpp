// SPDX-License-Identifier: MIT
#include "gemini/model_catalog.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace yume::gemini {
namespace {

TEST(ResolveModelId, MapsEveryNameAHostMayPass) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "gemini-3.8-flash"},
      {"default", "gemini-3.8-flash"},
      {"auto", "gemini-3.8-flash"},
      {"sonnet", "gemini-3.8-flash"},
      {"opus", "gemini-4-argon"},
      {"haiku", "gemini-3.5-flash-lite"},
      {"fable", "gemini-4-argon"},
      {"claude-sonnet-4-5-20250929", "gemini-3.8-flash"},
      {"claude-3-5-sonnet-20241022", "gemini-3.8-flash"},
      {"claude-3-5-haiku-20241022", "gemini-3.5-flash-lite"},
      {"claude-opus-4-1", "gemini-4-argon"},
      {"claude-of-the-future", "gemini-3.8-flash"},
      {"gemini-3.8-flash", "gemini-3.8-flash"},
      {"models/gemini-2.5-pro", "gemini-2.5-pro"},
      {"gemini-9-unheard-of", "gemini-9-unheard-of"},
      {"octopus", "octopus"},
  };
  for (const auto& [name, id] : cases) EXPECT_EQ(resolve_model_id(name), id) << name;
}

TEST(ModelInfo, SharesTheRowOfItsFamily) {
  const ModelInfo dated = model_info("gemini-2.5-flash-lite-preview-09-2025");
  EXPECT_EQ(dated.id, "gemini-2.5-flash-lite-preview-09-2025");
  EXPECT_EQ(dated.thinking, ThinkingControl::budget);
  EXPECT_EQ(dated.output_price, model_info("gemini-2.5-flash-lite").output_price);
  EXPECT_NE(dated.output_price, model_info("gemini-2.5-flash").output_price);
  EXPECT_EQ(model_info("gemini-2.0-flash-thinking-exp").context_window, 32'767);
}

TEST(ModelInfo, GivesAnUnknownModelTheNewestTraitsAndNoPrice) {
  const ModelInfo info = model_info("gemini-9-unheard-of");
  EXPECT_EQ(info.id, "gemini-9-unheard-of");
  EXPECT_EQ(info.context_window, 1'048'576);
  EXPECT_EQ(info.max_output_tokens, 65'536);
  EXPECT_EQ(info.thinking, ThinkingControl::level);
  EXPECT_EQ(cost_usd(info, {.prompt_tokens = 1000, .output_tokens = 1000}), 0);
}

TEST(CostUsd, PricesCachedPromptAndThoughts) {
  ModelInfo info;
  info.input_price = 2;
  info.cached_price = 0.5;
  info.output_price = 10;
  const core::Usage usage{.prompt_tokens = 1'000'000,
                          .cached_tokens = 400'000,
                          .output_tokens = 100'000,
                          .thought_tokens = 200'000};
  EXPECT_DOUBLE_EQ(cost_usd(info, usage), 0.6 * 2 + 0.4 * 0.5 + 0.3 * 10);
}

}  // namespace
}  // namespace yume::gemini
