// SPDX-License-Identifier: MIT
#include "gemini/model_row.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace yume::gemini {
namespace {

using enum ThinkingLevel;

struct Version {
  int major = 0;  // 0: the id names none
  int minor = 0;

  friend auto operator<=>(const Version&, const Version&) = default;
};

// "gemini-3.8-flash" is 3.8; "gemini-flash-latest" tells nothing.
Version version_of(std::string_view id) {
  const std::size_t dash = id.find('-');
  if (dash == id.npos) return {};
  Version version;
  const char* const end = id.data() + id.size();
  const auto [after, failure] = std::from_chars(id.data() + dash + 1, end, version.major);
  if (failure != std::errc()) return {};
  if (after != end && *after == '.') std::from_chars(after + 1, end, version.minor);
  return version;
}

void suppose_budget(std::string_view id, ModelInfo& info) {
  info.thinking = ThinkingControl::budget;
  if (id.find("-pro") != id.npos) {
    info.thinking_range = {.min_budget = 128, .max_budget = 32'768};
  } else {
    const bool lite = id.find("-lite") != id.npos;
    info.thinking_range = {.min_budget = lite ? 512 : 1,
                           .max_budget = 24'576,
                           .off_by_default = lite,
                           .can_be_off = true};
  }
}

void suppose_levels(std::string_view id, Version version, ModelInfo& info) {
  info.thinking = ThinkingControl::level;
  const bool lacks_minimal =
      version.major == 0 || version >= Version{3, 7} || id.find("-pro") != id.npos;
  info.thinking_range.levels = {low, medium, high};
  if (!lacks_minimal)
    info.thinking_range.levels.insert(info.thinking_range.levels.begin(), minimal);
}

void suppose_gemma(Version version, ModelInfo& info) {
  info.system_instruction = false;
  const bool thinks = version.major == 0 || version.major >= 4;
  info.context_window = thinks ? 262'144 : 131'072;
  info.max_output_tokens = thinks ? 32'768 : 8'192;
  info.thinking = thinks ? ThinkingControl::level : ThinkingControl::none;
  if (thinks) info.thinking_range.levels = {minimal, high};
}

}  // namespace

std::vector<PriceTier> ModelRow::prices_on(Day day) const {
  std::vector<DatedPrice> valid;
  std::copy_if(prices.begin(), prices.end(), std::back_inserter(valid),
               [day](const DatedPrice& price) { return price.from <= day; });
  std::sort(valid.begin(), valid.end(), [](const DatedPrice& a, const DatedPrice& b) {
    return std::pair(a.tier.above_prompt_tokens, a.from) <
           std::pair(b.tier.above_prompt_tokens, b.from);
  });
  std::vector<PriceTier> tiers;
  for (const DatedPrice& price : valid) {
    const bool newer =
        !tiers.empty() && tiers.back().above_prompt_tokens == price.tier.above_prompt_tokens;
    if (newer) tiers.pop_back();
    tiers.push_back(price.tier);
  }
  return tiers;
}

ModelRow supposed_row(std::string_view id) {
  ModelRow row;
  ModelInfo& info = row.info;
  info.id = std::string(id);
  const Version version = version_of(id);
  if (id.starts_with("gemma")) {
    suppose_gemma(version, info);
    info.multimodal_results = info.built_in_with_functions = false;
  } else {
    const bool named = version.major > 0;
    info.multimodal_results = info.built_in_with_functions = !named || version.major >= 3;
    info.long_decode = version.major >= 4;
    if (named && version < Version{2, 5}) {
      info.thinking = ThinkingControl::none;
      info.max_output_tokens = 8'192;
    } else if (named && version.major < 3) {
      suppose_budget(id, info);
    } else {
      suppose_levels(id, version, info);
    }
  }
  return row;
}

}  // namespace yume::gemini
