// SPDX-License-Identifier: MIT
// Server configurations as people and hosts write them: `{"mcpServers":{name:{...}}}`. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/mcp.h"
#include "mcp/variables.h"
#include "util/result.h"

namespace yume::mcp {

// A whole file or text, of which `mcpServers` counts. The message says which entry is wrong and
// why, in Claude Code's form.
Result<std::vector<core::McpServerConfig>> read_config(std::string_view text,
                                                       const std::string& scope,
                                                       const Lookup& lookup);

// The value of `mcpServers` alone. What is wrong with one entry does not touch the others: it is in
// `errors`, by name.
struct ServerEntries {
  std::vector<core::McpServerConfig> servers = {};
  std::map<std::string, std::string> errors = {};
};
ServerEntries read_entries(std::string_view object, const std::string& scope, const Lookup& lookup);

}  // namespace yume::mcp
