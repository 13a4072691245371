// SPDX-License-Identifier: MIT
// A call of Gemini CLI under the name and arguments that it has here, whichever of its versions
// wrote it: the inverse of core/gemini_cli_calls.h, for whoever reads its sessions and its lines.
// Pure.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace yume::core {

struct MappedCall {
  std::string name;
  nlohmann::ordered_json input;  // an object
};

// What is not known passes through; "server__tool" becomes "mcp__server__tool".
MappedCall map_gemini_cli_call(std::string_view name, nlohmann::ordered_json args);

}  // namespace yume::core
