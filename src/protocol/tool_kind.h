// SPDX-License-Identifier: MIT
// What kind of thing a tool does, for hosts that draw calls by it.
#pragma once

#include <string_view>

namespace yume::protocol {

// "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "browse", "ask",
// "memory", "mcp" or "other", for a tool by any of its names.
std::string_view tool_kind(std::string_view tool);

}  // namespace yume::protocol
