// SPDX-License-Identifier: MIT
// The line below everything while a turn runs: what is going on, for how long, and what it has
// taken. Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "core/usage.h"
#include "markdown/terminal_look.h"

namespace yume::protocol {

struct StatusFacts {
  std::string doing;  // in a few words, safe to show
  std::chrono::milliseconds elapsed{0};
  std::optional<int> context_share = {};  // in percent; absent: unknown
  double cost_usd = 0;                    // 0: unknown, or nothing
  std::size_t in_background = 0;          // commands that go on
  core::Usage used = {};                  // in this turn
};

// At most as wide as the terminal: what has no room is left out as a whole.
std::string status_line(const StatusFacts& facts, const markdown::TerminalLook& look);

// "5 s", "2 min 5 s"
std::string whole_seconds(std::chrono::milliseconds time);
// "$0.02", "$0.0012"
std::string cost_in_dollars(double usd);

}  // namespace yume::protocol
