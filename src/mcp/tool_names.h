// SPDX-License-Identifier: MIT
// `mcp__server__tool`: the names under which the model and permission rules know remote tools.
// Pure.
#pragma once

#include <string>
#include <string_view>

namespace yume::mcp {

// Only letters, digits, `_` and `-`; each other character becomes `_`.
std::string plain_name(std::string_view name);

// At most 64 characters, as the model's server wants it: a longer name is cut, and ends in a hash
// of the whole.
std::string tool_name(std::string_view server, std::string_view tool);

}  // namespace yume::mcp
