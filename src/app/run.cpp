// SPDX-License-Identifier: MIT
#include "app/run.h"

#include "app/argv.h"
#include "app/auth_command.h"
#include "app/commands/command_doubt.h"
#include "app/commands/confirm.h"
#include "app/demo_command.h"
#include "app/detect_command.h"
#include "app/doctor_command.h"
#include "app/gemini_face/face_choice.h"
#include "app/gemini_face/gemini_arguments.h"
#include "app/gemini_face/gemini_sessions.h"
#include "app/help.h"
#include "app/known_secrets.h"
#include "app/models_command.h"
#include "app/permissions_command.h"
#include "app/session_setup.h"
#include "app/session_start.h"
#include "app/sessions_command.h"
#include "app/setup_command.h"
#include "app/shells/shells_command.h"
#include "app/translate_command.h"
#include "platform/signals.h"
#include "platform/stdio.h"

#include <optional>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_not_sent =
    "Nothing was sent. `yume-cli --help` lists the commands; `yume-cli -- WORDS` sends words "
    "unasked.";

// Somebody can be asked. Hosts cannot: there a prompt is a prompt.
bool at_terminal() {
  return platform::is_terminal(platform::StandardStream::input) &&
         platform::is_terminal(platform::StandardStream::output);
}

ExitCode run_request(const StartRequest& request, const platform::Environment& environment) {
  Surroundings around(environment);
  const bool nobody_reads = request.arguments.ok() && request.arguments->on("async");
  const auto out =
      platform::stdout_stream(nobody_reads ? platform::WhenFull::drops : platform::WhenFull::waits);
  protocol::LineWriter writer(*out);
  runtime::LastResort last_resort(writer);
  try {
    return start_session(request, writer, last_resort, around);
  } catch (const std::exception& failure) {
    last_resort.end(failure);
  }
}

// As the official Gemini CLI would.
ExitCode run_as_gemini(const std::vector<std::string>& tokens,
                       const platform::Environment& environment, protocol::LineWriter& writer) {
  auto arguments = parse_gemini_arguments(tokens);
  if (!arguments.ok()) {
    (void)platform::stderr_stream()->write(arguments.error().message + "\n");
    return ExitCode::failure;
  }
  const fs::path cwd = environment.cwd / arguments->ours.value("cwd").value_or("");
  switch (arguments->action) {
    case GeminiAction::show_help:
      writer.bytes(gemini_help_text());
      return ExitCode::success;
    case GeminiAction::show_version:
      writer.bytes(gemini_version_text());
      return ExitCode::success;
    case GeminiAction::list_sessions:
      return list_gemini_sessions(cwd, environment, writer);
    case GeminiAction::delete_session:
      return delete_gemini_session(arguments->session, cwd, environment, writer);
    case GeminiAction::refuse_screen:
      (void)platform::stderr_stream()->write(
          "Error: The --prompt-interactive flag cannot be used here: there is no screen. Use "
          "--prompt instead.\n");
      return ExitCode::input;
    case GeminiAction::acp:
    case GeminiAction::run_turn:
      break;
  }
  platform::block_signals();
  return run_request({.face = Face::gemini,
                      .arguments = std::move(arguments->ours),
                      .only_servers = std::move(arguments->servers),
                      .acp = arguments->action == GeminiAction::acp},
                     environment);
}

}  // namespace

ExitCode run_session(const std::vector<std::string>& tokens,
                     const platform::Environment& environment) {
  return run_request({.arguments = parse_arguments(tokens)}, environment);
}

ExitCode run(const std::string& program, const std::vector<std::string>& all_tokens) {
  platform::prepare_process();
  const platform::Environment environment = platform::read_environment();
  conceal_secrets(environment);
  auto chosen = choose_face(program, all_tokens, environment);
  if (!chosen.ok()) {
    (void)platform::stderr_stream()->write(chosen.error().message + "\n");
    return ExitCode::usage;
  }
  const std::vector<std::string>& tokens = chosen->tokens;
  const std::string command = tokens.empty() ? "" : tokens.front();
  const std::vector<std::string> rest(tokens.begin() + (tokens.empty() ? 0 : 1), tokens.end());
  const auto out = platform::stdout_stream();
  protocol::LineWriter writer(*out);
  if (chosen->face == Face::gemini) return run_as_gemini(tokens, environment, writer);
  // Ctrl-C simply ends these, and a question; all others take signals as messages.
  if (command == "sessions") return run_sessions(rest, environment, writer);
  if (command == "models") return run_models(rest, environment, writer);
  if (command == "detect") return run_detect(rest, environment, writer);
  if (command == "capabilities") return run_capabilities(rest, environment, writer);
  if (command == "translate") return run_translate(rest, environment, writer);
  if (command == "permissions") return run_permissions(rest, environment, writer);
  if (command == "completions") return run_completions(rest, writer);
  if (command == "man") return run_man(rest, writer);
  if (command == "trust") return run_trust(rest, environment, writer);
  if (command == "setup") return run_setup(rest, environment, writer);
  if (const auto doubt = at_terminal() ? doubt_about(tokens) : std::nullopt) {
    if (doubt->asks_for_help) {
      writer.bytes(help_text());
      return ExitCode::success;
    }
    if (!ask_yes_or_no(writer, doubt->question)) {
      (void)platform::stderr_stream()->write(std::string(k_not_sent) + "\n");
      return ExitCode::usage;
    }
  }
  platform::block_signals();  // before the demo's server starts its threads
  if (command == "demo") return run_demo(rest, environment, writer);
  if (command == "auth") return run_auth(rest, environment, curl_options(environment), writer);
  if (command == "doctor") return run_doctor(rest, environment, curl_options(environment), writer);
  return run_session(tokens, environment);
}

}  // namespace yume::app
