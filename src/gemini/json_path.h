// SPDX-License-Identifier: MIT
// The paths of partial arguments: RFC 9535's normalised form and the short one with dots, which
// name exactly one place. Selectors that could name several are refused. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "util/result.h"

namespace yume::gemini {

// A member's name or an element's index.
using PathStep = std::variant<std::string, std::size_t>;

struct JsonPath {
  std::vector<PathStep> steps;
  bool names_array = false;  // ends in `[]`: the array itself, not yet with elements
};

// protocol error when it is no such path, too_large with more than `max_steps`.
Result<JsonPath> parse_json_path(std::string_view text, std::size_t max_steps);

}  // namespace yume::gemini
