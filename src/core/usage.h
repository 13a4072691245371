// SPDX-License-Identifier: MIT
// Counts and money. Counts are what the server said; each dialect splits them its own way.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace yume::core {

// One request, or a sum of requests.
struct Usage {
  std::int64_t prompt_tokens = 0;   // whole prompt, cached part included
  std::int64_t cached_tokens = 0;   // part of prompt_tokens that came from the cache
  std::int64_t output_tokens = 0;   // visible output: text and calls
  std::int64_t thought_tokens = 0;  // billed as output, not visible
  std::int64_t web_searches = 0;    // queries that the server searched the web for
  bool estimated = false;           // counted by us, because the server did not

  [[nodiscard]] bool empty() const { return prompt_tokens == 0 && billed_output() == 0; }
  [[nodiscard]] std::int64_t billed_output() const { return output_tokens + thought_tokens; }
  [[nodiscard]] std::int64_t uncached_prompt() const { return prompt_tokens - cached_tokens; }

  Usage& operator+=(const Usage& other) {
    prompt_tokens += other.prompt_tokens;
    cached_tokens += other.cached_tokens;
    output_tokens += other.output_tokens;
    thought_tokens += other.thought_tokens;
    web_searches += other.web_searches;
    estimated |= other.estimated;
    return *this;
  }
  friend bool operator==(const Usage&, const Usage&) = default;
};

// What one model has used since the process started.
struct ModelUsage {
  Usage usage;
  double cost_usd = 0;
  std::int64_t context_window = 0;
  std::int64_t max_output_tokens = 0;
};

using UsageByModel = std::map<std::string, ModelUsage>;

inline void add_usage(const UsageByModel& more, UsageByModel& sum) {
  for (const auto& [name, model] : more) {
    ModelUsage& one = sum[name];
    one.usage += model.usage;
    one.cost_usd += model.cost_usd;
    one.context_window = model.context_window;
    one.max_output_tokens = model.max_output_tokens;
  }
}

inline double total_cost_usd(const UsageByModel& by_model) {
  double total = 0;
  for (const auto& [name, model] : by_model) total += model.cost_usd;
  return total;
}

}  // namespace yume::core
