// SPDX-License-Identifier: MIT
// Names that models use out of habit, mostly Gemini CLI's, and what they are called here. Hosts
// only ever see ours.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace yume::tools {

// "search_file_content" is "Grep"; a name that is no alias is returned as it is.
std::string_view tool_name_for(std::string_view called);

// Renames the fields of `input`, an object, for the tool that was called by this name. A field
// under its right name is never overwritten. True when something changed.
bool rename_fields(std::string_view called, nlohmann::json& input);

}  // namespace yume::tools
