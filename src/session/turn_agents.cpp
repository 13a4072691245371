// SPDX-License-Identifier: MIT
// What a session's turns have to do with subagents: which there are, whose part the session plays,
// what they have used and reported.
#include "core/tool_names.h"
#include "session/subagents/agent_tool.h"
#include "session/turn_runner.h"

#include <algorithm>
#include <utility>

namespace yume::session {

ParentSession TurnRunner::as_parent() {
  return {.spec = spec_,
          .services = services_,
          .host = host_,
          .session_id = opened_.id,
          .session_file = opened_.file,
          .head = opened_.journal->head(),
          .long_outputs = long_outputs_,
          .policy = policy_,
          .tools = tools_,
          .shell = work_.shell(),
          .host_files = host_files_.get(),
          .remote_tools = [this] { return offered_tools(); },
          .host_hooks = [this] { return host_hooks_; }};
}

// The tool's description lists them.
void TurnRunner::offer_agents() {
  const std::lock_guard lock(tools_mutex_);
  tools_.remove(core::k_agent_tool);
  const auto& only = spec_.tools.only;
  bool unwanted = only && std::find(only->begin(), only->end(), core::k_agent_tool) == only->end();
  const core::AgentDefinition* role =
      spec_.agents.main ? catalog_.agents()->find(*spec_.agents.main) : nullptr;
  if (role != nullptr) unwanted |= !role->has_tool(core::k_agent_tool);
  if (unwanted || spec_.permissions.rules.denies_tool(core::k_agent_tool)) return;
  const auto agents = catalog_.agents();
  if (!agents->agents.empty()) tools_.add_first(make_agent_tool(agents, subagents_));
  for (const std::string& problem : agents->problems) add_notice(problem);
}

void TurnRunner::play_role() {
  if (!spec_.agents.main) return;
  const auto agents = catalog_.agents();
  const core::AgentDefinition* role = agents->find(*spec_.agents.main);
  if (role == nullptr) return;
  const std::lock_guard lock(tools_mutex_);
  spec_.prompt.agent = role->prompt;
  for (const std::string& name : tools_.names()) {
    if (!role->has_tool(name)) tools_.remove(name);
  }
  if (role->mode && permissions::permits_less(*role->mode, policy_.mode())) {
    policy_.set_mode(*role->mode);
  }
  if (!role->model.empty() && spec_.agents.main_has_own_model && spec_.agents.model_named) {
    spec_.model = spec_.agents.model_named(role->model);
  }
}

// To go on without the role could mean to go on without its limits.
std::optional<core::TurnDone> TurnRunner::missing_role() const {
  if (!spec_.agents.main || catalog_.agents()->find(*spec_.agents.main) != nullptr) {
    return std::nullopt;
  }
  core::TurnDone done;
  done.outcome = core::TurnOutcome::rejected;
  done.num_turns = 0;
  done.duration = std::chrono::milliseconds(1);
  done.text = "Error: there is no agent '" + *spec_.agents.main + "' (--agent). There are:";
  for (const std::string& name : catalog_.agents()->names()) done.text += " " + name;
  return done;
}

core::UsageByModel TurnRunner::usage() const {
  core::UsageByModel all = strategy_->usage();
  core::add_usage(subagents_.usage(), all);
  core::add_usage(earlier_usage_, all);
  return all;
}

core::UserMessage TurnRunner::take_agent_news() {
  std::string text;
  for (const std::string& report : subagents_.take_end_reports()) {
    text.append(text.empty() ? "" : "\n\n").append(report);
  }
  return core::UserMessage(std::move(text));
}

bool TurnRunner::stop_task(std::string_view id) {
  return subagents_.stop(id) || work_.shell().background().stop(id);
}

std::vector<hooks::HookTask> TurnRunner::background_tasks() {
  using Kind = hooks::HookTask::Kind;
  std::vector<hooks::HookTask> tasks;
  for (const core::RunningCommand& one : work_.shell().background().running()) {
    tasks.push_back({.kind = Kind::command, .id = one.id, .description = one.title});
  }
  for (RunningAgent& one : subagents_.running_in_background()) {
    tasks.push_back({.kind = Kind::subagent,
                     .id = std::move(one.id),
                     .description = std::move(one.description)});
  }
  return tasks;
}

}  // namespace yume::session
