// SPDX-License-Identifier: MIT
// What is known about one model: limits, prices, how thinking is controlled, what its API accepts.
// Plain values; where they come from is model_catalog.h's business.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/usage.h"

namespace yume::gemini {

enum class ThinkingControl { none, budget, level };  // none: any thinkingConfig is refused
enum class ThinkingLevel { minimal, low, medium, high };

struct ThinkingRange {
  // Control by level: what the model accepts, lowest first, and what it takes when not told.
  std::vector<ThinkingLevel> levels = {};
  std::optional<ThinkingLevel> default_level = std::nullopt;
  // Control by budget, in tokens.
  std::int64_t min_budget = 0;
  std::int64_t max_budget = 0;
  bool off_by_default = false;
  bool can_be_off = false;  // budget 0 is accepted

  friend bool operator==(const ThinkingRange&, const ThinkingRange&) = default;
};

// USD per million tokens, standard service tier.
struct Price {
  double input = 0;
  double output = 0;  // thoughts included
  double cached = 0;

  friend bool operator==(const Price&, const Price&) = default;
};

struct PriceTier {
  std::int64_t above_prompt_tokens = 0;  // holds for prompts longer than this
  Price price = {};

  friend bool operator==(const PriceTier&, const PriceTier&) = default;
};

enum class ModelStatus { ga, preview, deprecated, shut_down };

struct ModelInfo {
  std::string id = {};
  std::int64_t context_window = 1'048'576;
  std::int64_t max_output_tokens = 65'536;  // of one stream; a long decode goes on in a next one
  ThinkingControl thinking = ThinkingControl::level;
  ThinkingRange thinking_range = {};
  std::vector<PriceTier> prices = {};  // lowest threshold first; empty: unknown

  ModelStatus status = ModelStatus::ga;
  std::string replacement = {};  // id to use instead of a deprecated or shut down model
  std::string note = {};         // for people

  bool system_instruction = true;       // false: goes into the first user turn
  bool multimodal_results = true;       // functionResponse.parts is accepted
  bool built_in_with_functions = true;  // googleSearch and functions in one request
  bool long_decode = false;             // continuationToken after a full stream
  bool is_thinking_named = false;       // an old "-thinking" model: thinks, but takes no config

  friend bool operator==(const ModelInfo&, const ModelInfo&) = default;
};

// As the API spells it: "MINIMAL", "LOW", "MEDIUM", "HIGH".
std::string_view level_name(ThinkingLevel level);

// "ga", "preview", "deprecated", "shut down".
std::string_view status_name(ModelStatus status);

// Of one request: the tier goes by its prompt.
double cost_usd(const ModelInfo& model, const core::Usage& usage);

}  // namespace yume::gemini
