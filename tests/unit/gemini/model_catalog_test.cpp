// SPDX-License-Identifier: MIT
#include "gemini/model_catalog.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace yume::gemini {
namespace {

using namespace std::chrono_literals;

constexpr Day k_november{std::chrono::year(2026) / 11 / 16};

TEST(ResolveModelId, MapsEveryNameAHostMayPass) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "gemini-3.8-flash"},
      {"  ", "gemini-3.8-flash"},
      {"default", "gemini-3.8-flash"},
      {"auto", "gemini-3.8-flash"},
      {"pro", "gemini-3.1-pro-preview"},
      {"flash", "gemini-3.8-flash"},
      {"flash-lite", "gemini-3.5-flash-lite"},
      {"sonnet", "gemini-3.8-flash"},
      {"Sonnet", "gemini-3.8-flash"},
      {"sonnet[1m]", "gemini-3.8-flash"},
      {"opus", "gemini-4-argon"},
      {"opus[1m]", "gemini-4-argon"},
      {"opusplan", "gemini-3.8-flash"},
      {"haiku", "gemini-3.5-flash-lite"},
      {"fable", "gemini-4-argon"},
      {"claude-sonnet-4-5-20250929", "gemini-3.8-flash"},
      {"claude-sonnet-4-5-20250929[1m]", "gemini-3.8-flash"},
      {"claude-3-5-sonnet-20241022", "gemini-3.8-flash"},
      {"claude-3-5-haiku-20241022", "gemini-3.5-flash-lite"},
      {"claude-3-5-haiku-latest", "gemini-3.5-flash-lite"},
      {"claude-opus-4-1", "gemini-4-argon"},
      {"CLAUDE-OPUS-4-1", "gemini-4-argon"},
      {"claude-opus-4@20250514", "gemini-4-argon"},
      {"us.anthropic.claude-haiku-4-5-20251001-v1:0", "gemini-3.5-flash-lite"},
      {"anthropic.claude-opus-4-20250514-v1:0", "gemini-4-argon"},
      {"anthropic/claude-opus-4", "gemini-4-argon"},
      {"claude-of-the-future", "gemini-3.8-flash"},
      {"gemini-3.8-flash", "gemini-3.8-flash"},
      {"GEMINI-3.8-Flash", "gemini-3.8-flash"},
      {"gemini-flash-latest", "gemini-flash-latest"},
      {"models/gemini-2.5-pro", "gemini-2.5-pro"},
      {"publishers/google/models/gemini-3.8-flash", "gemini-3.8-flash"},
      {"projects/p/locations/global/publishers/google/models/gemini-4-argon", "gemini-4-argon"},
      {"google/gemini-3.8-flash", "gemini-3.8-flash"},
      {"gemini-9-unheard-of", "gemini-9-unheard-of"},
      {"tunedModels/Mine-1", "tunedModels/Mine-1"},
      {"Octopus", "Octopus"},
  };
  for (const auto& [name, id] : cases) EXPECT_EQ(resolve_model_id(name), id) << name;
}

TEST(ResolveModelId, AsksTheUsersMapFirst) {
  const ModelMap map = {{"sonnet", "pro"},
                        {"claude", "gemma-4-31b-it"},
                        {"claude-opus-4-1", "models/gemini-2.5-pro"},
                        {"opus[1m]", "gemini-3.6-flash"},
                        {"gemini-1.5-pro", "gemini-3.8-flash"},
                        {"circle", "circle"}};
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"sonnet", "gemini-3.1-pro-preview"},
      {"claude-sonnet-4-5-20250929", "gemini-3.1-pro-preview"},
      {"claude-haiku-4-5", "gemma-4-31b-it"},
      {"claude-opus-4-1", "gemini-2.5-pro"},
      {"opus[1m]", "gemini-3.6-flash"},
      {"opus", "gemini-4-argon"},
      {"gemini-1.5-pro", "gemini-3.8-flash"},
      {"circle", "circle"},
      {"haiku", "gemini-3.5-flash-lite"},
  };
  for (const auto& [name, id] : cases) EXPECT_EQ(resolve_model_id(name, map), id) << name;
}

