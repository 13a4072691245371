// SPDX-License-Identifier: MIT
// Which tools a session has: the built-in ones that are wanted, and those that MCP servers offer.
#include "session/turn_runner.h"

#include "tools/session_tools.h"
#include "util/glob_match.h"

#include <algorithm>
#include <utility>

namespace yume::session {
namespace {

// By a rule for all of it.
bool is_denied(const std::string& name, const permissions::RuleSet& rules) {
  return std::any_of(rules.deny.begin(), rules.deny.end(), [&name](const permissions::Rule& rule) {
    if (!rule.spec.empty()) return false;
    if (rule.tool == name || rule.tool == "*") return true;
    return rule.tool.starts_with("mcp__") &&
           (wildcard_match(rule.tool, name) || name.starts_with(rule.tool + "__"));
  });
}

}  // namespace

tools::Registry choose_tools(const config::ToolChoice& choice, const permissions::RuleSet& rules,
                             const CommandShelf* skills) {
  tools::Registry registry = tools::make_builtin_tools();
  if (skills != nullptr && !skills->skill_names().empty()) {
    registry.add(tools::make_skill_tool(*skills));
  }
  if (choice.host_answers) tools::add_question_tools(registry);
  for (const std::string& name : registry.names()) {
    const bool unwanted = choice.only && std::find(choice.only->begin(), choice.only->end(),
                                                   name) == choice.only->end();
    if (unwanted || is_denied(name, rules)) registry.remove(name);
  }
  return registry;
}

core::Questions* TurnRunner::who_answers() {
  if (permission_tool_) return &*permission_tool_;
  return spec_.tools.host_answers ? &port_ : nullptr;
}

mcp::ServersDeps TurnRunner::server_deps() {
  return {.programs = {.cwd = spec_.cwd,
                       .environment = spec_.child_environment,
                       .workspace = spec_.permissions.roots,
                       .files = services_.files,
                       .log = services_.log},
          .client_version = spec_.mcp.client_version,
          .times = {.connect = spec_.mcp.connect_timeout, .call = spec_.mcp.call_timeout},
          .host = spec_.mcp.host_carries ? &port_ : nullptr,
          .make_transport = services_.make_transport,
          .lookup = spec_.mcp.variable,
          .redactor = &services_.redactor};
}

void TurnRunner::meet_servers(const CancelToken& cancel) {
  refresh_tools();  // lets go of servers that are gone
  servers_.wait_for_news(cancel);
  refresh_tools();
}

void TurnRunner::refresh_tools() {
  const std::uint64_t version = servers_.version();
  if (version == servers_version_) return;
  auto offered = offered_tools();
  spec_.prompt.servers = servers_.instructions();
  for (core::McpInstructions& one : spec_.prompt.servers) services_.redactor.clean(one.text);
  const std::lock_guard lock(tools_mutex_);
  servers_version_ = version;
  tools_.remove_remote();
  for (auto& tool : offered) tools_.add_remote(std::move(tool));
}

// A role's limits are those of all tools.
std::vector<std::unique_ptr<tools::Tool>> TurnRunner::offered_tools() const {
  auto offered = servers_.tools();
  const auto agents = catalog_.agents();
  const core::AgentDefinition* role =
      spec_.agents.main ? agents->find(*spec_.agents.main) : nullptr;
  std::erase_if(offered, [&](const std::unique_ptr<tools::Tool>& tool) {
    const std::string& name = tool->spec().name;
    return name == spec_.mcp.permission_tool || is_denied(name, spec_.permissions.rules) ||
           (role != nullptr && !role->has_tool(name));
  });
  return offered;
}

}  // namespace yume::session
