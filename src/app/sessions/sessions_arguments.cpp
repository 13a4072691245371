// SPDX-License-Identifier: MIT
#include "app/sessions/sessions_arguments.h"

#include "app/commands/command_spec.h"

#include <utility>

namespace yume::app {
namespace {

constexpr std::string_view k_usage =
    "Usage: yume-cli sessions list [--all] [--json] [--cwd <dir>]\n"
    "       yume-cli sessions show <id> [--json]\n"
    "       yume-cli sessions export <id> --format md|html|jsonl [--output <file>]\n"
    "       yume-cli sessions delete <id> [--yes] [--json]\n\n"
    "The conversations of this program and of Claude Code on this machine.\n\n"
    "  list     those of this directory, the last one first; --all: of every directory\n"
    "  show     who said what, tool calls in one line each, changes as diffs\n"
    "  export   the whole conversation as Markdown, as one web page, or the file as it is\n"
    "  delete   the conversation and all that belongs to it; asks first, unless --yes is given\n\n"
    "An id may be shortened to a beginning that no other session has.\n"
    "`yume-cli --resume <id>` goes on with a session.\n";

constexpr FlagSpec k_json = {.name = "json", .help = "The answer in JSON"};
constexpr std::string_view k_short_id =
    "The id may be shortened to a beginning that no other session has.\n";

CommandSpec list_command() {
  return {.name = "sessions list",
          .help_at = "sessions",
          .summary = "The conversations of this directory, the last one first.\n",
          .flags = {{.name = "all", .help = "Those of every directory"},
                    k_json,
                    {.name = "cwd",
                     .kind = ValueKind::one,
                     .value_name = "dir",
                     .help = "Those of that directory"}}};
}

CommandSpec export_command() {
  return {.name = "sessions export",
          .help_at = "sessions",
          .summary = k_short_id,
          .operand = "<id>",
          .flags = {{.name = "format",
                     .kind = ValueKind::one,
                     .value_name = "format",
                     .help = "md, html (one web page) or jsonl (the file as it is)"},
                    {.name = "output",
                     .short_name = 'o',
                     .kind = ValueKind::one,
                     .value_name = "file",
                     .help = "Write it there, not to stdout"},
                    k_json}};
}

CommandSpec delete_command() {
  return {.name = "sessions delete",
          .help_at = "sessions",
          .summary = k_short_id,
          .operand = "<id>",
          .flags = {{.name = "yes", .short_name = 'y', .help = "Do not ask"}, k_json}};
}

// In the order of SessionsVerb.
const CommandGroup& group() {
  static const CommandGroup commands = {.name = "sessions",
                                        .commands = {list_command(),
                                                     {.name = "sessions show",
                                                      .help_at = "sessions",
                                                      .summary = k_short_id,
                                                      .operand = "<id>",
                                                      .flags = {k_json}},
                                                     export_command(),
                                                     delete_command()}};
  return commands;
}

Result<ExportFormat> format_of(const CommandSpec& command, const std::string& name) {
  if (name == "md" || name == "markdown") return ExportFormat::markdown;
  if (name == "html") return ExportFormat::html;
  if (name == "jsonl") return ExportFormat::jsonl;
  return wrong_usage(command, "--format is '" + name + "'; it can be md, html or jsonl");
}

Result<SessionsArguments> check(const CommandSpec& command, SessionsArguments out) {
  if (!command.operand.empty() && out.id.empty()) {
    return wrong_usage(command, "`" + std::string(command.name) + "` needs a session's id");
  }
  if (out.verb == SessionsVerb::export_one && !out.format) {
    return wrong_usage(command, "`sessions export` needs --format md, html or jsonl");
  }
  if (out.verb == SessionsVerb::export_one && out.json && !out.output) {
    return wrong_usage(command,
                       "`sessions export --json` says where the file is, so it needs --output");
  }
  return out;
}

}  // namespace

Result<SessionsArguments> parse_sessions_arguments(const std::vector<std::string>& tokens) {
  SessionsArguments out;
  if (!tokens.empty() && asks_for_help(tokens.front())) {
    out.help = k_usage;
    return out;
  }
  YUME_TRY(const CommandSpec* command, choose_command(group(), tokens));
  YUME_TRY(const Arguments given, parse_command_line(*command, {tokens.begin() + 1, tokens.end()}));
  if (given.on("help")) {
    out.help = command_help(*command);
    return out;
  }
  out.verb = static_cast<SessionsVerb>(command - group().commands.data());
  if (!given.positionals().empty()) out.id = given.positionals().front();
  out.all = given.on("all");
  out.json = given.on("json");
  out.yes = given.on("yes");
  out.output = given.value("output");
  out.cwd = given.value("cwd");
  if (const auto format = given.value("format")) {
    YUME_TRY(out.format, format_of(*command, *format));
  }
  return check(*command, std::move(out));
}

}  // namespace yume::app
