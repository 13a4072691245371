// SPDX-License-Identifier: MIT
#include "session/prompt/prompt_preparer.h"

#include "session/prompt/mentioned_files.h"
#include "util/overloaded.h"
#include "util/path_text.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace yume::session {
namespace {

constexpr std::string_view k_server_prompt = "mcp__";

// As Claude writes it down: readers of sessions know a command by this.
std::string command_mark(const std::string& name, const std::string& arguments) {
  std::string mark = "<command-message>" + name +
                     " is running…</command-message>\n<command-name>/" + name + "</command-name>";
  if (!arguments.empty()) mark += "\n<command-args>" + arguments + "</command-args>";
  return mark;
}

// A project's file grants no more than it did when its folder was found to be trusted.
std::vector<std::string> rules_of(const config::FoundCommand& command,
                                  const config::CommandFile& file) {
  if (command.source != core::SlashCommandInfo::Source::project) return file.allowed_tools;
  std::vector<std::string> rules;
  for (const std::string& rule : file.allowed_tools) {
    const auto& granted = command.granted;
    if (std::find(granted.begin(), granted.end(), rule) != granted.end()) rules.push_back(rule);
  }
  return rules;
}

std::string untrusted_text(const std::string& name) {
  return "/" + name +
         " is a command of this folder, which is not trusted: the text went to the model as it is. "
         "`yume-cli trust` shows what the folder grants and asks; --trust-workspace trusts it for "
         "one run.";
}

}  // namespace

PromptPreparer::PromptPreparer(const CommandShelf& shelf, mcp::Servers& servers,
                               permissions::ModePolicy& policy, const PromptCallDeps& calls)
    : shelf_(shelf), servers_(servers), policy_(policy), calls_(calls) {}

// Which prompts servers have is known only when they have started.
bool PromptPreparer::changes(const core::UserMessage& message) const {
  const auto line = read_slash_line(message);
  const bool of_server = line && shelf_.enabled() && line->name.starts_with(k_server_prompt);
  return (line && shelf_.find(line->name) != nullptr) || (of_server && servers_.any()) ||
         mentions_files(message);
}

// What the server wrote mentions no files: it is not the user who speaks.
bool PromptPreparer::use_server_prompt(const SlashLine& line, PreparedPrompt& prompt,
                                       const CancelToken& cancel) {
  if (!shelf_.enabled() || !line.name.starts_with(k_server_prompt)) return false;
  auto expanded =
      servers_.expand_prompt(line.name, config::split_arguments(line.arguments), cancel);
  if (expanded.ok()) {
    prompt.message = core::UserMessage(command_mark(line.name, line.arguments));
    for (core::UserBlock& block : expanded->blocks) {
      prompt.message.blocks.push_back(std::move(block));
    }
    return true;
  }
  if (expanded.error().code == ErrorCode::not_found) return false;
  prompt.failure = "The prompt /" + line.name +
                   " of an MCP server cannot be used: " + expanded.error().message + ".";
  return true;
}

PreparedPrompt PromptPreparer::prepare(const core::UserMessage& message,
                                       const tools::ToolContext& context, core::EventSink& sink) {
  PreparedPrompt prompt{.message = message};
  if (const auto line = read_slash_line(message)) {
    if (const config::FoundCommand* command = shelf_.find(line->name)) {
      use_command(*command, line->arguments, prompt, context, sink);
    } else if (shelf_.is_untrusted(line->name)) {
      sink.post(core::Notice{untrusted_text(line->name)});
    } else if (use_server_prompt(*line, prompt, context.cancel)) {
      return prompt;
    }
  }
  if (prompt.failure) return prompt;
  MentionedFiles files = read_mentioned(prompt.message, calls_, context, sink);
  prompt.news = std::move(files.texts);
  for (core::Media& one : files.media) prompt.message.blocks.emplace_back(std::move(one));
  return prompt;
}

void PromptPreparer::use_command(const config::FoundCommand& command, const std::string& arguments,
                                 PreparedPrompt& prompt, const tools::ToolContext& context,
                                 core::EventSink& sink) {
  const auto file = shelf_.read(command);
  if (!file) {
    prompt.failure = "The command /" + command.name + " cannot be used: " + to_utf8(command.file) +
                     " cannot be read any more, or belongs to somebody else.";
    return;
  }
  if (!file->for_user) return;
  std::vector<std::string> problems;
  prompt.rules = TurnRules(policy_, rules_of(command, *file), problems);
  for (const std::string& problem : problems) {
    sink.post(core::Notice{to_utf8(command.file) + ": allowed-tools: " + problem +
                           "; it allows nothing."});
  }
  prompt.model = file->model;
  std::string text = command.is_skill ? skill_preface(command) : "";
  for (const config::PromptPiece& piece : config::fill_command(file->body, arguments)) {
    std::visit(Overloaded{[&](const std::string& plain) { text += plain; },
                          [&](const config::ShellPiece& shell) {
                            if (prompt.failure) return;
                            text += run_shell(shell.command, prompt, context, sink);
                          }},
               piece);
  }
  prompt.message = core::UserMessage(command_mark(command.name, arguments));
  prompt.message.blocks.emplace_back(std::move(text));
}

// What the command prints, also when it fails: the text was written to show it.
std::string PromptPreparer::run_shell(const std::string& command, PreparedPrompt& prompt,
                                      const tools::ToolContext& context, core::EventSink& sink) {
  const auto fail = [&](const std::string& why) {
    prompt.failure =
        "Bash command permission check failed for pattern \"!`" + command + "`\": " + why;
    return std::string();
  };
  if (!calls_.offers("Bash")) return fail("the Bash tool is not offered in this session.");
  RawJson input;
  JsonWriter(input.text).begin_object().field("command", command).end_object();
  auto result = calls_.run("Bash", std::move(input), context, sink);
  if (const auto* refused = std::get_if<CallRefused>(&result)) return fail(refused->why);
  return std::move(std::get<core::ToolOutcome>(result).content);
}

}  // namespace yume::session
