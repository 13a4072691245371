// SPDX-License-Identifier: MIT
#include "app/sessions/sessions_arguments.h"

#include <utility>

namespace yume::app {
namespace {

constexpr std::string_view k_usage =
    "Usage: yume-cli sessions list [--all] [--from gemini-cli] [--json] [--cwd <dir>]\n"
    "       yume-cli sessions show <id> [--json] [--no-pager]\n"
    "       yume-cli sessions export <id> --format md|html|jsonl [--output <file>] [--force]\n"
    "       yume-cli sessions export --all --format md|html|jsonl --output <folder> [--force]\n"
    "       yume-cli sessions delete <id> [--yes] [--json]\n"
    "       yume-cli sessions convert [<file> | --session <id>] --to unified|claude|gemini\n"
    "                                 [--from auto|gemini-cli|claude|yume] [--cwd <dir>] "
    "[--jsonl]\n"
    "       yume-cli sessions import [<file> | --session <id>] [--from ...] [--cwd <dir>] "
    "[--json]\n"
    "       yume-cli sessions stats [--all] [--cwd <dir>] [--json | --html] [--output <file>]\n"
    "\n"
    "The conversations of this program, of Claude Code and of Gemini CLI on this machine.\n\n"
    "  list     those of this directory, the last one first; --all: of every directory;\n"
    "           --from gemini-cli: those of Gemini CLI\n"
    "  show     who said what, tool calls in one line each, changes as diffs; on a terminal\n"
    "           a screen at a time, by $PAGER or less\n"
    "  export   the whole conversation as Markdown, as one web page, or the file as it is;\n"
    "           --all: every one of them, with a page that leads to each\n"
    "  delete   the conversation and all that belongs to it; asks first, unless --yes is given\n"
    "  convert  a session of another program, or of this one, in another form, on stdout\n"
    "  import   keep a session of Gemini CLI here, so that --resume goes on with it\n"
    "  stats    tokens and cost by day, model and project\n\n"
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
                    {.name = "from",
                     .kind = ValueKind::one,
                     .value_name = "program",
                     .help = "gemini-cli: those that Gemini CLI has kept of the directory",
                     .choices = "gemini-cli"},
                    k_json,
                    {.name = "cwd",
                     .kind = ValueKind::one,
                     .value_name = "dir",
                     .help = "Those of that directory"}}};
}

CommandSpec show_command() {
  return {.name = "sessions show",
          .help_at = "sessions",
          .summary =
              "Who said what. On a terminal a screen at a time, by $PAGER (a program and its\n"
              "arguments, without a shell) or less. The id may be shortened to a beginning that\n"
              "no other session has.\n",
          .operand = "<id>",
          .flags = {k_json, {.name = "no-pager", .help = "All of it at once"}}};
}

CommandSpec export_command() {
  return {.name = "sessions export",
          .help_at = "sessions",
          .summary = k_short_id,
          .operand = "<id>",
          .flags = {{.name = "all", .help = "Every session, into the folder of --output"},
                    {.name = "format",
                     .kind = ValueKind::one,
                     .value_name = "format",
                     .help = "md, html (one web page) or jsonl (the file as it is)",
                     .choices = "md html jsonl"},
                    {.name = "output",
                     .short_name = 'o',
                     .kind = ValueKind::one,
                     .value_name = "file",
                     .help = "Write it there, not to stdout"},
                    {.name = "force", .short_name = 'f', .help = "Replace a file that is there"},
                    k_json}};
}

CommandSpec stats_command() {
  return {
      .name = "sessions stats",
      .help_at = "sessions",
      .summary = "Tokens and cost of this directory's sessions, by day and model.\n",
      .flags = {
          {.name = "all", .help = "Of every directory, and by project"},
          {.name = "cwd", .kind = ValueKind::one, .value_name = "dir", .help = "Of that directory"},
          k_json,
          {.name = "html", .help = "As a web page with a chart"},
          {.name = "output",
           .short_name = 'o',
           .kind = ValueKind::one,
           .value_name = "file",
           .help = "Write it there, not to stdout"},
          {.name = "force", .short_name = 'f', .help = "Replace a file that is there"}}};
}

CommandSpec delete_command() {
  return {.name = "sessions delete",
          .help_at = "sessions",
          .summary = k_short_id,
          .operand = "<id>",
          .flags = {{.name = "yes", .short_name = 'y', .help = "Do not ask"}, k_json}};
}

// What `convert` and `import` share: which session.
std::vector<FlagSpec> which_session() {
  return {{.name = "session",
           .kind = ValueKind::one,
           .value_name = "id",
           .help = "That session of the project, not its newest"},
          {.name = "cwd",
           .kind = ValueKind::one,
           .value_name = "dir",
           .help = "The project's folder (default: this one)"},
          {.name = "from",
           .kind = ValueKind::one,
           .value_name = "program",
           .help = "auto (default), gemini-cli, claude or yume",
           .choices = "auto gemini-cli claude yume"}};
}

