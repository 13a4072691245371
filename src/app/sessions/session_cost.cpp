// SPDX-License-Identifier: MIT
#include "app/sessions/session_cost.h"

#include "app/sessions/call_summary.h"
#include "util/grouped_count.h"

#include <fmt/format.h>

#include <chrono>

namespace yume::app {

Spending& Spending::operator+=(const Spending& other) {
  usage += other.usage;
  cost_usd += other.cost_usd;
  requests += other.requests;
  unpriced += other.unpriced;
  return *this;
}

Spending spending_of(const transcript::ShownRequest& request, const gemini::ModelCatalog& catalog) {
  Spending spending{.usage = request.usage, .requests = 1};
  const auto time = read_time(request.time);
  const gemini::Day day = time ? std::chrono::floor<std::chrono::days>(*time) : gemini::Day();
  // A session of Claude Code names models that the catalog does not have: what Gemini would have
  // cost in their place is no answer.
  if (request.model.empty() || !catalog.knows(request.model)) {
    spending.unpriced = 1;
    return spending;
  }
  const gemini::ModelInfo model = catalog.info(request.model, day);
  if (model.prices.empty()) {
    spending.unpriced = 1;
  } else {
    spending.cost_usd = gemini::cost_usd(model, request.usage);
  }
  return spending;
}

std::string cost_text(const Spending& spending) {
  if (spending.requests == spending.unpriced) return "";
  const char* const least = spending.unpriced > 0 ? "at least " : "";
  const bool cents = spending.cost_usd >= 1 || spending.cost_usd == 0;
  return cents ? fmt::format("{}${:.2f}", least, spending.cost_usd)
               : fmt::format("{}${:.4f}", least, spending.cost_usd);
}

std::string spending_text(const Spending& spending) {
  std::string text = grouped(spending.usage.prompt_tokens) + " tokens in";
  if (spending.usage.cached_tokens > 0) {
    text += " (" + grouped(spending.usage.cached_tokens) + " from the cache)";
  }
  text += ", " + grouped(spending.usage.billed_output()) + " out";
  const std::string cost = cost_text(spending);
  return cost.empty() ? text : text + " · " + cost;
}

}  // namespace yume::app
