// SPDX-License-Identifier: MIT
#include "session/subagents/agent_catalog.h"

#include "agent/prompt_texts.h"
#include "config/agent_files.h"
#include "core/tool_names.h"

#include <algorithm>
#include <utility>

namespace yume::session {
namespace {

core::AgentDefinition built_in(std::string name, std::string description,
                               std::string_view prompt_file) {
  return {.name = std::move(name),
          .description = std::move(description),
          .prompt = std::string(agent::prompt_text(prompt_file))};
}

void add(std::vector<core::AgentDefinition> more, std::vector<core::AgentDefinition>& agents) {
  for (core::AgentDefinition& one : more) {
    const auto known =
        std::find_if(agents.begin(), agents.end(),
                     [&one](const core::AgentDefinition& agent) { return agent.name == one.name; });
    if (known != agents.end()) {
      *known = std::move(one);
    } else {
      agents.push_back(std::move(one));
    }
  }
}

}  // namespace

std::vector<core::AgentDefinition> built_in_agents() {
  std::vector<core::AgentDefinition> agents;
  agents.push_back(built_in("general-purpose",
                            "Researches questions, searches code and carries out tasks of several "
                            "steps. For a search that will take more than a few attempts, and for "
                            "work whose intermediate results you do not need.",
                            "agent_general_purpose"));
  // Nothing that changes files: what they are for needs none of it.
  const std::vector<std::string> k_writers = {"Edit", "MultiEdit", "Write", "NotebookEdit"};
  agents.push_back(built_in("Explore",
                            "Explores a codebase and changes nothing: finds files by patterns, "
                            "searches code for keywords, answers how something works. Say how "
                            "thorough it should be: quick, medium or very thorough.",
                            "agent_explore"));
  agents.back().disallowed_tools = k_writers;
  agents.push_back(built_in("Plan",
                            "Designs the implementation of a task and changes nothing: returns "
                            "steps in order, the files that matter, and what was weighed up.",
                            "agent_plan"));
  agents.back().disallowed_tools = k_writers;
  return agents;
}

const core::AgentDefinition* AgentSet::find(std::string_view name) const {
  const auto found =
      std::find_if(agents.begin(), agents.end(),
                   [name](const core::AgentDefinition& agent) { return agent.name == name; });
  return found == agents.end() ? nullptr : &*found;
}

std::vector<std::string> AgentSet::names() const {
  std::vector<std::string> names;
  for (const core::AgentDefinition& agent : agents) names.push_back(agent.name);
  return names;
}

AgentCatalog::AgentCatalog(const config::AgentSpec& spec, std::filesystem::path cwd,
                           const permissions::RuleSet& rules, const platform::FileSystem& files)
    : spec_(spec), cwd_(std::move(cwd)), files_(files) {
  for (const permissions::Rule& rule : rules.deny) {
    if (rule.tool == core::k_agent_tool && !rule.spec.empty()) denied_.push_back(rule.spec);
  }
}

AgentSet AgentCatalog::collect() const {
  AgentSet set;
  set.agents = built_in_agents();
  const auto add_files = [&](config::AgentFiles found) {
    add(std::move(found.agents), set.agents);
    std::move(found.problems.begin(), found.problems.end(), std::back_inserter(set.problems));
  };
  add_files(config::read_agent_folder(spec_.user_folder, core::AgentSource::user_file, {}, files_));
  add_files(config::read_agent_folder(spec_.project_folder, core::AgentSource::project_file, cwd_,
                                      files_));
  add(spec_.given, set.agents);
  add(of_host_, set.agents);
  std::erase_if(set.agents, [this](const core::AgentDefinition& agent) {
    return std::find(denied_.begin(), denied_.end(), agent.name) != denied_.end();
  });
  return set;
}

std::shared_ptr<const AgentSet> AgentCatalog::agents() const {
  const std::lock_guard lock(mutex_);
  if (known_ == nullptr) known_ = std::make_shared<const AgentSet>(collect());
  return known_;
}

std::vector<core::AgentSummary> AgentCatalog::summaries() const {
  std::vector<core::AgentSummary> all;
  for (const core::AgentDefinition& agent : agents()->agents) {
    all.push_back({.name = agent.name, .description = agent.description, .model = agent.model});
  }
  return all;
}

void AgentCatalog::set_host_agents(std::vector<core::AgentDefinition> agents) {
  const std::lock_guard lock(mutex_);
  of_host_ = std::move(agents);
  known_ = nullptr;
}

}  // namespace yume::session