CommandSpec convert_command() {
  std::vector<FlagSpec> flags = which_session();
  flags.push_back({.name = "to",
                   .kind = ValueKind::one,
                   .value_name = "form",
                   .help = "unified (agent-cli-sdk's messages), claude or gemini",
                   .choices = "unified claude gemini"});
  flags.push_back({.name = "jsonl", .help = "One line for each message, not one value for all"});
  return {.name = "sessions convert",
          .help_at = "sessions",
          .summary =
              "A session of Gemini CLI, Claude Code or this program in another form, on\n"
              "stdout: the file, or a session of the project. docs/convert.md has the forms.\n",
          .operand = "[file]",
          .flags = std::move(flags)};
}

CommandSpec import_command() {
  std::vector<FlagSpec> flags = which_session();
  flags.push_back(k_json);
  return {.name = "sessions import",
          .help_at = "sessions",
          .summary =
              "Keeps a conversation that was had in another program as a session of this one,\n"
              "with its ids, times and thoughts; `yume-cli --resume <id>` goes on with it.\n",
          .operand = "[file]",
          .flags = std::move(flags)};
}

Result<ExportFormat> format_of(const CommandSpec& command, const std::string& name) {
  if (name == "md" || name == "markdown") return ExportFormat::markdown;
  if (name == "html") return ExportFormat::html;
  if (name == "jsonl") return ExportFormat::jsonl;
  return wrong_usage(command, "--format is '" + name + "'; it can be md, html or jsonl");
}

Result<std::optional<transcript::SessionSource>> source_of(const CommandSpec& command,
                                                           const std::string& name) {
  using transcript::SessionSource;
  if (name == "auto") return std::optional<SessionSource>();
  if (name == "gemini-cli" || name == "gemini") return std::optional(SessionSource::gemini_cli);
  if (name == "claude") return std::optional(SessionSource::claude);
  if (name == "yume") return std::optional(SessionSource::yume);
  return wrong_usage(command,
                     "--from is '" + name + "'; it can be auto, gemini-cli, claude or yume");
}

Result<ConvertTarget> target_of(const CommandSpec& command, const std::string& name) {
  if (name == "unified") return ConvertTarget::unified;
  if (name == "claude") return ConvertTarget::claude;
  if (name == "gemini") return ConvertTarget::gemini;
  return wrong_usage(command, "--to is '" + name + "'; it can be unified, claude or gemini");
}

Result<SessionsArguments> check(const CommandSpec& command, SessionsArguments out) {
  const bool brings = out.verb == SessionsVerb::convert || out.verb == SessionsVerb::import_one;
  if (out.verb == SessionsVerb::convert && !out.to) {
    return wrong_usage(command, "`sessions convert` needs --to unified, claude or gemini");
  }
  if (out.verb == SessionsVerb::list && out.all && out.from) {
    return wrong_usage(command, "--from lists the sessions of one directory; leave out --all");
  }
  if (brings && !out.file.empty() && !out.session.empty()) {
    return wrong_usage(command, "a file and --session name two sessions; give one of them");
  }
  const bool exports_all = out.verb == SessionsVerb::export_one && out.all;
  if (exports_all && !out.id.empty()) {
    return wrong_usage(command, "--all exports every session; leave out '" + out.id + "'");
  }
  if (exports_all && !out.output) {
    return wrong_usage(command, "`sessions export --all` needs a folder: --output <folder>");
  }
  if (out.verb == SessionsVerb::stats && out.json && out.html) {
    return wrong_usage(command, "--json and --html are two forms; give one of them");
  }
  if (!brings && !exports_all && !command.operand.empty() && out.id.empty()) {
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

const CommandGroup& sessions_commands() {
  static const CommandGroup commands = {
      .name = "sessions",
      .commands = {list_command(), show_command(), export_command(), delete_command(),
                   convert_command(), import_command(), stats_command()}};
  return commands;
}

Result<SessionsArguments> parse_sessions_arguments(const std::vector<std::string>& tokens) {
  SessionsArguments out;
  if (!tokens.empty() && asks_for_help(tokens.front())) {
    out.help = k_usage;
    return out;
  }
  YUME_TRY(const CommandSpec* command, choose_command(sessions_commands(), tokens));
  YUME_TRY(const Arguments given, parse_command_line(*command, {tokens.begin() + 1, tokens.end()}));
  if (given.on("help")) {
    out.help = command_help(*command);
    return out;
  }
  out.verb = static_cast<SessionsVerb>(command - sessions_commands().commands.data());
  if (!given.positionals().empty()) out.id = given.positionals().front();
  const bool brings = out.verb == SessionsVerb::convert || out.verb == SessionsVerb::import_one;
  if (brings) out.file = std::exchange(out.id, {});
  out.session = given.value("session").value_or("");
  out.jsonl = given.on("jsonl");
  if (const auto from = given.value("from")) {
    YUME_TRY(out.from, source_of(*command, *from));
  }
  if (const auto to = given.value("to")) {
    YUME_TRY(out.to, target_of(*command, *to));
  }
  out.all = given.on("all");
  out.json = given.on("json");
  out.yes = given.on("yes");
  out.force = given.on("force");
  out.html = given.on("html");
  out.no_pager = given.on("no-pager");
  out.output = given.value("output");
  out.cwd = given.value("cwd");
  if (const auto format = given.value("format")) {
    YUME_TRY(out.format, format_of(*command, *format));
  }
  return check(*command, std::move(out));
}

}  // namespace yume::app
