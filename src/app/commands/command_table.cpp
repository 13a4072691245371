// SPDX-License-Identifier: MIT
#include "app/commands/command_table.h"

#include <utility>

namespace yume::app {
namespace {

constexpr FlagSpec k_json = {.name = "json", .help = "The same for programs, in one line of JSON"};

std::vector<FlagSpec> json_and(const std::vector<std::string_view>& of_turns) {
  std::vector<FlagSpec> flags = turn_flags(of_turns);
  flags.insert(flags.begin(), k_json);
  return flags;
}

}  // namespace

const CommandSpec& models_command() {
  static const CommandSpec command = {
      .name = "models",
      .help_at = "models",
      .summary =
          "Lists the models with their limits, prices and thinking, and what names stand\n"
          "for. Needs neither credentials nor a network.\n",
      .flags = json_and({"model-map", "settings"})};
  return command;
}

const CommandGroup& auth_commands() {
  static const CommandGroup group = {
      .name = "auth",
      .commands = {{.name = "auth status",
                    .help_at = "auth",
                    .summary =
                        "Says which credential a turn would use, whose it is and until when;\n"
                        "never the credential itself. Exit code 1: there is none.\n",
                    .flags = json_and({"auth", "api-base", "location", "gcloud-path", "token-cache",
                                       "project", "cwd", "add-dir"})}}};
  return group;
}

const CommandGroup& permissions_commands() {
  const std::vector<FlagSpec> flags = turn_flags(
      {"permission-mode", "allowed-tools", "disallowed-tools", "settings", "setting-sources",
       "managed-settings", "trust-workspace", "provider", "cwd", "add-dir"});
  static const CommandGroup group = {
      .name = "permissions",
      .commands = {
          {.name = "permissions explain",
           .help_at = "permissions",
           .summary = "Says whether a call would run, what it does, and which rule decides:\n"
                      "yume-cli permissions explain 'Bash(git log | head)'\n",
           .operand = "<call>",
           .flags = flags},
          {.name = "permissions list",
           .help_at = "permissions",
           .summary = "Lists the mode and the rules that count here, and who wrote them.\n",
           .flags = flags}}};
  return group;
}

const CommandGroup& setup_commands() {
  static const CommandGroup group = {
      .name = "setup",
      .commands = {
          {.name = "setup hosts",
           .help_at = "setup",
           .summary =
               "Shows, for each program on this machine that can use yume-cli, what makes it\n"
               "do so and where that goes. Exit code 1: a file could not be written.\n",
           .flags = {{.name = "write", .help = "Write it where that is safe; the old file is kept"},
                     k_json}}}};
  return group;
}

const CommandSpec& trust_command() {
  static const CommandSpec command = {
      .name = "trust",
      .help_at = "trust",
      .summary =
          "Shows what the settings of this folder would grant, and lets them. After any\n"
          "change of that the folder is not trusted any more.\n",
      .flags = [] {
        std::vector<FlagSpec> flags = turn_flags({"cwd"});
        flags.push_back({.name = "yes", .help = "Do not ask"});
        flags.push_back({.name = "list", .help = "List the folders that are trusted"});
        flags.push_back({.name = "remove", .help = "Do not trust this folder any more"});
        return flags;
      }()};
  return command;
}

const CommandSpec& doctor_command() {
  static const CommandSpec command = {
      .name = "doctor",
      .help_at = "doctor",
      .summary =
          "Looks at everything a turn needs and says what is wrong and what to do about\n"
          "it. Exit code 1: a check failed.\n",
      .flags = json_and({"model", "model-map", "settings", "api-base", "project", "location",
                         "auth", "gcloud-path", "token-cache", "cwd", "add-dir", "sandbox"})};
  return command;
}

const CommandSpec& demo_command() {
  static const CommandSpec command = {
      .name = "demo",
      .help_at = "demo",
      .summary =
          "Runs a whole turn against a scripted server inside the program, without\n"
          "credentials, in a folder that is deleted afterwards.\n",
      .flags = turn_flags({"output-format", "verbose", "dialect", "include-partial-messages",
                           "model", "debug", "debug-file"})};
  return command;
}

const CommandSpec& detect_command() {
  static const CommandSpec command = {
      .name = "detect",
      .help_at = "detect",
      .summary =
          "Says where the programs of agents are (claude, gemini, codex, cursor) and of\n"
          "which version, without starting them.\n",
      .operand = "[agent]",
      .flags = {k_json}};
  return command;
}

const CommandSpec& capabilities_command() {
  static const CommandSpec command = {
      .name = "capabilities",
      .help_at = "capabilities",
      .summary = "Says what these agents can do: slash commands, models, web search, thinking.\n",
      .operand = "[agent]",
      .flags = {k_json}};
  return command;
}

const CommandSpec& translate_command() {
  static const CommandSpec command = {
      .name = "translate",
      .help_at = "translate",
      .summary =
          "Reads the lines of another agent on stdin and writes them as those of a dialect,\n"
          "as they come. Exit code 1: the last turn did not end well, or none ended.\n",
      .flags = {{.name = "from",
                 .kind = ValueKind::one,
                 .value_name = "format",
                 .help = "Who wrote the lines: gemini, acp or claude",
                 .choices = "gemini acp claude"},
                {.name = "to",
                 .kind = ValueKind::one,
                 .value_name = "dialect",
                 .help = "claude, yume, gemini, insights or agent-events",
                 .choices = "claude yume gemini insights agent-events"}}};
  return command;
}

const CommandSpec& completions_command() {
  static const CommandSpec command = {
      .name = "completions",
      .help_at = "completions",
      .summary =
          "Prints what a shell needs to complete this program's command line:\n"
          "bash, zsh, fish or powershell. For bash, in ~/.bashrc:\n"
          "eval \"$(yume-cli completions bash)\"\n",
      .operand = "<shell>"};
  return command;
}

const CommandSpec& man_command() {
  static const CommandSpec command = {
      .name = "man",
      .help_at = "man",
      .summary = "Prints the manual page: yume-cli man | man -l -\n"};
  return command;
}

const std::vector<std::string_view>& command_names() {
  static const std::vector<std::string_view> names = {
      "sessions", "models",       "demo",      "auth",        "doctor", "detect", "permissions",
      "trust",    "capabilities", "translate", "completions", "man",    "setup"};
  return names;
}

const std::vector<std::string_view>& foreign_command_names() {
  static const std::vector<std::string_view> names = {
      "agents", "attach", "auto-mode", "config",      "gateway", "import",      "install",
      "login",  "logout", "logs",      "mcp",         "plugin",  "plugins",     "purge",
      "rm",     "stop",   "respawn",   "setup-token", "update",  "ultrareview", "upgrade"};
  return names;
}

const std::vector<std::string_view>& command_verbs() {
  static const std::vector<std::string_view> verbs = {
      "list", "show",  "export",    "delete", "convert", "import",  "status",
      "help", "add",   "add-json",  "get",    "remove",  "disable", "enable",
      "set",  "serve", "uninstall", "ls",     "rm",      "hosts"};
  return verbs;
}

}  // namespace yume::app
