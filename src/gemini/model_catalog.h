// SPDX-License-Identifier: MIT
// What is known about models: limits, prices, how thinking is controlled, and which Gemini model
// stands in for a Claude name. Unknown gemini ids pass through with the newest generation's traits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/usage.h"

namespace yume::gemini {

enum class ThinkingControl { none, budget, level };

struct ModelInfo {
  std::string id;
  std::int64_t context_window = 1'048'576;
  std::int64_t max_output_tokens = 65'536;
  ThinkingControl thinking = ThinkingControl::level;
  double input_price = 0;  // USD per million tokens, standard tier
  double output_price = 0;
  double cached_price = 0;
};

inline constexpr std::string_view k_default_model = "gemini-3.8-flash";

// The Gemini id for any name a host may pass: empty, "default", a Claude name or alias, a gemini
// id.
std::string resolve_model_id(std::string_view name);

ModelInfo model_info(std::string_view id);

double cost_usd(const ModelInfo& model, const core::Usage& usage);

}  // namespace yume::gemini
