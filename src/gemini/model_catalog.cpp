// SPDX-License-Identifier: MIT
#include "gemini/model_catalog.h"

#include <array>
#include <string>

namespace yume::gemini {
namespace {

struct Row {
  std::string_view id;
  std::int64_t window;
  std::int64_t output;
  ThinkingControl thinking;
  double input;
  double out;
  double cached;
};

constexpr std::int64_t k_million = 1'048'576;
constexpr auto k_level = ThinkingControl::level;
constexpr auto k_budget = ThinkingControl::budget;
constexpr auto k_none = ThinkingControl::none;

// Prices are display hints of November 2026.
constexpr std::array<Row, 16> k_rows = {{
    {"gemini-4-argon", k_million, 65'536, k_level, 2.00, 10.00, 0.10},
    {"gemini-3.8-flash", k_million, 65'536, k_level, 0.75, 3.75, 0.075},
    {"gemini-3.7-flash", k_million, 65'536, k_level, 0.75, 3.75, 0.075},
    {"gemini-3.6-flash", k_million, 65'536, k_level, 0.75, 3.75, 0.075},
    {"gemini-3.5-flash", k_million, 65'536, k_level, 1.50, 9.00, 0.15},
    {"gemini-3.5-flash-lite", k_million, 65'536, k_level, 0.30, 2.50, 0.03},
    {"gemini-3.1-flash-lite", k_million, 65'536, k_level, 0.25, 1.50, 0.025},
    {"gemini-3.1-pro-preview", k_million, 65'536, k_level, 2.00, 12.00, 0.20},
    {"gemini-3-flash-preview", k_million, 65'536, k_level, 0.50, 3.00, 0.05},
    {"gemini-2.5-pro", k_million, 65'536, k_budget, 1.25, 10.00, 0.125},
    {"gemini-2.5-flash", k_million, 65'536, k_budget, 0.30, 2.50, 0.03},
    {"gemini-2.5-flash-lite", k_million, 65'536, k_budget, 0.10, 0.40, 0.01},
    {"gemini-2.0-flash-thinking", 32'767, 8'192, k_none, 0.10, 0.40, 0.025},
    {"gemini-2.0-flash", 1'000'000, 8'192, k_none, 0.10, 0.40, 0.025},
    {"gemini-1.5-pro", 1'000'000, 8'192, k_none, 1.25, 5.00, 0.3125},
    {"gemini-1.5-flash", 1'000'000, 8'192, k_none, 0.075, 0.30, 0.01875},
}};

bool names_family(std::string_view name, std::string_view family) {
  return name == family || (name.starts_with("claude-") && name.find(family) != name.npos);
}

}  // namespace

std::string resolve_model_id(std::string_view name) {
  if (name.starts_with("models/")) name.remove_prefix(7);
  if (name.empty() || name == "default" || name == "auto") return std::string(k_default_model);
  // Claude's tiers: the strongest, the workhorse, the quick helper.
  if (names_family(name, "opus") || names_family(name, "fable")) return "gemini-4-argon";
  if (names_family(name, "haiku")) return "gemini-3.5-flash-lite";
  if (names_family(name, "sonnet") || name.starts_with("claude-")) {
    return std::string(k_default_model);
  }
  return std::string(name);
}

ModelInfo model_info(std::string_view id) {
  // Longest prefix, so that dated and preview variants share the row of their family.
  const Row* best = nullptr;
  for (const Row& row : k_rows) {
    if (id.starts_with(row.id) && (best == nullptr || row.id.size() > best->id.size())) best = &row;
  }
  ModelInfo info;
  info.id = std::string(id);
  if (best == nullptr) return info;
  info.context_window = best->window;
  info.max_output_tokens = best->output;
  info.thinking = best->thinking;
  info.input_price = best->input;
  info.output_price = best->out;
  info.cached_price = best->cached;
  return info;
}

double cost_usd(const ModelInfo& model, const core::Usage& usage) {
  const auto price = [](std::int64_t tokens, double per_million) {
    return static_cast<double>(tokens) * per_million / 1e6;
  };
  return price(usage.uncached_prompt(), model.input_price) +
         price(usage.cached_tokens, model.cached_price) +
         price(usage.billed_output(), model.output_price);
}

}  // namespace yume::gemini
