// SPDX-License-Identifier: MIT
// The manual page, made from the same tables as --help. Pure.
#pragma once

#include <string>

namespace yume::app {

// In the man macros of roff.
std::string man_page();

}  // namespace yume::app
