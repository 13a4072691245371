// SPDX-License-Identifier: MIT
// What the tools of Gemini CLI are called here. Models know its names by heart, and its sessions
// are full of them.
#pragma once

#include <optional>
#include <string_view>

namespace yume::core {

// "search_file_content" is "Grep"; nullopt for a name that is none of Gemini CLI's.
std::optional<std::string_view> name_of_gemini_cli_tool(std::string_view called);

}  // namespace yume::core
