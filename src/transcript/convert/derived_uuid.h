// SPDX-License-Identifier: MIT
// Ids for what has none in its source: the same each time that it is converted. Pure.
#pragma once

#include <string>
#include <string_view>

namespace yume::transcript {

// In the form of a UUID of version 8, made of the name.
std::string derived_uuid(std::string_view name);

}  // namespace yume::transcript
