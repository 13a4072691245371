// SPDX-License-Identifier: MIT
#include "app/doctor/mcp_checks.h"

#include "mcp/servers.h"
#include "platform/command_system.h"
#include "tools/bash.h"
#include "util/log.h"

namespace yume::app::doctor {
namespace {

Finding finding_about(const core::McpServerReport& server) {
  Finding finding{.check = "mcp " + server.config.name};
  const std::string status(core::to_string(server.status));
  if (server.status == core::McpStatus::connected) {
    finding.detail = status + ", " + std::to_string(server.tools.size()) + " tools";
    return finding;
  }
  finding.verdict = server.status == core::McpStatus::pending ? Verdict::warn : Verdict::fail;
  finding.detail = status + (server.error.empty() ? "" : ": " + server.error);
  finding.advice = server.status == core::McpStatus::pending
                       ? "It is slow to start; sessions do not wait for it."
                       : "Check its entry in the configuration; sessions go on without it.";
  return finding;
}

}  // namespace

Findings check_servers(const Result<config::McpSpec>& servers, const std::filesystem::path& cwd,
                       const std::function<std::unique_ptr<net::Transport>()>& make_transport,
                       const SpecDeps& deps, const CancelToken& cancel) {
  if (!servers.ok()) {
    return {{.check = "mcp servers",
             .verdict = Verdict::fail,
             .detail = servers.error().message,
             .advice = "Correct the entry; sessions do not start with it."}};
  }
  if (servers->servers.empty()) return {};
  const platform::CommandSystem system = platform::command_system(deps.environment);
  mcp::Servers all(
      servers->servers,
      {.programs = {.cwd = cwd,
                    .environment = tools::child_environment(deps.environment.variables, system),
                    .workspace = {cwd},
                    .files = deps.files,
                    .log = null_log()},
       .client_version = servers->client_version,
       .times = {.connect = servers->connect_timeout, .call = servers->call_timeout},
       .make_transport = make_transport});
  all.wait_for_news(cancel);
  Findings findings;
  for (const core::McpServerReport& server : all.reports()) {
    findings.push_back(finding_about(server));
  }
  return findings;
}

}  // namespace yume::app::doctor