TEST(ParseModelMap, ReadsPairsAndNamesTheWrongOne) {
  const auto map = parse_model_map(" Sonnet = gemini-4-argon , haiku=flash,,haiku=pro");
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(*map, (ModelMap{{"sonnet", "gemini-4-argon"}, {"haiku", "pro"}}));
  EXPECT_TRUE(parse_model_map("")->empty());
  for (const char* bad : {"sonnet", "a=b,=c", "a=b,c=", "="}) {
    const auto refused = parse_model_map(bad);
    ASSERT_FALSE(refused.ok()) << bad;
    EXPECT_NE(refused.error().message.find("name=model"), std::string::npos);
  }
  EXPECT_EQ(parse_model_map("a=b,sonnet").error().message,
            "'sonnet' is not of the form name=model");
}

TEST(ModelCatalog, NamesOnlyModelsItKnows) {
  const auto ids = ModelCatalog::built_in().ids();
  const std::set<std::string> known(ids.begin(), ids.end());
  EXPECT_EQ(known.size(), ids.size());
  for (const auto& [name, id] : ModelCatalog::built_in().names()) {
    EXPECT_TRUE(known.contains(id)) << name;
  }
  for (const std::string& id : ids) {
    const ModelInfo info = model_info(id);
    EXPECT_TRUE(info.replacement.empty() || known.contains(info.replacement)) << id;
    const bool outdated =
        info.status == ModelStatus::deprecated || info.status == ModelStatus::shut_down;
    EXPECT_EQ(outdated, !info.replacement.empty()) << id;
    EXPECT_EQ(info.thinking == ThinkingControl::level, !info.thinking_range.levels.empty()) << id;
  }
}

