// SPDX-License-Identifier: MIT
// One line of models.json, and what to suppose about a model that has none.
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

#include "gemini/model_info.h"
#include "util/result.h"

namespace yume::gemini {

using Day = std::chrono::sys_days;

struct DatedPrice {
  Day from;
  PriceTier tier;
};

struct ModelRow {
  ModelInfo info;  // without prices
  std::vector<DatedPrice> prices;

  // The prices that hold on that day, lowest threshold first.
  [[nodiscard]] std::vector<PriceTier> prices_on(Day day) const;
};

// The traits of the generation that the id names; the newest for an id that tells nothing.
ModelRow supposed_row(std::string_view id);

}  // namespace yume::gemini
