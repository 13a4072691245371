// SPDX-License-Identifier: MIT
// What the tools of Gemini CLI are called here. Models know its names by heart, and its sessions
// are full of them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <span>
#include <string_view>

namespace yume::core {

// "search_file_content" is "Grep"; nullopt for a name that is none of Gemini CLI's.
std::optional<std::string_view> name_of_gemini_cli_tool(std::string_view called);

// The inverse: "Grep" is "grep_search"; nullopt for a tool that Gemini CLI does not have.
std::optional<std::string_view> gemini_cli_name_of(std::string_view tool);
// What it calls a field of our tool; nullopt: the same as we do.
std::optional<std::string_view> gemini_cli_field_of(std::string_view tool, std::string_view field);

// A field of a tool that means the same under another name.
struct RenamedField {
  std::string_view tool;  // by our name
  const char* given;
  const char* field;
};
// Those that Gemini CLI calls otherwise, whoever says it: a model or a session.
std::span<const RenamedField> gemini_cli_fields();

// A list of tasks in TodoWrite's words, whoever wrote it: `description` is `content`, `cancelled`
// is `completed`, `blocked` is `pending`, a missing `activeForm` is the content, and a task without
// a text is left out. What else is wrong stays as it is. True when something changed.
bool translate_todos(nlohmann::json& todos);
bool translate_todos(nlohmann::ordered_json& todos);
// The same rule for statuses and for tasks without a text, in the words of whoever wrote the list.
bool settle_todos(nlohmann::ordered_json& todos);

}  // namespace yume::core
