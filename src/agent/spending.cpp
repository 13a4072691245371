// SPDX-License-Identifier: MIT
#include "agent/spending.h"

#include <cstdint>

namespace yume::agent {
namespace {

constexpr std::int64_t k_bytes_per_token = 4;

std::int64_t tokens_in(std::size_t bytes) {
  return static_cast<std::int64_t>(bytes) / k_bytes_per_token + 1;
}

}  // namespace

void Spending::bill(core::TurnDone& done, const std::vector<core::Usage>& billed) {
  if (billed.empty()) return;
  core::ModelUsage& model = by_model_[model_.id];
  for (const core::Usage& usage : billed) {
    done.total += usage;
    model.usage += usage;
    const double cost = gemini::cost_usd(model_, usage);
    model.cost_usd += cost;
    if (meter_ != nullptr) meter_->add(cost);
  }
  model.context_window = model_.context_window;
  model.max_output_tokens = model_.max_output_tokens;
}

void Spending::bill(core::TurnDone& done, ModelReply& reply, std::size_t request_bytes) {
  if (reply.billed.empty() && (reply.text_bytes > 0 || reply.announced)) {
    reply.usage = {.prompt_tokens = tokens_in(request_bytes),
                   .output_tokens = tokens_in(reply.text_bytes),
                   .estimated = true};
    reply.billed.push_back(reply.usage);
  }
  if (!reply.usage.empty()) done.last_request = reply.usage;
  bill(done, reply.billed);
}

double Spending::cost_with(const core::Usage& next) const {
  const double so_far = meter_ != nullptr ? meter_->total() : core::total_cost_usd(by_model_);
  return so_far + gemini::cost_usd(model_, next);
}

}  // namespace yume::agent
