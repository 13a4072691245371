// SPDX-License-Identifier: MIT
// Gemini CLI's tools under the names and arguments that they have here. Pure.
#pragma once

#include <string>
#include <string_view>

#include "transcript/importers/import_json.h"

namespace yume::transcript::import {

struct MappedCall {
  std::string name;
  Json input;
};

// What is not known passes through; "server__tool" becomes "mcp__server__tool".
MappedCall map_gemini_call(std::string_view name, Json args);

}  // namespace yume::transcript::import
