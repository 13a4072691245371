// SPDX-License-Identifier: MIT
#include "app/first_login.h"

#include "app/commands/confirm.h"
#include "app/host_choice.h"
#include "auth/gcloud_program.h"
#include "platform/access.h"
#include "platform/signals.h"
#include "platform/terminal_program.h"
#include "util/path_text.h"

#include <optional>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

enum class Search { has_login, none, interrupted };

// What only seems to be there is for the turn to try; what is not there may still be given by
// Google's own machines.
Search look_for_login(const CredentialChoice& choice, const FirstLoginDeps& deps,
                      const CancelToken& interrupted) {
  const platform::SystemClock clock;
  net::CurlTransport transport(clock, deps.network);
  auth::CredentialChain chain = make_credential_chain(choice, deps.workspace,
                                                      {.environment = deps.environment,
                                                       .files = deps.files,
                                                       .processes = deps.processes,
                                                       .clock = clock,
                                                       .transport = transport,
                                                       .log = null_log()});
  if (chain.likely_origin()) return Search::has_login;
  const auto obtained = chain.obtain(interrupted);
  if (interrupted.stop_requested()) return Search::interrupted;
  // A source is pinned: its absence is an error.
  if (!obtained.ok()) {
    return choice.auth == AuthChoice::adc ? Search::none : Search::has_login;
  }
  return obtained->credential ? Search::has_login : Search::none;
}

std::optional<std::vector<std::string>> gcloud_of(const CredentialChoice& choice,
                                                  const FirstLoginDeps& deps) {
  const auth::GcloudSearch search{.named = choice.gcloud_path, .workspace = deps.workspace};
  const auto programs = auth::find_gcloud(search, deps.environment, deps.files);
  if (!programs.ok()) return std::nullopt;
  for (const fs::path& program : *programs) {
    if (!platform::is_executable_file(program)) continue;
    auto command = auth::gcloud_command(program, search, deps.environment, deps.files);
    if (command.ok()) return std::move(command).value();
  }
  return std::nullopt;
}

// Everything that a browser may need, but no program and no module of the workspace.
std::vector<std::string> gcloud_environment(const CredentialChoice& choice,
                                            const FirstLoginDeps& deps) {
  const auth::GcloudSearch search{.named = choice.gcloud_path, .workspace = deps.workspace};
  std::vector<std::string> variables = {"PATH=" +
                                        auth::safe_path(search, deps.environment, deps.files)};
  for (const auto& [name, value] : deps.environment.variables) {
    const bool loads_code = name == "PATH" || name == "Path" || name.starts_with("PYTHON");
    if (!loads_code) variables.push_back(name + "=" + value);
  }
  return variables;
}

FirstLogin run_gcloud(std::vector<std::string> argv, const CredentialChoice& choice,
                      const FirstLoginDeps& deps) {
  fs::path root = path_from_utf8(argv.front()).root_path();
  argv.insert(argv.end(), {"auth", "application-default", "login"});
  const auto end = platform::run_on_terminal({.argv = std::move(argv),
                                              .cwd = std::move(root),
                                              .environment = gcloud_environment(choice, deps)});
  const bool good = end.ok() && end->kind == platform::ProcessEndKind::exited;
  if (good && end->exit_code == 0) return FirstLogin::done;
  std::string why = end.ok() ? "gcloud was interrupted" : end.error().message;
  if (good) why = "gcloud ended with code " + platform::exit_code_text(end->exit_code);
  (void)deps.err.write("Error: " + why +
                       ", so there is no login yet and nothing was sent. Try again, or set "
                       "GEMINI_API_KEY; `yume-cli doctor` shows what is missing.\n");
  return FirstLogin::declined;
}

}  // namespace

bool may_offer_login(const Options& options) {
  if (!asks_person(options) || options.output_format || options.has_provider) return false;
  if (options.strategy != config::StrategyName::gemini_rest) return false;
  if (options.auth != AuthChoice::automatic && options.auth != AuthChoice::adc) return false;
  if (options.converses && !options.prompt) return true;
  // Slash commands may be answered without a request.
  return options.prompt && !core::UserMessage(*options.prompt).blank() &&
         !options.prompt->starts_with('/');
}

std::string first_login_text(const LoginWays& ways) {
  std::string text =
      "There is no login for Gemini yet, so nothing was sent. There are two ways:\n"
      "  a key:      get one at https://aistudio.google.com/apikey, then run\n";
  text += ways.windows ? "              $env:GEMINI_API_KEY = \"<the key>\"  and yume-cli again\n"
                       : "              export GEMINI_API_KEY=<the key>  and yume-cli again\n";
  if (ways.gcloud) {
    text +=
        "  an account: gcloud auth application-default login  (in a browser)\n"
        "Run this gcloud command now, and then go on?";
  } else {
    text +=
        "  an account: install gcloud (https://cloud.google.com/sdk), then run\n"
        "              gcloud auth application-default login  and yume-cli again\n";
  }
  return text;
}

FirstLogin offer_login(const CredentialChoice& choice, const FirstLoginDeps& deps) {
  CancelSource interrupted;
  // Ends before gcloud starts, which then gets the keys.
  auto signals = platform::start_signal_pump([&](platform::Signal) { interrupted.request_stop(); });
  switch (look_for_login(choice, deps, interrupted.get_token())) {
    case Search::has_login:
      return FirstLogin::not_needed;
    case Search::interrupted:
      return FirstLogin::declined;
    case Search::none:
      break;
  }
  auto gcloud = gcloud_of(choice, deps);
  const LoginWays ways{.gcloud = gcloud.has_value(),
                       .windows = deps.environment.os_name.starts_with("Windows")};
  if (!gcloud) {
    deps.out.bytes(first_login_text(ways));
    return FirstLogin::declined;
  }
  const bool yes = ask_yes_or_no(deps.out, first_login_text(ways), interrupted.get_token());
  if (interrupted.stop_requested()) deps.out.bytes("\n");
  if (!yes || interrupted.stop_requested()) return FirstLogin::declined;
  signals.reset();
  return run_gcloud(*std::move(gcloud), choice, deps);
}

}  // namespace yume::app
