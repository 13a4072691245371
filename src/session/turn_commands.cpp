// SPDX-License-Identifier: MIT
// The turns that a session answers itself: slash commands of our own.
#include "session/turn_runner.h"

#include <algorithm>
#include <utility>

namespace yume::session {
namespace {

std::vector<std::string> rule_lines(const permissions::RuleSet& rules) {
  using permissions::RuleEffect;
  std::vector<std::string> lines;
  for (const RuleEffect effect : {RuleEffect::deny, RuleEffect::ask, RuleEffect::allow}) {
    for (const permissions::Rule& rule : rules.of(effect)) {
      lines.push_back(std::string(to_string(effect)) + ": " + rule.text() + " (" +
                      rule.origin.name + ")");
    }
  }
  return lines;
}

}  // namespace

std::string TurnRunner::change_model(const std::string& name) {
  const auto model = model_named(name == "default" ? "" : name);
  if (!model.ok()) return model.error().message;
  use_model(*model);
  return "Set model to " + model->info.id;
}

std::optional<LocalCommand> TurnRunner::command_in(const core::UserMessage& message) const {
  return shelf_.enabled() ? local_command(message) : std::nullopt;
}

std::optional<std::string> TurnRunner::compact_command(const core::UserMessage& message) const {
  auto line = read_slash_line(message);
  if (!shelf_.enabled() || !line || line->name != "compact") return std::nullopt;
  return std::move(line->arguments);
}

std::vector<core::SlashCommandInfo> TurnRunner::commands() const {
  std::vector<core::SlashCommandInfo> all = shelf_.all();
  if (!shelf_.enabled()) return all;
  for (mcp::PromptCommand& prompt : servers_.prompts()) {
    core::SlashCommandInfo& command = all.emplace_back();
    command.name = std::move(prompt.name);
    command.description = std::move(prompt.description);
    command.source = core::SlashCommandInfo::Source::server;
    for (const mcp::PromptArgument& argument : prompt.arguments) {
      command.argument_hint +=
          (command.argument_hint.empty() ? "" : " ") +
          (argument.required ? "<" + argument.name + ">" : "[" + argument.name + "]");
    }
  }
  return all;
}

SessionFacts TurnRunner::facts() const {
  return {.model = spec_.model.info.id,
          .price_known = !spec_.model.info.prices.empty(),
          .by_model = usage(),
          .compaction_share = strategy_->compaction_share(),
          .mode = std::string(core::to_string(policy_.mode()))};
}

// The model is not asked, and the conversation stays as it is.
core::TurnDone TurnRunner::answer_locally(LocalCommand command, const std::string& arguments,
                                          Recorder& recorder, const CancelToken& cancel) {
  const platform::SteadyTime start = services_.clock.steady_now();
  SessionFacts now = facts();
  if (command == LocalCommand::context) {
    const strategies::ContextUse use = strategy_->measure_context(recorder, cancel);
    now.context_tokens = use.tokens;
    now.window = use.window;
  }
  if (command == LocalCommand::help) now.commands = commands();
  if (command == LocalCommand::permissions) now.rules = rule_lines(policy_.rules());
  if (command == LocalCommand::mcp) {
    for (const core::McpServerState& server : servers_.states()) {
      now.servers.push_back(server.name + ": " + std::string(core::to_string(server.status)));
    }
  }
  core::TurnDone done;
  done.is_local_command = true;
  done.num_turns = 0;
  done.text = command == LocalCommand::model && !arguments.empty() ? change_model(arguments)
                                                                   : answer_of(command, now);
  if (command == LocalCommand::clear) done.text = std::exchange(clear_problem_, {});
  done.by_model = now.by_model;
  done.last_request = context();
  const auto took =
      std::chrono::duration_cast<std::chrono::milliseconds>(services_.clock.steady_now() - start);
  done.duration = std::max(took, std::chrono::milliseconds(1));  // hosts test for > 0
  return done;
}

}  // namespace yume::session
