// SPDX-License-Identifier: MIT
// Flags that this program does not know although their names promise a restriction. Other unknown
// flags are left alone, for hosts pass new ones every month; these would be obeyed by nobody.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace yume::app {

// The error for the first of them, which says what was probably meant; nullopt when there is none.
std::optional<std::string> unknown_restriction(const std::vector<std::string>& unknown_flags);

}  // namespace yume::app
