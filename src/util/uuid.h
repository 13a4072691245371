// SPDX-License-Identifier: MIT
// Random identifiers. Every call asks the system's random source; no state, thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace yume {

std::string make_uuid();                     // version 4, lower case
std::string random_hex(std::size_t digits);  // digits is a multiple of 8
bool is_uuid(std::string_view text);

}  // namespace yume
