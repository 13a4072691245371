// SPDX-License-Identifier: MIT
// The roles that a host can give to an agent which works by itself: a paragraph of the system
// prompt each (role_*.md).
#pragma once

#include <array>
#include <string_view>

namespace yume::agent {

inline constexpr std::array<std::string_view, 5> k_roles = {"architect", "explorer", "implementer",
                                                            "guardian", "specialist"};

// Empty when there is no such role.
std::string_view role_text(std::string_view role);

}  // namespace yume::agent
