// SPDX-License-Identifier: MIT
// What the requests of sessions used, and what that cost by the prices of their day. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/usage.h"
#include "gemini/model_catalog.h"
#include "transcript/shown_session.h"

namespace yume::app {

struct Spending {
  core::Usage usage;
  double cost_usd = 0;
  std::size_t requests = 0;
  std::size_t unpriced = 0;  // requests to models whose price nobody knows; their cost is left out

  Spending& operator+=(const Spending& other);
};

Spending spending_of(const transcript::ShownRequest& request, const gemini::ModelCatalog& catalog);

// "$0.0123"; with "at least" where some price is unknown, empty where none is known.
std::string cost_text(const Spending& spending);
// "12,345 tokens in (10,000 from the cache), 678 out · $0.0123"
std::string spending_text(const Spending& spending);

}  // namespace yume::app
