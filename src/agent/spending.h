// SPDX-License-Identifier: MIT
// What the requests of this process cost, by model and by turn.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "agent/turn_assembler.h"
#include "core/cost_meter.h"
#include "core/event.h"
#include "core/usage.h"
#include "gemini/model_info.h"

namespace yume::agent {

class Spending {
 public:
  // `model` outlives this. `meter`: what others spend, too; none: nobody else does.
  explicit Spending(const gemini::ModelInfo& model,
                    std::shared_ptr<core::CostMeter> meter = nullptr)
      : model_(model), meter_(std::move(meter)) {}

  void bill(core::TurnDone& done, const std::vector<core::Usage>& billed);
  // A reply that broke off before the server counted is estimated by its size.
  void bill(core::TurnDone& done, ModelReply& reply, std::size_t request_bytes);

  // So far, and with one more request.
  [[nodiscard]] double cost_with(const core::Usage& next) const;

  [[nodiscard]] const core::UsageByModel& by_model() const { return by_model_; }

 private:
  const gemini::ModelInfo& model_;
  std::shared_ptr<core::CostMeter> meter_;  // shared with sessions that run beside this one
  core::UsageByModel by_model_;
};

}  // namespace yume::agent
