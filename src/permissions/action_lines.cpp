// SPDX-License-Identifier: MIT
#include "permissions/judgement.h"
#include "util/overloaded.h"
#include "util/path_text.h"

namespace yume::permissions {
namespace {

// `command` has words.
std::string words_of(const SimpleCommand& command) {
  std::string out;
  for (const auto& [name, value] : command.assignments) out += name + "=" + value.text + " ";
  for (const ShellWord& word : command.words) out += word.text + " ";
  out.pop_back();
  return out;
}

std::vector<std::string> command_lines(const CommandFacts& command) {
  std::vector<std::string> lines;
  for (const SimpleCommand& one : command.shell.commands) {
    if (!one.words.empty()) lines.push_back("runs   " + words_of(one));
    for (const Redirect& redirect : one.redirects) {
      lines.push_back((redirect.kind == RedirectKind::writes ? "writes " : "reads  ") +
                      redirect.target.text);
    }
  }
  if (command.shell.opaque) lines.push_back("opaque: " + *command.shell.opaque);
  if (command.read_only) lines.emplace_back("proven to read only");
  if (command.removes_vital) lines.emplace_back("removes something vital");
  return lines;
}

}  // namespace

std::vector<std::string> action_lines(const core::Action& action, const CommandFacts* command) {
  using Lines = std::vector<std::string>;
  return std::visit(
      Overloaded{
          [](const core::ReadsFile& read) { return Lines{"reads  " + to_utf8(read.path)}; },
          [](const core::WritesFile& write) { return Lines{"writes " + to_utf8(write.path)}; },
          [&](const core::RunsCommand&) { return command_lines(*command); },
          [](const core::ReachesHost& reach) { return Lines{"fetches from " + reach.host}; },
          [](const core::SearchesWeb& search) { return Lines{"searches for " + search.query}; },
          [](const core::CallsServer& call) {
            return Lines{"calls " + call.tool + " of the MCP server " + call.server};
          },
          [](const core::StartsAgent& starts) {
            return Lines{"starts the subagent " + starts.type};
          },
          [](const core::StaysInSession&) { return Lines{"stays inside the session"}; },
          [](const core::AsksPerson&) { return Lines{"asks the user"}; },
      },
      action);
}

}  // namespace yume::permissions
