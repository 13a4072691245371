// SPDX-License-Identifier: MIT
#include "app/doctor_command.h"

#include "app/commands/command_table.h"
#include "app/credentials.h"
#include "app/doctor/login_checks.h"
#include "app/doctor/machine_checks.h"
#include "app/doctor/mcp_checks.h"
#include "app/doctor/report.h"
#include "app/doctor/server_checks.h"
#include "app/mcp_choice.h"
#include "app/model_choice.h"
#include "app/options.h"
#include "app/policy_choice.h"
#include "app/session_setup.h"
#include "app/terminal_look.h"
#include "platform/file_system.h"
#include "platform/parent_process.h"
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

// Text goes out line by line, since a check may take its time; JSON in one piece.
class Report {
 public:
  Report(protocol::Output& out, bool json, const platform::Environment& environment)
      : out_(out), json_(json), look_(terminal_look(environment)) {}

  void add(Findings findings) {
    for (Finding& finding : findings) {
      if (!json_) out_.bytes(doctor::report_lines(finding, look_));
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
  TerminalLook look_;
  Findings findings_;
};

// As a session in this folder would have it. Broken settings have failed already.
Result<config::SandboxMode> sandbox_with_provider(Options options,
                                                  const Result<ModelChoice>& models,
                                                  const SpecDeps& deps) {
  options.has_provider = true;
  YUME_TRY(const std::filesystem::path cwd,
           deps.files.real_path(deps.environment.cwd / options.cwd));
  YUME_TRY(const PolicyChoice policy,
           choose_policy(options, models.ok() ? models->settings() : config::SettingsStack(), cwd,
                         deps));
  return policy.sandbox.mode;
}

Result<config::McpSpec> servers_of_session(const Options& options,
                                           const Result<ModelChoice>& models,
                                           const SpecDeps& deps) {
  const config::SettingsStack settings = models.ok() ? models->settings() : config::SettingsStack();
  YUME_TRY(const std::filesystem::path cwd,
           deps.files.real_path(deps.environment.cwd / options.cwd));
  YUME_TRY(const PolicyChoice policy, choose_policy(options, settings, cwd, deps));
  return choose_servers(options, settings, policy.project_servers, cwd, deps);
}

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
  const auto models = read_model_choice(options, *files, environment);
  report.add({doctor::check_model(options, models, clock.wall_now()),
              doctor::check_dialect(options, models, platform::ancestor_programs())});
  report.add(
      {doctor::check_sandbox(sandbox_with_provider(options, models, {*files, environment, clock}),
                             platform::sandbox_support())});
  report.add(doctor::check_certificates(network, *files));
  report.add(doctor::check_servers(
      servers_of_session(options, models, {*files, environment, clock}),
      environment.cwd / options.cwd,
      [&] { return std::make_unique<net::CurlTransport>(clock, network); },
      {*files, environment, clock}, interrupted.get_token()));
  const auto choice = options.auth == AuthChoice::automatic ? doctor::Choice::first_that_works
                                                            : doctor::Choice::named;
  // Broken settings have failed already; what they would change is left out.
  const CredentialChoice credentials =
      credential_choice(options, models.ok() ? models->settings() : config::SettingsStack());
  doctor::Logins logins = doctor::check_logins(
      make_credential_sources(credentials, workspace_of(options, environment, *files),
                              {.environment = environment,
                               .files = *files,
                               .processes = *processes,
                               .clock = clock,
                               .transport = transport,
                               .log = null_log()}),
      choice, clock, interrupted.get_token());
  report.add(std::move(logins.findings));
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
  const auto line = read_command_line(doctor_command(), tokens, out);
  if (const auto* code = std::get_if<ExitCode>(&line)) return *code;
  const Arguments& arguments = std::get<Arguments>(line);
  const auto read = read_options(arguments, environment);
  if (const auto* problem = std::get_if<UsageError>(&read)) {
    (void)platform::stderr_stream()->write(problem->message + "\n");
    return ExitCode::usage;
  }
  Report report(out, arguments.on("json"), environment);
  return examine(std::get<Options>(read), environment, network, report);
}

}  // namespace yume::app
