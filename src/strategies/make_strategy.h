// SPDX-License-Identifier: MIT
// The strategy that a session's spec names.
#pragma once

#include <memory>

#include "strategies/gemini_rest.h"
#include "strategies/strategy.h"

namespace yume::strategies {

std::unique_ptr<Strategy> make_strategy(core::Conversation past, StrategyDeps deps);

}  // namespace yume::strategies
