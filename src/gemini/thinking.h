// SPDX-License-Identifier: MIT
// How hard the model shall think: what a host asked for in Claude's terms, as the one setting that
// the chosen model accepts. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "gemini/model_info.h"

namespace yume::gemini {

enum class Effort { low, medium, high, xhigh, max };
enum class ThinkingMode { adaptive, enabled, disabled };
enum class ThinkingDisplay { summarized, omitted };

// `--effort`, `--max-thinking-tokens`, `--thinking`, `--thinking-display`.
struct ThinkingRequest {
  std::optional<Effort> effort = std::nullopt;
  std::optional<std::int64_t> max_tokens = std::nullopt;  // a ceiling; 0 means off
  std::optional<ThinkingMode> mode = std::nullopt;
  ThinkingDisplay display = ThinkingDisplay::summarized;  // omitted: ask for no summaries

  friend bool operator==(const ThinkingRequest&, const ThinkingRequest&) = default;
};

struct ThinkingBudget {
  std::int64_t tokens = 0;  // -1: as the model sees fit

  friend bool operator==(const ThinkingBudget&, const ThinkingBudget&) = default;
};

// Level or budget: the server refuses a request with both.
using ThinkingSetting = std::variant<ThinkingLevel, ThinkingBudget>;

// nullopt: send neither, the model's own default serves. Whatever comes back the model accepts:
// - off (mode disabled, or 0 tokens) is budget 0 or the lowest budget or level there is;
// - effort asks for LOW, MEDIUM, HIGH (xhigh and max too), as budgets 1,024, 8,192, 24,576 and for
//   xhigh and max the largest;
// - tokens are a ceiling on that, or the wish itself when there is no effort: up to 4,096 is LOW,
//   up to 16,384 MEDIUM, above HIGH;
// - adaptive and enabled alone change only a model that would not think by itself;
// - a level the model lacks becomes the next higher one it has, else its highest.
std::optional<ThinkingSetting> choose_thinking(const ModelInfo& model, const ThinkingRequest& wish);

}  // namespace yume::gemini
