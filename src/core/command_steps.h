// SPDX-License-Identifier: MIT
// A command line as the words that run, when these are certain: no shell is needed for it.
#pragma once

#include <string>
#include <vector>

namespace yume::core {

// How a command is joined to the one before it.
enum class Joint { first, then, and_then, or_else, pipe };

struct CommandStep {
  Joint joint = Joint::first;
  std::vector<std::string> argv;
  bool drops_output = false;      // >/dev/null
  bool drops_errors = false;      // 2>/dev/null
  bool errors_to_output = false;  // 2>&1

  friend bool operator==(const CommandStep&, const CommandStep&) = default;
};

}  // namespace yume::core
