// SPDX-License-Identifier: MIT
// A command line whose words are certain: printable ASCII, quotes without expansions, and the
// connectors `&&`, `||`, `;` and `|`. Everything else is refused, so that these words are exactly
// the ones that bash would make of it (tests/fuzz compares). Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/command_steps.h"

namespace yume::permissions {

using core::Joint;
using PlainStep = core::CommandStep;

inline constexpr std::size_t k_most_plain_steps = 16;
inline constexpr std::size_t k_most_plain_words = 64;
inline constexpr std::size_t k_longest_plain_command = 4096;

std::optional<std::vector<PlainStep>> read_plain_command(std::string_view text);

}  // namespace yume::permissions
