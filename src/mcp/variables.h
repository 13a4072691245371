// SPDX-License-Identifier: MIT
// `${NAME}` and `${NAME:-otherwise}` in the entries of a configuration, as Claude Code has them.
// Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "util/result.h"

namespace yume::mcp {

using Lookup = std::function<std::optional<std::string>(std::string_view name)>;

// Error: a variable is not set and has no default. What is not of the form stays as it is.
Result<std::string> expand(std::string_view text, const Lookup& lookup);

}  // namespace yume::mcp
