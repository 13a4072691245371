// SPDX-License-Identifier: MIT
#include "session/commands/slash_commands.h"

#include "util/grouped_count.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>

namespace yume::session {
namespace {

constexpr std::string_view k_white = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(k_white), text.size()));
  return text.substr(0, text.find_last_not_of(k_white) + 1);
}

std::string usage_text(const std::string& model, const core::ModelUsage& used) {
  const core::Usage& usage = used.usage;
  std::string text = "\n  " + model + ": " + grouped(usage.prompt_tokens) + " input tokens (" +
                     grouped(usage.cached_tokens) + " from the cache), " +
                     grouped(usage.billed_output()) + " output tokens (" +
                     grouped(usage.thought_tokens) + " for thinking)";
  if (usage.web_searches > 0) text += ", " + grouped(usage.web_searches) + " web searches";
  if (usage.estimated) text += ", partly estimated";
  return text + fmt::format(", ${:.4f}", used.cost_usd);
}

std::string cost_text(const SessionFacts& facts) {
  if (facts.by_model.empty()) return "This process has not asked a model yet: $0.0000.";
  double cost = 0;
  std::string models;
  for (const auto& [model, used] : facts.by_model) {
    cost += used.cost_usd;
    models += usage_text(model, used);
  }
  std::string text = fmt::format("Cost of this process so far: ${:.4f}", cost) + models;
  if (!facts.price_known) {
    text += "\nThe price of " + facts.model +
            " is not known, so it counts as nothing; `models` in settings.json can name it.";
  }
  return text;
}

std::string context_text(const SessionFacts& facts) {
  if (facts.window <= 0) {
    return "The next request takes about " + grouped(facts.context_tokens) + " tokens. How many " +
           facts.model + " takes is not known.";
  }
  const double share =
      static_cast<double>(facts.context_tokens) / static_cast<double>(facts.window);
  const auto limit =
      static_cast<std::int64_t>(static_cast<double>(facts.window) * facts.compaction_share);
  return fmt::format(
      "The next request takes about {} of the {} tokens of {} ({:.1f}%). The conversation is "
      "summed "
      "up at {} tokens ({:.0f}%); /compact does it now.",
      grouped(facts.context_tokens), grouped(facts.window), facts.model, share * 100,
      grouped(limit), facts.compaction_share * 100);
}

std::string model_text(const SessionFacts& facts) {
  return "The model is " + facts.model +
         ". `/model NAME` changes it for this session; `yume-cli models` lists the models.";
}

std::string permissions_text(const SessionFacts& facts) {
  std::string text = "The permission mode is " + facts.mode + ".";
  if (facts.rules.empty()) return text + " There are no rules.";
  text += " Rules, and where they come from:";
  for (const std::string& rule : facts.rules) text += "\n  " + rule;
  return text;
}

std::string servers_text(const SessionFacts& facts) {
  if (facts.servers.empty()) return "No MCP servers are configured.";
  std::string text = "MCP servers:";
  for (const std::string& server : facts.servers) text += "\n  " + server;
  return text;
}

std::string help_text(const SessionFacts& facts) {
  using Source = core::SlashCommandInfo::Source;
  std::size_t width = 0;
  const auto usage = [](const core::SlashCommandInfo& command) {
    return "/" + command.name + (command.argument_hint.empty() ? "" : " " + command.argument_hint);
  };
  for (const auto& command : facts.commands) width = std::max(width, usage(command).size());
  width = std::min<std::size_t>(width, 40);
  std::string text = "Commands that a prompt can begin with:";
  for (const auto& command : facts.commands) {
    const std::string name = usage(command);
    text += "\n  " + name + std::string(width > name.size() ? width - name.size() : 0, ' ') + "  " +
            command.description;
    if (command.source == Source::user) text += command.is_skill ? " (your skill)" : " (yours)";
    if (command.source == Source::server) text += " (of an MCP server)";
    if (command.source == Source::project) {
      text += command.is_skill ? " (the project's skill)" : " (the project's)";
    }
  }
  return text + "\nAll other texts go to the model. `yume-cli --help` lists the options.";
}

}  // namespace

const std::vector<core::SlashCommandInfo>& builtin_commands() {
  static const std::vector<core::SlashCommandInfo> commands = {
      {.name = "clear", .description = "Begin a new conversation"},
      {.name = "compact",
       .description = "Sum up the conversation to make room",
       .argument_hint = "[focus]"},
      {.name = "context", .description = "How much of the model's window the conversation takes"},
      {.name = "cost", .description = "What this process has used so far, and what it cost"},
      {.name = "help", .description = "This list"},
      {.name = "mcp", .description = "The MCP servers and their state"},
      {.name = "model",
       .description = "Which model is used, or use another one",
       .argument_hint = "[model]"},
      {.name = "permissions", .description = "The permission mode and the rules"},
      {.name = "usage", .description = "The same as /cost"},
  };
  return commands;
}

std::optional<SlashLine> read_slash_line(const core::UserMessage& message) {
  if (message.blocks.size() != 1) return std::nullopt;
  const auto* text = std::get_if<std::string>(&message.blocks.front());
  if (text == nullptr) return std::nullopt;
  std::string_view line = trimmed(*text);
  if (!line.starts_with('/')) return std::nullopt;
  line.remove_prefix(1);
  const std::string_view name = line.substr(0, line.find_first_of(k_white));
  return SlashLine{.name = std::string(name),
                   .arguments = std::string(trimmed(line.substr(name.size())))};
}

std::optional<LocalCommand> local_command(const core::UserMessage& message) {
  constexpr std::array<std::pair<std::string_view, LocalCommand>, 8> k_commands = {
      {{"clear", LocalCommand::clear},
       {"context", LocalCommand::context},
       {"cost", LocalCommand::cost},
       {"help", LocalCommand::help},
       {"mcp", LocalCommand::mcp},
       {"model", LocalCommand::model},
       {"permissions", LocalCommand::permissions},
       {"usage", LocalCommand::cost}}};  // Claude's other name for it
  const auto line = read_slash_line(message);
  if (!line) return std::nullopt;
  for (const auto& [name, command] : k_commands) {
    if (name == line->name) return command;
  }
  return std::nullopt;
}

std::string answer_of(LocalCommand command, const SessionFacts& facts) {
  switch (command) {
    case LocalCommand::clear:
      return "";  // what it does is seen
    case LocalCommand::context:
      return context_text(facts);
    case LocalCommand::cost:
      return cost_text(facts);
    case LocalCommand::help:
      return help_text(facts);
    case LocalCommand::mcp:
      return servers_text(facts);
    case LocalCommand::permissions:
      return permissions_text(facts);
    case LocalCommand::model:
      break;
  }
  return model_text(facts);
}

}  // namespace yume::session
