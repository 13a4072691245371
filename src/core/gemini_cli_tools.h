// SPDX-License-Identifier: MIT
// What the tools of Gemini CLI are called here. Models know its names by heart, and its sessions
// are full of them.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace yume::core {

// "search_file_content" is "Grep"; nullopt for a name that is none of Gemini CLI's.
std::optional<std::string_view> name_of_gemini_cli_tool(std::string_view called);

// A field of a tool that means the same under another name.
struct RenamedField {
  std::string_view tool;  // by our name
  const char* given;
  const char* field;
};
// Those that Gemini CLI calls otherwise, whoever says it: a model or a session.
std::span<const RenamedField> gemini_cli_fields();

}  // namespace yume::core
