// SPDX-License-Identifier: MIT
#include "app/detect_command.h"

#include "app/agents/agent_report.h"
#include "app/commands/command_table.h"
#include "platform/file_system.h"
#include "util/nearest_word.h"

#include <variant>

namespace yume::app {
namespace {

struct Question {
  std::string agent;  // empty: all
  bool json = false;
};

Error unknown_agent(const CommandSpec& command, const std::string& name) {
  std::vector<std::string_view> names;
  std::string list;
  for (const Agent& agent : known_agents()) {
    names.push_back(agent.name);
    list.append(list.empty() ? "" : ", ").append(agent.name);
  }
  return wrong_usage(command, "the agent '" + name + "' is not known; there are " + list,
                     nearest_word(name, names).value_or(""));
}

std::variant<Question, ExitCode> read_question(const CommandSpec& command,
                                               const std::vector<std::string>& tokens,
                                               protocol::Output& out) {
  const auto line = read_command_line(command, tokens, out);
  if (const auto* code = std::get_if<ExitCode>(&line)) return *code;
  const Arguments& arguments = std::get<Arguments>(line);
  Question question{.agent = {}, .json = arguments.on("json")};
  if (!arguments.positionals().empty()) question.agent = arguments.positionals().front();
  if (!question.agent.empty() && find_agent(question.agent) == nullptr) {
    return refuse_usage(unknown_agent(command, question.agent));
  }
  return question;
}

std::vector<AgentReport> reports_about(const Question& question,
                                       const platform::Environment& environment) {
  const auto files = platform::make_system_file_system();
  std::vector<AgentReport> reports;
  for (const Agent& agent : known_agents()) {
    if (!question.agent.empty() && question.agent != agent.name) continue;
    reports.push_back({.agent = &agent,
                       .found = find_program_of(agent, environment, *files),
                       .models = models_of(agent)});
  }
  return reports;
}

}  // namespace

ExitCode run_detect(const std::vector<std::string>& tokens,
                    const platform::Environment& environment, protocol::Output& out) {
  const auto asked = read_question(detect_command(), tokens, out);
  if (const auto* code = std::get_if<ExitCode>(&asked)) return *code;
  const Question& question = std::get<Question>(asked);
  const auto reports = reports_about(question, environment);
  if (!question.json) {
    out.bytes(detect_text(reports));
  } else {
    out.line(question.agent.empty() ? agents_json(reports) : agent_json(reports.front()));
  }
  return ExitCode::success;
}

ExitCode run_capabilities(const std::vector<std::string>& tokens,
                          const platform::Environment& environment, protocol::Output& out) {
  const auto asked = read_question(capabilities_command(), tokens, out);
  if (const auto* code = std::get_if<ExitCode>(&asked)) return *code;
  const Question& question = std::get<Question>(asked);
  const auto reports = reports_about(question, environment);
  if (!question.json) {
    out.bytes(capabilities_text(reports));
  } else {
    out.line(question.agent.empty() ? capabilities_json(reports) : agent_json(reports.front()));
  }
  return ExitCode::success;
}

}  // namespace yume::app
