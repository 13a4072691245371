// SPDX-License-Identifier: MIT
#include "app/shells/man_page.h"

#include "app/shells/program_grammar.h"

#include <string_view>

namespace yume::app {
namespace {

// Text as roff shows it: a dash stays a dash that can be copied, and no line is a request.
std::string in_roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '^':
        out += "\\(ha";
        break;
      default:
        out.push_back(c);
    }
  }
  while (out.ends_with('\n')) out.pop_back();
  return out;
}

std::string value_in_roff(const FlagSpec& flag) {
  const std::string name = "\\fI" + in_roff(flag.value_name) + "\\fR";
  switch (flag.kind) {
    case ValueKind::none:
      return "";
    case ValueKind::one:
      return " " + name;
    case ValueKind::optional:
      return " [" + name + "]";
    case ValueKind::list:
      break;
  }
  return " " + name + " ...";
}

std::string flag_in_roff(const FlagSpec& flag) {
  std::string text = ".TP\n";
  if (flag.short_name != '\0') text += std::string("\\fB\\-") + flag.short_name + "\\fR, ";
  text += "\\fB" + in_roff("--" + std::string(flag.name)) + "\\fR" + value_in_roff(flag) + "\n";
  return text + in_roff(flag.help) + ".\n";
}

std::string synopsis() {
  std::string text = ".SH SYNOPSIS\n.B yume\\-cli\n[\\fIoptions\\fR] [\\fIprompt\\fR]\n";
  for (const ProgramCommand& command : program_grammar()) {
    if (command.name.empty()) continue;
    text += ".br\n.B yume\\-cli " + in_roff(command.name) + "\n";
    if (!command.operand.empty()) text += "\\fI" + in_roff(command.operand) + "\\fR\n";
    text += "[\\fIoptions\\fR]\n";
  }
  return text;
}

std::string options_of_turns() {
  std::string text = ".SH OPTIONS\n";
  std::string_view group;
  for (const FlagSpec& flag : program_grammar().front().flags) {
    if (flag.group != group) {
      group = flag.group;
      text += ".SS " + in_roff(group) + "\n";
    }
    text += flag_in_roff(flag);
  }
  return text;
}

std::string commands() {
  std::string text = ".SH COMMANDS\n";
  for (const ProgramCommand& command : program_grammar()) {
    if (command.name.empty()) continue;
    text += ".SS " + in_roff(command.name) + "\n" + in_roff(command.summary) + "\n";
    for (const FlagSpec& flag : command.flags) text += flag_in_roff(flag);
  }
  return text;
}

}  // namespace

std::string man_page() {
  return ".TH YUME\\-CLI 1 \"\" \"yume\\-cli " + in_roff(YUME_CLI_VERSION) +
         "\" \"User Commands\"\n"
         ".SH NAME\n"
         "yume\\-cli \\- the command line of Claude Code and of Gemini CLI, with Google's Gemini "
         "models\n" +
         synopsis() +
         ".SH DESCRIPTION\n"
         "Speaks the command line and the line formats of Claude Code, so that programs which "
         "start it can use Gemini models without a change; under the name\n"
         ".B gemini\n"
         "it takes the place of the official Gemini CLI. The prompt is an argument,\n"
         ".BR \\-\\-prompt ,\n"
         "or standard input.\n" +
         options_of_turns() + commands() +
         ".SH FILES\n"
         ".TP\n.I \\(ti/.yume/settings.json\nThe user's settings.\n"
         ".TP\n.I \\(ti/.claude/projects/\nConversations, in Claude Code's form.\n"
         ".TP\n.I /etc/yume/managed\\-settings.json\nPermissions that nothing else lifts.\n"
         ".SH ENVIRONMENT\n"
         ".TP\n.BR GEMINI_API_KEY \", \" GOOGLE_API_KEY\nA key of the Gemini API.\n"
         ".TP\n.B GOOGLE_APPLICATION_CREDENTIALS\nA file of application default credentials.\n"
         ".TP\n.B YUME_CONFIG_DIR\nThe folder of settings, instead of \\(ti/.yume.\n"
         ".TP\n.B YUME_CLI_DIALECT\nThe same as \\fB\\-\\-dialect\\fR.\n"
         ".PP\n.B yume\\-cli \\-\\-help\nlists the others.\n"
         ".SH EXIT STATUS\n"
         "0: the turn went well. 1: it failed. 2: wrong usage. 143: ended by SIGTERM.\n";
}

}  // namespace yume::app
