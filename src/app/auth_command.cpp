// SPDX-License-Identifier: MIT
#include "app/auth_command.h"

#include "app/commands/command_table.h"
#include "app/credentials.h"
#include "app/options.h"
#include "app/session_setup.h"
#include "platform/file_system.h"
#include "platform/process.h"
#include "platform/signals.h"
#include "platform/stdio.h"
#include "util/json_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace yume::app {
namespace {

std::string date_text(platform::WallTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

// An account's name comes from a file; a terminal must not obey it.
std::string shown(const std::string& text) {
  std::string safe = text;
  std::replace_if(
      safe.begin(), safe.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
  return safe;
}

void append_line(std::string& out, std::string_view name, const std::string& value) {
  if (!value.empty()) out += fmt::format("{:<15}{}\n", name, shown(value));
}

const char* kind_name(auth::CredentialKind kind) {
  return kind == auth::CredentialKind::api_key ? "api_key" : "access_token";
}

Result<auth::Obtained> obtain(const Options& options, const platform::Environment& environment,
                              const net::CurlOptions& network, const platform::Clock& clock) {
  const auto files = platform::make_system_file_system();
  YUME_TRY(const config::SettingsStack settings, config::read_settings(*files, environment));
  const auto processes = platform::make_process_runner();
  net::CurlTransport transport(clock, network);
  auth::CredentialChain chain = make_credential_chain(credential_choice(options, settings),
                                                      workspace_of(options, environment, *files),
                                                      {.environment = environment,
                                                       .files = *files,
                                                       .processes = *processes,
                                                       .clock = clock,
                                                       .transport = transport,
                                                       .log = null_log()});
  CancelSource interrupted;
  const auto signals =
      platform::start_signal_pump([&](platform::Signal) { interrupted.request_stop(); });
  return chain.obtain(interrupted.get_token());
}

}  // namespace

std::string auth_status_text(const Result<auth::Obtained>& obtained, platform::WallTime now) {
  if (!obtained.ok()) return obtained.error().message + "\n";
  std::string text;
  if (!obtained->credential) {
    text =
        "Not logged in. Run `gcloud auth login`, or run `gcloud auth application-default login`, "
        "or set GEMINI_API_KEY to an API key.\n";
  } else {
    const auth::Credential& credential = *obtained->credential;
    append_line(text, "source", credential.source);
    append_line(text, "account", credential.account);
    if (credential.expires) {
      const auto left = std::chrono::floor<std::chrono::minutes>(*credential.expires - now);
      append_line(text, "expires",
                  fmt::format("{} (in {} min)", date_text(*credential.expires), left.count()));
    }
    append_line(text, "project", credential.project);
    append_line(text, "quota project", credential.quota_project);
  }
  for (const std::string& notice : obtained->notices) append_line(text, "notice", notice);
  return text;
}

std::string auth_status_json(const Result<auth::Obtained>& obtained) {
  std::string text;
  JsonWriter writer(text);
  const bool has_one = obtained.ok() && obtained->credential.has_value();
  writer.begin_object().field("loggedIn", has_one);
  if (has_one) {
    const auth::Credential& credential = *obtained->credential;
    writer.field("source", credential.source).field("kind", kind_name(credential.kind));
    if (!credential.account.empty()) writer.field("account", credential.account);
    if (credential.expires) writer.field("expires", date_text(*credential.expires));
    if (!credential.project.empty()) writer.field("project", credential.project);
    if (!credential.quota_project.empty()) writer.field("quotaProject", credential.quota_project);
  }
  if (!obtained.ok()) writer.field("error", obtained.error().message);
  if (obtained.ok()) {
    writer.key("notices").begin_array();
    for (const std::string& notice : obtained->notices) writer.string(notice);
    writer.end_array();
  }
  writer.end_object();
  return text + "\n";
}

ExitCode run_auth(const std::vector<std::string>& tokens, const platform::Environment& environment,
                  const net::CurlOptions& network, protocol::Output& out) {
  if (!tokens.empty() && asks_for_help(tokens.front())) {
    out.bytes(command_help(auth_commands().commands.front()));
    return ExitCode::success;
  }
  const auto command = choose_command(auth_commands(), tokens);
  if (!command.ok()) return refuse_usage(command.error());
  const auto line = read_command_line(**command, {tokens.begin() + 1, tokens.end()}, out);
  if (const auto* code = std::get_if<ExitCode>(&line)) return *code;
  const Arguments& arguments = std::get<Arguments>(line);
  const auto read = read_options(arguments, environment);
  if (const auto* problem = std::get_if<UsageError>(&read)) {
    (void)platform::stderr_stream()->write(problem->message + "\n");
    return ExitCode::usage;
  }
  const Options& options = std::get<Options>(read);
  const platform::SystemClock clock;
  const auto obtained = obtain(options, environment, network, clock);
  out.bytes(arguments.on("json") ? auth_status_json(obtained)
                                 : auth_status_text(obtained, clock.wall_now()));
  return obtained.ok() && obtained->credential ? ExitCode::success : ExitCode::failure;
}

}  // namespace yume::app
