// SPDX-License-Identifier: MIT
#include "gemini/thinking.h"

#include <algorithm>

namespace yume::gemini {
namespace {

using enum ThinkingLevel;

constexpr std::int64_t k_dynamic = -1;
// Claude's words "think", "think hard" and "ultrathink" ask for 4,000, 10,000 and 31,999.
constexpr std::int64_t k_most_for_low = 4'096;
constexpr std::int64_t k_most_for_medium = 16'384;
// As Google's own OpenAI-compatible endpoint translates efforts.
constexpr std::int64_t k_low_budget = 1'024;
constexpr std::int64_t k_medium_budget = 8'192;
constexpr std::int64_t k_high_budget = 24'576;

bool wants_off(const ThinkingRequest& wish) {
  return wish.mode == ThinkingMode::disabled || (wish.max_tokens && *wish.max_tokens <= 0);
}

ThinkingLevel level_of(Effort effort) {
  switch (effort) {
    case Effort::low:
      return low;
    case Effort::medium:
      return medium;
    case Effort::high:
    case Effort::xhigh:
    case Effort::max:
      break;
  }
  return high;
}

ThinkingLevel level_of(std::int64_t tokens) {
  if (tokens <= k_most_for_low) return low;
  return tokens <= k_most_for_medium ? medium : high;
}

std::int64_t budget_of(Effort effort, const ThinkingRange& range) {
  switch (effort) {
    case Effort::low:
      return k_low_budget;
    case Effort::medium:
      return k_medium_budget;
    case Effort::high:
      return k_high_budget;
    case Effort::xhigh:
    case Effort::max:
      break;
  }
  return range.max_budget;
}

std::optional<ThinkingSetting> choose_level(const ThinkingRange& range,
                                            const ThinkingRequest& wish) {
  if (range.levels.empty()) return std::nullopt;
  std::optional<ThinkingLevel> wanted;
  if (wants_off(wish)) {
    wanted = minimal;
  } else if (wish.effort || wish.max_tokens) {
    wanted = wish.effort ? level_of(*wish.effort) : high;
    if (wish.max_tokens) wanted = std::min(*wanted, level_of(*wish.max_tokens));
  } else if (wish.mode && range.default_level == minimal) {
    wanted = low;
  }
  if (!wanted) return std::nullopt;
  const auto found = std::find_if(range.levels.begin(), range.levels.end(),
                                  [&wanted](ThinkingLevel level) { return level >= *wanted; });
  return found == range.levels.end() ? range.levels.back() : *found;
}

std::optional<ThinkingSetting> choose_budget(const ThinkingRange& range,
                                             const ThinkingRequest& wish) {
  if (wants_off(wish)) return ThinkingBudget{range.can_be_off ? 0 : range.min_budget};
  if (!wish.effort && !wish.max_tokens) {
    if (wish.mode && range.off_by_default) return ThinkingBudget{k_dynamic};
    return std::nullopt;
  }
  std::int64_t tokens = wish.effort ? budget_of(*wish.effort, range) : range.max_budget;
  if (wish.max_tokens) tokens = std::min(tokens, *wish.max_tokens);
  return ThinkingBudget{std::clamp(tokens, range.min_budget, range.max_budget)};
}

}  // namespace

std::optional<ThinkingSetting> choose_thinking(const ModelInfo& model,
                                               const ThinkingRequest& wish) {
  switch (model.thinking) {
    case ThinkingControl::none:
      break;
    case ThinkingControl::budget:
      return choose_budget(model.thinking_range, wish);
    case ThinkingControl::level:
      return choose_level(model.thinking_range, wish);
  }
  return std::nullopt;
}

}  // namespace yume::gemini
