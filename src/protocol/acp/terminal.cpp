// SPDX-License-Identifier: MIT
#include "protocol/acp/terminal.h"

#include "util/json_tree.h"

#include <limits>
#include <utility>

namespace yume::protocol {
namespace {

using Json = nlohmann::json;
using Step = core::UseTerminal::Step;

std::string_view method_of(Step step) {
  switch (step) {
    case Step::create:
      return "terminal/create";
    case Step::wait:
      return "terminal/wait_for_exit";
    case Step::output:
      return "terminal/output";
    case Step::kill:
      return "terminal/kill";
    case Step::release:
      break;
  }
  return "terminal/release";
}

void write_command(JsonWriter& json, const core::UseTerminal& terminal) {
  json.field("command", terminal.argv.empty() ? std::string_view() : terminal.argv.front());
  json.key("args").begin_array();
  for (std::size_t i = 1; i < terminal.argv.size(); ++i) json.string(terminal.argv[i]);
  json.end_array().key("env").begin_array();
  for (const std::string& line : terminal.environment) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    json.begin_object().field("name", std::string_view(line).substr(0, equals));
    json.field("value", std::string_view(line).substr(equals + 1)).end_object();
  }
  json.end_array().field("cwd", terminal.cwd);
  json.field("outputByteLimit", static_cast<std::int64_t>(terminal.output_limit));
}

// `{"exitCode":0,"signal":null}`; a bare number of older clients is the code.
void read_status(const Json& status, core::HostTerminal& terminal) {
  const Json* code = status.is_number_integer() ? &status : nullptr;
  if (status.is_object()) {
    terminal.signal = text_at(status, "signal");
    const auto found = status.find("exitCode");
    if (found != status.end() && found->is_number_integer()) code = &*found;
  }
  if (code == nullptr) return;
  const auto number = code->get<std::int64_t>();
  const bool fits =
      number >= std::numeric_limits<int>::min() && number <= std::numeric_limits<int>::max();
  terminal.exit_code = fits ? static_cast<int>(number) : -1;
}

}  // namespace

std::string acp_use_terminal(std::string_view request_id, const std::string& session_id,
                             const core::UseTerminal& terminal) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("jsonrpc", "2.0").field("id", request_id);
  json.field("method", method_of(terminal.step)).key("params").begin_object();
  json.field("sessionId", session_id);
  if (terminal.step == Step::create) {
    write_command(json, terminal);
  } else {
    json.field("terminalId", terminal.id);
  }
  json.end_object().end_object();
  return line;
}

core::HostAnswer acp_terminal(const core::UseTerminal& asked, const RawJson& result) {
  const Json answer = read_json(result.text);
  core::HostTerminal terminal{.id = asked.id};
  if (asked.step == Step::wait) {
    read_status(answer, terminal);
    return terminal;
  }
  if (!answer.is_object()) return terminal;
  if (asked.step == Step::create) {
    terminal.id = text_at(answer, "terminalId");
    if (terminal.id.empty()) return core::HostFailed{"the answer names no terminal"};
  }
  terminal.output = text_at(answer, "output");
  const auto cut = answer.find("truncated");
  terminal.lost_beginning = cut != answer.end() && cut->is_boolean() && cut->get<bool>();
  if (const auto status = answer.find("exitStatus"); status != answer.end()) {
    read_status(*status, terminal);
  }
  return terminal;
}

}  // namespace yume::protocol
