// SPDX-License-Identifier: MIT
// Which MCP servers a session has: those of --mcp-config, of settings.json and of the folder's
// .mcp.json, in this order of power: of two with one name the first counts.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/options.h"
#include "app/session_setup.h"
#include "config/session_spec.h"
#include "config/settings_stack.h"
#include "util/result.h"

namespace yume::app {

// `project_servers`: the text of .mcp.json in a trusted folder. The message of an error names flag
// or file, entry and reason.
Result<config::McpSpec> choose_servers(const Options& options, const config::SettingsStack& stack,
                                       const std::optional<std::string>& project_servers,
                                       const std::filesystem::path& cwd, const SpecDeps& deps);

}  // namespace yume::app
