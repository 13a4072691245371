// SPDX-License-Identifier: MIT
#include "app/doctor_command.h"

#include "app/credentials.h"
#include "app/doctor/login_checks.h"
#include "app/doctor/machine_checks.h"
#include "app/doctor/report.h"
#include "app/doctor/server_checks.h"
#include "app/model_choice.h"
#include "app/options.h"
#include "app/session_setup.h"
#include "platform/file_system.h"
#include "platform/process.h"
#include "platform/signals.h"
#include "platform/stdio.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace yume::app {
namespace {

using doctor::Finding;
using doctor::Findings;

constexpr std::string_view k_usage =
    "Usage: yume-cli doctor [--json] [--model <name>] [--auth <source>] [--api-base <url>]\n";

bool speaks_utf8(const platform::Environment& environment) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    auto value = environment.get(name);
    if (!value) continue;
    for (char& c : *value) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return value->find("UTF-8") != std::string::npos || value->find("UTF8") != std::string::npos;
  }
  return false;
}

// Text goes out line by line, since a check may take its time; JSON in one piece.
class Report {
 public:
  Report(protocol::Output& out, bool json, const platform::Environment& environment)
      : out_(out),
        json_(json),
        style_{.colours = platform::is_terminal(platform::StandardStream::output) &&
                          !environment.get("NO_COLOR"),
               .utf8 = speaks_utf8(environment)} {}

  void add(Findings findings) {
    for (Finding& finding : findings) {
      if (!json_) out_.bytes(doctor::report_line(finding, style_));
      findings_.push_back(std::move(finding));
    }
  }

  ExitCode finish() {
    if (json_) out_.bytes(doctor::report_json(findings_));
    const bool failed = std::any_of(findings_.begin(), findings_.end(), [](const Finding& finding) {
      return finding.verdict == doctor::Verdict::fail;
    });
    return failed ? ExitCode::failure : ExitCode::success;
  }

 private:
  protocol::Output& out_;
  bool json_;
  doctor::ReportStyle style_;
  Findings findings_;
};

ExitCode examine(const Options& options, const platform::Environment& environment,
                 const net::CurlOptions& network, Report& report) {
  const platform::SystemClock clock;
  const auto files = platform::make_system_file_system();
  const auto processes = platform::make_process_runner();
  net::CurlTransport transport(clock, network);
  CancelSource interrupted;
  const auto signals =
      platform::start_signal_pump([&](platform::Signal) { interrupted.request_stop(); });

  report.add({doctor::check_version(environment), doctor::check_terminal(environment)});
  report.add(doctor::check_programs(environment));
  report.add(doctor::check_folders(environment));
  report.add({doctor::check_model(options, *files, environment, clock.wall_now())});
  report.add(doctor::check_certificates(network, *files));
  const auto choice = options.auth == AuthChoice::automatic ? doctor::Choice::first_that_works
                                                            : doctor::Choice::named;
  doctor::Logins logins = doctor::check_logins(
      make_credential_sources(options, workspace_of(options, environment, *files),
                              {.environment = environment,
                               .files = *files,
                               .processes = *processes,
                               .clock = clock,
                               .transport = transport,
                               .log = null_log()}),
      choice, clock, interrupted.get_token());
  report.add(std::move(logins.findings));
  // Broken settings have failed already; what they would change is left out.
  const auto models = read_model_choice(options, *files, environment);
  const std::string model = models.ok()
                                ? models->choose(options.model, clock.wall_now()).id
                                : gemini::resolve_model_id(options.model, options.model_map);
  report.add(
      doctor::check_server(options.server, model, std::move(logins.used),
                           {.transport = transport, .proxies = network.proxies, .clock = clock},
                           interrupted.get_token()));
  return interrupted.stop_requested() ? ExitCode::failure : report.finish();
}

}  // namespace

ExitCode run_doctor(const std::vector<std::string>& tokens,
                    const platform::Environment& environment, const net::CurlOptions& network,
                    protocol::Output& out) {
  const auto complain = [](const std::string& message, ExitCode code) {
    (void)platform::stderr_stream()->write(message + "\n");
    return code;
  };
  std::vector<std::string> rest = tokens;
  const bool json = std::erase(rest, "--json") > 0;
  const auto arguments = parse_arguments(rest);
  if (!arguments.ok()) return complain(arguments.error().message, ExitCode::usage);
  const auto read = read_options(*arguments, environment);
  if (const auto* problem = std::get_if<UsageError>(&read)) {
    return complain(problem->message, problem->code);
  }
  const Options& options = std::get<Options>(read);
  if (options.action == Action::show_help) {
    out.bytes(k_usage);
    return ExitCode::success;
  }
  if (options.prompt || options.doubtful_prompt) {
    (void)platform::stderr_stream()->write(k_usage);
    return ExitCode::usage;
  }
  Report report(out, json, environment);
  return examine(options, environment, network, report);
}

}  // namespace yume::app
