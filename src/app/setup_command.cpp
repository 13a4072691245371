// SPDX-License-Identifier: MIT
#include "app/setup_command.h"

#include "app/commands/command_table.h"
#include "app/hosts/host_report.h"
#include "app/hosts/host_search.h"
#include "platform/file_system.h"
#include "platform/stdio.h"
#include "util/escape_codes.h"
#include "util/path_text.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace yume::app {

ExitCode run_setup(const std::vector<std::string>& tokens, const platform::Environment& environment,
                   protocol::Output& out) {
  if (!tokens.empty() && asks_for_help(tokens.front())) {
    for (const CommandSpec& one : setup_commands().commands) out.bytes(command_help(one));
    return ExitCode::success;
  }
  const auto command = choose_command(setup_commands(), tokens);
  if (!command.ok()) return refuse_usage(command.error());
  const auto line = read_command_line(**command, {tokens.begin() + 1, tokens.end()}, out);
  if (const auto* code = std::get_if<ExitCode>(&line)) return *code;
  const Arguments& arguments = std::get<Arguments>(line);

  const bool writes = arguments.on("write");
  const auto files = platform::make_system_file_system();
  const std::string program = to_utf8(lasting_program(environment, *files));
  HostSearch search = find_hosts(HostPlaces(environment, *files), program);
  std::vector<HostReport> reports;
  for (HostSetup& setup : search.found) {
    reports.push_back(writes ? write_host(std::move(setup), *files)
                             : examine_host(std::move(setup), *files));
  }
  if (arguments.on("json")) {
    out.line(hosts_json(program, reports, search.missing));
  } else {
    out.bytes(safe_for_terminal(hosts_text(reports, search.missing)));
  }
  const bool refused = std::any_of(reports.begin(), reports.end(), [](const HostReport& report) {
    return report.state == HostState::refused;
  });
  return writes && refused ? ExitCode::failure : ExitCode::success;
}

}  // namespace yume::app
