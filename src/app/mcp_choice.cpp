// SPDX-License-Identifier: MIT
#include "app/mcp_choice.h"

#include "mcp/config_reader.h"
#include "protocol/claude/claude_stream.h"
#include "util/path_text.h"

#include <algorithm>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t k_largest_file = 4U << 20U;

Error invalid(const std::string& where, const std::string& why) {
  return {.code = ErrorCode::invalid_argument,
          .message = "Error: Invalid MCP configuration:\n" + where + why};
}

// Claude Code takes a text that begins with a brace for JSON, and everything else for a file.
Result<std::string> text_of(const std::string& given, const fs::path& cwd,
                            const platform::FileSystem& files) {
  const std::size_t first = given.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && given[first] == '{') return given;
  auto text = files.read(cwd / path_from_utf8(given), k_largest_file);
  if (text.ok()) return text;
  return invalid("", "MCP config file not found: " + to_utf8(cwd / path_from_utf8(given)) + " (" +
                         text.error().message + ")");
}

class Collection {
 public:
  explicit Collection(std::vector<core::McpServerConfig>& servers) : servers_(servers) {}

  void add(std::vector<core::McpServerConfig> more) {
    for (core::McpServerConfig& one : more) {
      const bool known = std::any_of(
          servers_.begin(), servers_.end(),
          [&one](const core::McpServerConfig& other) { return other.name == one.name; });
      if (!known) servers_.push_back(std::move(one));
    }
  }

 private:
  std::vector<core::McpServerConfig>& servers_;
};

}  // namespace

Result<config::McpSpec> choose_servers(const Options& options, const config::SettingsStack& stack,
                                       const std::optional<std::string>& project_servers,
                                       const fs::path& cwd, const SpecDeps& deps) {
  config::McpSpec spec;
  const platform::Environment& environment = deps.environment;
  spec.variable = [&environment](std::string_view name) { return environment.get(name); };
  spec.permission_tool = options.permission_tool;
  spec.client_version = std::string(protocol::k_claude_code_version);
  spec.connect_timeout = milliseconds_in(environment, "MCP_TIMEOUT").value_or(spec.connect_timeout);
  spec.call_timeout = milliseconds_in(environment, "MCP_TOOL_TIMEOUT").value_or(spec.call_timeout);
  const auto only_wanted = [&options, &spec] {
    if (!options.only_servers) return;
    const auto& wanted = *options.only_servers;
    std::erase_if(spec.servers, [&wanted](const core::McpServerConfig& one) {
      return std::find(wanted.begin(), wanted.end(), one.name) == wanted.end();
    });
  };
  Collection all(spec.servers);
  // Of several flags the last one counts, as with other settings.
  for (auto given = options.mcp_configs.rbegin(); given != options.mcp_configs.rend(); ++given) {
    YUME_TRY(const std::string text, text_of(*given, cwd, deps.files));
    auto servers = mcp::read_config(text, "dynamic", spec.variable);
    if (!servers.ok()) return invalid("", servers.error().message);
    all.add(std::move(servers).value());
  }
  if (options.only_given_servers) {
    only_wanted();
    return spec;
  }
  for (auto layer = stack.layers().rbegin(); layer != stack.layers().rend(); ++layer) {
    if (!layer->settings.mcp_servers) continue;
    auto entries = mcp::read_entries(layer->settings.mcp_servers->text, "user", spec.variable);
    if (!entries.errors.empty()) {
      const auto& [name, why] = *entries.errors.begin();
      return invalid(layer->origin.text() + ": ", "mcpServers." + name + ": " + why);
    }
    all.add(std::move(entries.servers));
  }
  if (project_servers) {
    auto servers = mcp::read_config(*project_servers, "project", spec.variable);
    if (!servers.ok()) return invalid(to_utf8(cwd / ".mcp.json") + ": ", servers.error().message);
    all.add(std::move(servers).value());
  }
  only_wanted();
  return spec;
}

}  // namespace yume::app
