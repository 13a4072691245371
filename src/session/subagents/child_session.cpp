// SPDX-License-Identifier: MIT
#include "session/subagents/child_session.h"

#include "session/recorder.h"
#include "transcript/session_paths.h"
#include "transcript/tool_response.h"

#include <algorithm>
#include <utility>

namespace yume::session {
namespace {

namespace fs = std::filesystem;

// No task takes so many; one that does goes round in circles.
constexpr int k_most_requests = 200;

config::SessionSpec child_spec(const AgentOrder& order, const std::string& agent_id,
                               const ParentSession& parent) {
  const core::AgentDefinition& agent = order.definition;
  config::SessionSpec spec = parent.spec;
  spec.prompt = {.os_name = parent.spec.prompt.os_name,
                 .agent = agent.prompt,
                 .with_instructions = parent.spec.prompt.with_instructions &&
                                      !parent.spec.prompt.replacement &&
                                      !agent.without_instructions};
  const std::string& model = order.model.empty() ? agent.model : order.model;
  if (!model.empty() && spec.agents.model_named) spec.model = spec.agents.model_named(model);
  spec.limits.max_turns = agent.max_turns > 0 ? agent.max_turns : k_most_requests;
  spec.shell.make_wall = [&parent] {
    // The parent's: it is made once, and the user is told of it once.
    core::SessionPort port(parent.host, {.session_id = parent.session_id});
    const tools::CommandWall* wall = parent.shell.wall_for({}, parent.spec.cwd, &port);
    tools::WallOutcome outcome;
    if (wall != nullptr) outcome.wall = *wall;
    return outcome;
  };
  if (!parent.spec.shell.make_wall) spec.shell.make_wall = {};
  spec.yume_view.reset();
  spec.notices.clear();
  spec.call_id_prefix = agent_id + "_";
  return spec;
}

using RemoteTools = std::vector<std::unique_ptr<tools::Tool>>;

transcript::LineHead child_head(const ParentSession& parent, const std::string& agent_id) {
  transcript::LineHead head = parent.head;
  head.agent_id = agent_id;
  return head;
}

}  // namespace

tools::Registry child_tools(const core::AgentDefinition& agent, const tools::Registry& parents,
                            std::vector<std::unique_ptr<tools::Tool>> remote) {
  const std::vector<std::string> of_parent = parents.names();
  // Without those that ask the person, and without subagents of its own.
  tools::Registry registry = tools::make_builtin_tools();
  for (const std::string& name : registry.names()) {
    const bool has = std::find(of_parent.begin(), of_parent.end(), name) != of_parent.end();
    if (!has || !agent.has_tool(name)) registry.remove(name);
  }
  for (auto& tool : remote) {
    if (agent.has_tool(tool->spec().name)) registry.add_remote(std::move(tool));
  }
  return registry;
}

ChildSession::ChildSession(const AgentOrder& order, std::string agent_id, std::string call_id,
                           const ParentSession& parent)
    : parent_(parent),
      prompt_(order.prompt),
      spec_(child_spec(order, agent_id, parent)),
      parents_port_(parent.host, {.session_id = parent.session_id}),
      port_(parent.host, {.session_id = parent.session_id, .parent_call_id = call_id}),
      sink_({.agent_id = agent_id,
             .call_id = call_id,
             .type = order.definition.name,
             .description = order.description,
             .forwards_text = parent.spec.agents.forward_text},
            port_, parents_port_, parent.services.clock),
      transcript_(parent.session_file.empty()
                      ? fs::path()
                      : transcript::subagent_file(parent.session_file, agent_id)),
      journal_(transcript::subagent_journal(transcript_, child_head(parent, agent_id),
                                            parent.services.clock)),
      policy_(parent.policy, order.definition.mode),
      tools_(child_tools(order.definition, parent.tools,
                         parent.remote_tools ? parent.remote_tools() : RemoteTools())),
      transport_(parent.services.make_transport()),
      web_(parent.services.make_transport, parent.services.clock),
      work_(spec_.shell),
      hooks_(spec_.hooks.settings,
             {.session_id = parent.session_id,
              .transcript = parent.session_file,
              .cwd = spec_.cwd,
              .mode = [&parent] { return parent.policy.mode(); },
              .tool_response = transcript::tool_response,
              .agent =
                  hooks::HookAgent{
                      .id = agent_id, .type = order.definition.name, .transcript = transcript_}},
             {.processes = parent.services.processes,
              .host = port_,
              .redactor = parent.services.redactor,
              .cwd = spec_.cwd,
              .environment = spec_.child_environment,
              .line_shell = spec_.shell.line_shell,
              .reports_events = spec_.hooks.reports_events,
              .put_behind_wall = [this](platform::ProcessSpec& program) {
                const tools::CommandWall* wall = work_.shell().wall_for({}, spec_.cwd, nullptr);
                if (wall != nullptr) tools::put_behind(*wall, program);
              }}) {
  const bool uses_servers = std::ranges::any_of(
      tools_.names(), [](const std::string& name) { return name.starts_with("mcp__"); });
  if (uses_servers) spec_.prompt.servers = parent.spec.prompt.servers;
  if (port_.can_be_asked()) hooks_.register_host_hooks(parent.host_hooks());
  Services& services = parent.services;
  strategy_ = services.make_strategy(
      core::Conversation(),
      {.spec = spec_,
       .files = services.files,
       .clock = services.clock,
       .transport = *transport_,
       .credentials = services.credentials,
       .tools = tools_,
       .policy = policy_,
       .hooks = hooks_,
       .host = spec_.tools.host_answers ? &port_ : nullptr,
       .redactor = services.redactor,
       .log = services.log,
       .tool_context = [this](const CancelToken& cancel) { return tool_context(cancel); },
       .carry_over = [this] { return work_.carry_over(); }});
}

ChildSession::~ChildSession() = default;

tools::ToolContext ChildSession::tool_context(const CancelToken& cancel) {
  const Services& services = parent_.services;
  std::function<bool(const fs::path&)> hides;
  if (policy_.hides_files()) hides = [this](const fs::path& path) { return policy_.hides(path); };
  return {.cwd = spec_.cwd,
          .home = spec_.home,
          .child_environment = spec_.child_environment,
          .files = parent_.host_files != nullptr ? *parent_.host_files : services.files,
          .processes = services.processes,
          .clock = services.clock,
          .memory = work_.files(),
          .cancel = cancel,
          .hides = std::move(hides),
          .shell = work_.shell(),
          .output_directory = parent_.long_outputs,
          .redactor = &services.redactor,
          .todos = &work_.todos(),
          .events = &sink_,
          .shows_output = spec_.tools.shows_output,
          .web = &web_,
          .names_host = [this](std::string_view host) { return policy_.names_host(host); }};
}

ChildEnd ChildSession::run(const CancelToken& cancel) {
  ChildEnd end;
  const core::UserMessage message(prompt_);
  std::vector<std::string> news;
  if (std::string text = hooks_.agent_started(sink_, cancel); !text.empty()) {
    news.push_back(std::move(text));
  }
  journal_->prompt(message);
  Recorder recorder(
      *journal_, sink_, [this] { return work_.take_changes(); }, spec_.cwd);
  end.done = strategy_->run({.message = message, .news = std::move(news)}, recorder, cancel);
  recorder.end_turn(end.done);
  end.done.by_model = strategy_->usage();
  end.work = sink_.work();
  journal_->sync();
  return end;
}

}  // namespace yume::session