TEST(ModelInfo, HasTheLimitsThatHostsAssumeOfOlderModels) {
  for (const char* id : {"gemini-1.5-pro", "gemini-1.5-flash", "gemini-2.0-flash"}) {
    EXPECT_EQ(model_info(id).context_window, 1'000'000) << id;
    EXPECT_EQ(model_info(id).max_output_tokens, 8'192) << id;
    EXPECT_EQ(model_info(id).thinking, ThinkingControl::none) << id;
  }
  const ModelInfo thinker = model_info("gemini-2.0-flash-thinking-exp-01-21");
  EXPECT_EQ(thinker.context_window, 32'767);
  EXPECT_EQ(thinker.max_output_tokens, 8'192);
  EXPECT_TRUE(thinker.is_thinking_named);
  EXPECT_FALSE(model_info("gemini-2.0-flash").is_thinking_named);
}

TEST(ModelInfo, SharesTheRowOfItsFamily) {
  const ModelInfo dated = model_info("gemini-2.5-flash-lite-preview-09-2025");
  EXPECT_EQ(dated.id, "gemini-2.5-flash-lite-preview-09-2025");
  EXPECT_EQ(dated.thinking, ThinkingControl::budget);
  EXPECT_EQ(dated.prices, model_info("gemini-2.5-flash-lite").prices);
  EXPECT_NE(dated.prices, model_info("gemini-2.5-flash").prices);
  EXPECT_EQ(model_info("gemini-3.8-flash@default").prices, model_info("gemini-3.8-flash").prices);
  EXPECT_TRUE(model_info("gemini-3.8-flashy").prices.empty());
  EXPECT_TRUE(ModelCatalog::built_in().knows("gemini-3.8-flash-001"));
  EXPECT_FALSE(ModelCatalog::built_in().knows("gemini-3.8-flashy"));
}

TEST(ModelInfo, KnowsWhatEachGenerationAccepts) {
  const ModelInfo old = model_info("gemini-2.5-pro");
  EXPECT_FALSE(old.multimodal_results);
  EXPECT_FALSE(old.built_in_with_functions);
  EXPECT_FALSE(old.long_decode);
  const ModelInfo now = model_info("gemini-3.8-flash");
  EXPECT_TRUE(now.multimodal_results);
  EXPECT_TRUE(now.built_in_with_functions);
  EXPECT_FALSE(now.long_decode);
  EXPECT_TRUE(model_info("gemini-4-argon").long_decode);
  EXPECT_TRUE(now.system_instruction);
  EXPECT_FALSE(model_info("gemma-4-31b-it").system_instruction);
}

struct GenerationCase {
  const char* id;
  ThinkingControl thinking;
  std::vector<ThinkingLevel> levels;
  bool multimodal;
  bool long_decode;
};

TEST(ModelInfo, SupposesTheTraitsOfAnUnknownModelFromItsName) {
  using enum ThinkingLevel;
  const std::vector<ThinkingLevel> from_low = {low, medium, high};
  const std::vector<ThinkingLevel> all = {minimal, low, medium, high};
  const std::vector<GenerationCase> cases = {
      {"gemini-1.0-pro", ThinkingControl::none, {}, false, false},
      {"gemini-2.0-pro-exp", ThinkingControl::none, {}, false, false},
      {"gemini-2.5-computer", ThinkingControl::budget, {}, false, false},
      {"gemini-3.2-flash", ThinkingControl::level, all, true, false},
      {"gemini-3.2-pro", ThinkingControl::level, from_low, true, false},
      {"gemini-3.9-flash", ThinkingControl::level, from_low, true, false},
      {"gemini-3.10-flash", ThinkingControl::level, from_low, true, false},
      {"gemini-4-neon", ThinkingControl::level, from_low, true, true},
      {"gemini-12-unheard-of", ThinkingControl::level, from_low, true, true},
      {"octopus", ThinkingControl::level, from_low, true, false},
      {"gemma-3-27b-it", ThinkingControl::none, {}, false, false},
      {"gemma-5-9b-it", ThinkingControl::level, {minimal, high}, false, false},
  };
  for (const GenerationCase& one : cases) {
    const ModelInfo info = model_info(one.id);
    EXPECT_EQ(info.id, one.id);
    EXPECT_EQ(info.thinking, one.thinking) << one.id;
    EXPECT_EQ(info.thinking_range.levels, one.levels) << one.id;
    EXPECT_EQ(info.multimodal_results, one.multimodal) << one.id;
    EXPECT_EQ(info.long_decode, one.long_decode) << one.id;
    EXPECT_TRUE(info.prices.empty()) << one.id;
    EXPECT_EQ(cost_usd(info, {.prompt_tokens = 1000, .output_tokens = 1000}), 0) << one.id;
  }
  EXPECT_EQ(model_info("gemini-9-x").context_window, 1'048'576);
  EXPECT_EQ(model_info("gemini-9-x").max_output_tokens, 65'536);
}

TEST(ModelInfo, TakesThePricesOfTheDay) {
  const auto input = [](Day day) { return model_info("gemini-4-argon", day).prices.at(0).price; };
  EXPECT_EQ(input({}), (Price{2, 10, 0.1}));
  EXPECT_EQ(input(k_november), (Price{2, 10, 0.1}));
  EXPECT_EQ(input(std::chrono::year(2026) / 11 / 30), (Price{2, 10, 0.1}));
  EXPECT_EQ(input(std::chrono::year(2026) / 12 / 1), (Price{4, 20, 0.2}));
  EXPECT_EQ(input(std::chrono::year(2030) / 1 / 1), (Price{4, 20, 0.2}));
}

TEST(CostUsd, PricesCachedPromptAndThoughts) {
  ModelInfo info;
  info.prices = {{.price = {.input = 2, .output = 10, .cached = 0.5}}};
  const core::Usage usage{.prompt_tokens = 1'000'000,
                          .cached_tokens = 400'000,
                          .output_tokens = 100'000,
                          .thought_tokens = 200'000};
  EXPECT_DOUBLE_EQ(cost_usd(info, usage), 0.6 * 2 + 0.4 * 0.5 + 0.3 * 10);
}

TEST(CostUsd, TakesTheTierOfThePrompt) {
  const ModelInfo info = model_info("gemini-3.1-pro-preview", k_november);
  const auto cost = [&info](std::int64_t prompt) {
    return cost_usd(info, {.prompt_tokens = prompt, .output_tokens = 1'000'000});
  };
  EXPECT_DOUBLE_EQ(cost(200'000), 0.2 * 2 + 12);
  EXPECT_DOUBLE_EQ(cost(200'001), 0.200001 * 4 + 18);
  EXPECT_DOUBLE_EQ(cost(0), 12);
}

TEST(WithRows, AddsAndChangesModels) {
  const auto catalog = ModelCatalog::built_in().with_rows({R"([
      {"id":"gemini-3.8-flash","window":5000,"note":"ours","unknown":[1]},
      {"id":"house-model","output":100,"thinking":"none","systemInstruction":false,
       "prices":[{"input":1,"output":2,"cached":0.5},{"above":1000,"input":2,"output":3,"cached":1},
                 {"from":"2026-01-02","input":7,"output":8,"cached":9}]}])"});
  ASSERT_TRUE(catalog.ok()) << catalog.error().message;
  const ModelInfo changed = catalog->info("gemini-3.8-flash");
  EXPECT_EQ(changed.context_window, 5'000);
  EXPECT_EQ(changed.note, "ours");
  EXPECT_EQ(changed.prices, model_info("gemini-3.8-flash").prices);
  EXPECT_EQ(changed.thinking_range, model_info("gemini-3.8-flash").thinking_range);
  const ModelInfo added = catalog->info("house-model-2", k_november);
  EXPECT_EQ(added.max_output_tokens, 100);
  EXPECT_EQ(added.thinking, ThinkingControl::none);
  EXPECT_FALSE(added.system_instruction);
  EXPECT_EQ(added.prices, (std::vector<PriceTier>{{0, {7, 8, 9}}, {1000, {2, 3, 1}}}));
  EXPECT_EQ(catalog->ids().size(), ModelCatalog::built_in().ids().size() + 1);
  EXPECT_EQ(model_info("gemini-3.8-flash").context_window, 1'048'576);
}

TEST(WithRows, NamesRowAndFieldOfAMistake) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "not JSON"},
      {"{}", "not a list of rows"},
      {"[1]", "row 1: it is not an object"},
      {R"([{}])", "row 1: id is not there"},
      {R"([{"id":5}])", "row 1: id is not a string"},
      {R"([{"id":"a"},{"id":"b","window":"big"}])",
       "row 2 (b): window is not a whole number from 1 to 1000000000"},
      {R"([{"id":"b","output":0}])", "row 1 (b): output is not a whole number from 1"},
      {R"([{"id":"b","status":"odd"}])",
       "row 1 (b): status is not ga, preview, deprecated or shut down"},
      {R"([{"id":"b","longDecode":1}])", "row 1 (b): longDecode is not true or false"},
      {R"([{"id":"b","prices":{}}])", "row 1 (b): prices is not a list of objects"},
      {R"([{"id":"b","prices":[1]}])", "row 1 (b): prices is not a list of objects"},
      {R"([{"id":"b","prices":[{"input":1,"output":2}]}])",
       "row 1 (b): prices: cached is not a number from 0"},
      {R"([{"id":"b","prices":[{"input":-1,"output":2,"cached":0}]}])",
       "row 1 (b): prices: input is not a number from 0"},
      {R"([{"id":"b","prices":[{"input":1,"output":2,"cached":0,"from":"2026-02-30"}]}])",
       "row 1 (b): prices: from is not a day such as 2026-12-01"},
      {R"([{"id":"b","thinking":"much"}])",
       "row 1 (b): thinking is not \"none\" or an object with levels or budget"},
      {R"([{"id":"b","thinking":{}}])",
       "row 1 (b): thinking is not \"none\" or an object with levels or budget"},
      {R"([{"id":"b","thinking":{"levels":["HIGH","LOW"]}}])",
       "row 1 (b): thinking: levels is not MINIMAL, LOW, MEDIUM, HIGH in order"},
      {R"([{"id":"b","thinking":{"levels":[]}}])",
       "row 1 (b): thinking: levels is not a list of at least one level"},
      {R"([{"id":"b","thinking":{"levels":["LOW"],"default":"SOME"}}])",
       "row 1 (b): thinking: default is not a level"},
      {R"([{"id":"b","thinking":{"budget":[5,1]}}])",
       "row 1 (b): thinking: budget is not a list of the lowest and the highest number of tokens"},
      {R"([{"id":"b","thinking":{"budget":[5]}}])",
       "row 1 (b): thinking: budget is not a list of the lowest and the highest number of tokens"},
  };
  for (const auto& [rows, message] : cases) {
    const auto catalog = ModelCatalog::built_in().with_rows({rows});
    ASSERT_FALSE(catalog.ok()) << rows;
    EXPECT_EQ(catalog.error().message.substr(0, message.size()), message) << rows;
  }
}

}  // namespace
}  // namespace yume::gemini
