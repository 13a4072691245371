// SPDX-License-Identifier: MIT
// Which subagents there are: our own, the user's, the project's, those of the command line and the
// host's; of the same name the later one counts. Files are read once, when somebody first asks.
// Thread-safe.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/session_spec.h"
#include "core/agent_definition.h"
#include "permissions/rule_book.h"
#include "platform/file_system.h"

namespace yume::session {

struct AgentSet {
  std::vector<core::AgentDefinition> agents = {};
  std::vector<std::string> problems = {};  // for people

  [[nodiscard]] const core::AgentDefinition* find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const;
};

std::vector<core::AgentDefinition> built_in_agents();

class AgentCatalog {
 public:
  // `spec` and `files` outlive it. An agent that `rules` deny by name is none.
  AgentCatalog(const config::AgentSpec& spec, std::filesystem::path cwd,
               const permissions::RuleSet& rules, const platform::FileSystem& files);

  [[nodiscard]] std::shared_ptr<const AgentSet> agents() const;
  // For hosts that list them.
  [[nodiscard]] std::vector<core::AgentSummary> summaries() const;
  // Those of the host, instead of what it gave before.
  void set_host_agents(std::vector<core::AgentDefinition> agents);

 private:
  [[nodiscard]] AgentSet collect() const;

  const config::AgentSpec& spec_;
  std::filesystem::path cwd_;
  std::vector<std::string> denied_;
  const platform::FileSystem& files_;
  mutable std::mutex mutex_;
  std::vector<core::AgentDefinition> of_host_;
  mutable std::shared_ptr<const AgentSet> known_;  // shared with whoever is using it
};

}  // namespace yume::session
