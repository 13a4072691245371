// SPDX-License-Identifier: MIT
#include "app/session_start.h"

#include "app/acp/acp_agent.h"
#include "app/argument_warnings.h"
#include "app/debug_log.h"
#include "app/dialect_choice.h"
#include "app/early_failure.h"
#include "app/first_login.h"
#include "app/gemini_face/gemini_sessions.h"
#include "app/gemini_face/gemini_settings.h"
#include "app/help.h"
#include "app/host_choice.h"
#include "app/host_parts.h"
#include "app/known_secrets.h"
#include "app/last_words.h"
#include "app/model_choice.h"
#include "app/options.h"
#include "app/overflow_files.h"
#include "app/prompt_file.h"
#include "app/rejection.h"
#include "app/resume_choice.h"
#include "app/session_setup.h"
#include "app/stdin_use.h"
#include "app/work_branch.h"
#include "config/places.h"
#include "platform/parent_process.h"
#include "platform/stdio.h"
#include "session/open_conversation.h"
#include "transcript/session_paths.h"
#include "util/uuid.h"

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace yume::app {
namespace {

constexpr std::string_view k_provider = "gemini";
constexpr std::string_view k_no_prompt_terminal =
    "Error: no prompt. Give one as an argument, for example: yume-cli \"fix the failing test\"\n"
    "yume-cli --help lists the options.";
constexpr std::string_view k_nobody_to_stay_with =
    "Error: -i goes on with a conversation, which needs a terminal for its input and its output, "
    "and "
    "neither -p nor --output-format.";

std::string unserved_provider(const std::string& provider) {
  return "Error: the provider '" + provider +
         "' is not served. yume-cli serves: " + std::string(k_provider) +
         ". Choose it, or start the program that serves '" + provider + "'.";
}

// Gemini CLI's own settings may hold a limit; the lower one counts.
Result<void> limit_turns(const Surroundings& around, Options& options) {
  const auto limit =
      max_session_turns(around.environment.cwd / options.cwd, *around.files, around.environment);
  if (!limit.ok()) return limit.error();
  if (*limit && (options.max_turns == 0 || **limit < options.max_turns)) {
    options.max_turns = **limit;
  }
  return {};
}

// Its command line names sessions in its own way.
Result<void> find_gemini_session(const transcript::SessionStore& store,
                                 config::SessionChoice& choice) {
  if (!choice.resume_id) return {};
  auto meant = session_meant(*choice.resume_id, store);
  if (!meant.ok()) {
    return Error{.code = meant.error().code,
                 .message = "Error: the session cannot be resumed: " + meant.error().message};
  }
  choice.resume_id = std::move(meant->id);
  return {};
}

// A person without a login is told how to get one, or gets it here. False: there is none.
bool has_login(const Options& options, const ModelChoice& models, protocol::LineWriter& writer,
               Surroundings& around) {
  if (!may_offer_login(options)) return true;
  const auto workspace = workspace_of(options, around.environment, *around.files);
  const net::CurlOptions network = curl_options(around.environment);
  return offer_login(credential_choice(options, models.settings()),
                     {.environment = around.environment,
                      .workspace = workspace,
                      .network = network,
                      .files = *around.files,
                      .processes = *around.processes,
                      .out = writer,
                      .err = *around.err}) != FirstLogin::declined;
}

// Lines of a host come by stdin.
bool takes_lines(const StartRequest& request) {
  return request.arguments.ok() && request.arguments->value("input-format") == "stream-json";
}

// One start. Each step gives the exit code with which it has ended the run, or nothing.
class SessionStart {
 public:
  using Ended = std::optional<ExitCode>;

  SessionStart(const StartRequest& request, protocol::LineWriter& writer,
               runtime::LastResort& last_resort, Surroundings& around)
      : request_(request), writer_(writer), last_resort_(last_resort), around_(around) {}

  ExitCode run() {
    learn_secrets(environment(), around_.redactor);
    if (const Ended ended = read_command_line()) return *ended;
    if (options_.acp || request_.acp) return serve_editor();
    if (const Ended ended = complete_options()) return *ended;
    OverflowFiles overflow(*around_.files, config::overflow_folder(environment()));
    prepare_early_last_words(overflow);
    if (const Ended ended = read_settings()) return *ended;
    HostParts parts(options_, id_, {.writer = writer_, .overflow = overflow, .around = around_});
    const Rejection rejection(options_, parts.host(), *around_.err, around_.clock);
    if (const Ended ended = check_wishes(rejection)) return *ended;
    return open(parts, overflow, rejection);
  }

  // A session has its host's lines, or had them.
  [[nodiscard]] bool begun() const { return begun_; }

 private:
  [[nodiscard]] const platform::Environment& environment() const { return around_.environment; }
  [[nodiscard]] bool is_gemini() const { return request_.face == Face::gemini; }

  // Before the options are known.
  ExitCode complain(const std::string& message, ExitCode code) {
    return report_early_failure(request_.face, request_.arguments, ancestors_, writer_, around_,
                                message, code);
  }

  Ended read_command_line() {
    const Result<Arguments>& arguments = request_.arguments;
    if (!arguments.ok()) return complain(arguments.error().message, ExitCode::failure);
    const auto read = read_options(*arguments, environment(), request_.face);
    if (const auto* problem = std::get_if<UsageError>(&read)) {
      return complain(problem->message, problem->code);
    }
    options_ = std::get<Options>(read);
    if (options_.picks_session && !asks_person(options_)) {
      return complain(std::string(k_no_session_id), ExitCode::failure);
    }
    if (!request_.only_servers.empty()) options_.only_servers = request_.only_servers;
    if (!options_.prompt && stdin_is_terminal_) options_.prompt = options_.doubtful_prompt;
    if (options_.action == Action::run_turn) return std::nullopt;
    writer_.bytes(options_.action == Action::show_help ? help_text() : version_text());
    return ExitCode::success;
  }

  ExitCode serve_editor() {
    const auto log = open_log(options_);
    if (!log.ok()) return complain("Error: " + log.error().message, ExitCode::usage);
    RedactingLog clean_log(*log != nullptr ? **log : null_log(), around_.redactor);
    begun_ = true;
    return serve_acp(options_, writer_, last_resort_, clean_log, around_);
  }

  // What stands in files that the command line names, and warnings for a person.
  Ended complete_options() {
    if (const auto prompt = read_prompt_file(environment().cwd, *around_.files, options_);
        !prompt) {
      return complain(prompt.error().message, is_gemini() ? ExitCode::input : ExitCode::usage);
    }
    if (is_gemini()) {
      const auto limited = limit_turns(around_, options_);
      if (!limited) return complain(limited.error().message, ExitCode::configuration);
    }
    const bool person = !is_gemini() && platform::is_terminal(platform::StandardStream::error) &&
                        options_.output_format != OutputFormat::stream_json;
    if (person) {
      for (const std::string& warning :
           argument_warnings(*request_.arguments, known_tool_names())) {
        (void)around_.err->write(warning + "\n");
      }
    }
    id_ = options_.session.id.value_or(make_uuid());
    return std::nullopt;
  }

  // Until the settings are read, what is known without them counts.
  void prepare_early_last_words(OverflowFiles& overflow) {
    Options early = options_;
    settle_dialect(config::SettingsStack(), ancestors_, early);
    LastWords(early, overflow, environment(), last_resort_).prepare(id_, "");
  }

  Ended read_settings() {
    auto log = open_log(options_);
    if (!log.ok()) return complain("Error: " + log.error().message, ExitCode::usage);
    log_ = std::move(log).value();
    auto models = read_model_choice(options_, *around_.files, environment());
    if (!models.ok()) return complain("Error: " + models.error().message, ExitCode::usage);
    models_.emplace(std::move(models).value());
    settle_dialect(models_->settings(), ancestors_, options_);
    settle_live_text(models_->settings(), options_);
    options_.converses =
        asks_person(options_) && !options_.output_format && (options_.stays || !options_.prompt);
    if (options_.stays && !options_.converses) {
      return complain(std::string(k_nobody_to_stay_with), ExitCode::usage);
    }
    if (!has_login(options_, *models_, writer_, around_)) return ExitCode::failure;
    return std::nullopt;
  }

  // Whether there is something to do that is served.
  Ended check_wishes(const Rejection& rejection) {
    // The user named whom to talk to: nothing may go to anybody else.
    if (options_.has_provider && options_.provider != k_provider) {
      return rejection.report(id_, unserved_provider(options_.provider));
    }
    if (options_.input_format != InputFormat::text) return std::nullopt;
    // An empty prompt under Gemini's face means that stdin has it.
    if (is_gemini() && options_.prompt && core::UserMessage(*options_.prompt).blank() &&
        stdin_text(options_) == StdinText::adds_to_the_prompt) {
      options_.prompt.reset();
    }
    if (!is_gemini() && !options_.prompt && stdin_is_terminal_ && !options_.output_format &&
        !options_.converses) {
      return complain(std::string(k_no_prompt_terminal), ExitCode::usage);
    }
    options_.reconnects = options_.dialect == DialectName::yume_app && !options_.prompt &&
                          options_.session.resume_id.has_value();
    const bool no_prompt =
        options_.prompt ? core::UserMessage(*options_.prompt).blank() : stdin_is_terminal_;
    if (no_prompt && !options_.reconnects && !options_.converses) {
      return rejection.report_empty_prompt(id_);
    }
    return std::nullopt;
  }

  ExitCode open(HostParts& parts, OverflowFiles& overflow, const Rejection& rejection) {
    auto spec = make_session_spec(
        options_, *models_,
        {.files = *around_.files, .environment = environment(), .clock = around_.clock});
    if (!spec.ok()) return rejection.report(id_, spec.error().message);
    if (options_.git_branch) {
      const auto gone = go_to_branch(*options_.git_branch, spec->cwd,
                                     {.files = *around_.files,
                                      .processes = *around_.processes,
                                      .environment = environment(),
                                      .child_environment = spec->child_environment});
      if (!gone.ok()) return rejection.report(id_, gone.error().message);
    }
    const transcript::SessionStore store = make_session_store(
        options_.session.host, spec->cwd, *around_.files, environment(), around_.clock);
    if (is_gemini()) {
      const auto found = find_gemini_session(store, options_.session);
      if (!found) return rejection.report(id_, found.error().message);
    }
    if (const Ended ended = let_person_pick(store)) return *ended;
    auto session =
        session::open_conversation(options_.session, store,
                                   {.files = *around_.files,
                                    .clock = around_.clock,
                                    .cwd = environment().cwd,
                                    .views = views_folder(environment()),
                                    .made_by = spec->yume_view ? spec->yume_view->made_by : "",
                                    .model = spec->model.info.id});
    if (!session.ok()) return rejection.report(id_, session.error().message);
    if (!session->file.empty()) overflow.move_to(transcript::tool_results_folder(session->file));
    begun_ = true;
    return live({.spec = std::move(spec).value(),
                 .opened = std::move(session).value(),
                 .credentials = credential_choice(options_, models_->settings()),
                 .max_message_bytes = max_message_bytes(),
                 .open_new =
                     [&store, kept = options_.session.persisted] {
                       return store.create(make_uuid(), kept
                                                            ? transcript::Persistence::kept
                                                            : transcript::Persistence::memory_only);
                     }},
                parts, overflow);
  }

  // --resume without an id, at a terminal.
  Ended let_person_pick(const transcript::SessionStore& store) {
    if (!options_.picks_session) return std::nullopt;
    auto chosen = choose_session_to_resume(store, options_, environment(), writer_);
    if (!chosen.ok()) return complain(chosen.error().message, ExitCode::failure);
    if (!*chosen) return ExitCode::success;
    options_.session.resume_id = *std::move(chosen).value();
    return std::nullopt;
  }

  ExitCode live(Beginning beginning, HostParts& parts, OverflowFiles& overflow) {
    const LastWords last_words(options_, overflow, environment(), last_resort_);
    RedactingLog clean_log(log_ != nullptr ? *log_ : null_log(), around_.redactor);
    return converse(options_, std::move(beginning),
                    {.writer = writer_,
                     .host = parts.host(),
                     .log = clean_log,
                     .last_resort = last_resort_,
                     .last_words = last_words,
                     .typed = parts.typed(),
                     .conversation = parts.conversation(),
                     .commands = parts.commands()},
                    around_);
  }

  [[nodiscard]] std::size_t max_message_bytes() const {
    return options_.max_message_bytes.value_or(models_->settings()
                                                   .value(&config::Settings::max_message_bytes)
                                                   .value_or(config::k_max_message_bytes));
  }

  const StartRequest& request_;
  protocol::LineWriter& writer_;
  runtime::LastResort& last_resort_;
  Surroundings& around_;
  const std::vector<std::string> ancestors_ = platform::ancestor_programs();
  const bool stdin_is_terminal_ = platform::is_terminal(platform::StandardStream::input);
  Options options_;
  std::string id_;  // for what is reported before there is a session
  std::unique_ptr<Log> log_;
  std::optional<ModelChoice> models_;
  bool begun_ = false;
};

}  // namespace

ExitCode start_session(const StartRequest& request, protocol::LineWriter& writer,
                       runtime::LastResort& last_resort, Surroundings& around) {
  SessionStart start(request, writer, last_resort, around);
  const ExitCode code = start.run();
  if (!start.begun() && code != ExitCode::success && takes_lines(request)) take_first_lines();
  return code;
}

}  // namespace yume::app
