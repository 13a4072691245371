// SPDX-License-Identifier: MIT
#include "app/run.h"

#include "app/acp/acp_agent.h"
#include "app/argument_warnings.h"
#include "app/argv.h"
#include "app/auth_command.h"
#include "app/commands/command_doubt.h"
#include "app/commands/confirm.h"
#include "app/conversation.h"
#include "app/debug_log.h"
#include "app/demo_command.h"
#include "app/detect_command.h"
#include "app/dialect_choice.h"
#include "app/doctor_command.h"
#include "app/early_failure.h"
#include "app/first_login.h"
#include "app/gemini_face/face_choice.h"
#include "app/gemini_face/gemini_arguments.h"
#include "app/gemini_face/gemini_sessions.h"
#include "app/gemini_face/gemini_settings.h"
#include "app/help.h"
#include "app/host_choice.h"
#include "app/keyboard.h"
#include "app/known_secrets.h"
#include "app/last_words.h"
#include "app/model_choice.h"
#include "app/models_command.h"
#include "app/options.h"
#include "app/overflow_files.h"
#include "app/permissions_command.h"
#include "app/prompt_file.h"
#include "app/rejection.h"
#include "app/result_file.h"
#include "app/resume_choice.h"
#include "app/session_setup.h"
#include "app/sessions_command.h"
#include "app/setup_command.h"
#include "app/shells/shells_command.h"
#include "app/stdin_use.h"
#include "app/terminal_look.h"
#include "app/translate_command.h"
#include "app/work_branch.h"
#include "config/places.h"
#include "platform/parent_process.h"
#include "platform/signals.h"
#include "platform/stdio.h"
#include "protocol/spaced_output.h"
#include "protocol/tee_host.h"
#include "session/open_conversation.h"
#include "transcript/session_paths.h"
#include "util/uuid.h"

#include <optional>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_provider = "gemini";
// Yume's server names its rows by the millisecond.
constexpr std::chrono::milliseconds k_row_gap{2};
constexpr std::string_view k_no_prompt_terminal =
    "Error: no prompt. Give one as an argument, for example: yume-cli \"fix the failing test\"\n"
    "yume-cli --help lists the options.";
constexpr std::string_view k_nobody_to_stay_with =
    "Error: -i goes on with a conversation, which needs a terminal for its input and its output, "
    "and "
    "neither -p nor --output-format.";
constexpr std::string_view k_not_sent =
    "Nothing was sent. `yume-cli --help` lists the commands; `yume-cli -- WORDS` sends words "
    "unasked.";

std::string unserved_provider(const std::string& provider) {
  return "Error: the provider '" + provider +
         "' is not served. yume-cli serves: " + std::string(k_provider) +
         ". Choose it, or start the program that serves '" + provider + "'.";
}

// Somebody can be asked. Hosts cannot: there a prompt is a prompt.
bool at_terminal() {
  return platform::is_terminal(platform::StandardStream::input) &&
         platform::is_terminal(platform::StandardStream::output);
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

// What a run under some face was asked for.
struct Request {
  Face face = Face::claude;
  Result<Arguments> arguments;
  std::vector<std::string> only_servers = {};  // of MCP; empty: all
  bool acp = false;                            // as an agent of editors
};

// Lines of a host come by stdin.
bool takes_lines(const Request& request) {
  return request.arguments.ok() && request.arguments->value("input-format") == "stream-json";
}

// `begun`: a session has its host's lines, or had them.
ExitCode start_session(const Request& request, protocol::LineWriter& writer,
                       runtime::LastResort& last_resort, Surroundings& around, bool& begun) {
  const Face face = request.face;
  const bool is_gemini = face == Face::gemini;
  const Result<Arguments>& arguments = request.arguments;
  const platform::Environment& environment = around.environment;
  learn_secrets(environment, around.redactor);
  const std::vector<std::string> ancestors = platform::ancestor_programs();
  const auto complain = [&](const std::string& message, ExitCode code) {
    return report_early_failure(face, arguments, ancestors, writer, around, message, code);
  };
  if (!arguments.ok()) return complain(arguments.error().message, ExitCode::failure);
  const auto read = read_options(*arguments, environment, face);
  if (const auto* problem = std::get_if<UsageError>(&read)) {
    return complain(problem->message, problem->code);
  }
  Options options = std::get<Options>(read);
  if (options.picks_session && !asks_person(options)) {
    return complain(std::string(k_no_session_id), ExitCode::failure);
  }
  if (!request.only_servers.empty()) options.only_servers = request.only_servers;
  const bool stdin_is_terminal = platform::is_terminal(platform::StandardStream::input);
  if (!options.prompt && stdin_is_terminal) options.prompt = options.doubtful_prompt;
  if (options.action != Action::run_turn) {
    writer.bytes(options.action == Action::show_help ? help_text() : version_text());
    return ExitCode::success;
  }
  if (options.acp || request.acp) {
    const auto log = open_log(options);
    if (!log.ok()) return complain("Error: " + log.error().message, ExitCode::usage);
    RedactingLog clean_log(*log != nullptr ? **log : null_log(), around.redactor);
    begun = true;
    return serve_acp(options, writer, last_resort, clean_log, around);
  }
  if (const auto prompt = read_prompt_file(environment.cwd, *around.files, options); !prompt) {
    return complain(prompt.error().message, is_gemini ? ExitCode::input : ExitCode::usage);
  }
  if (is_gemini) {
    const auto limited = limit_turns(around, options);
    if (!limited) return complain(limited.error().message, ExitCode::configuration);
  }
  const bool person = !is_gemini && platform::is_terminal(platform::StandardStream::error) &&
                      options.output_format != OutputFormat::stream_json;
  if (person) {
    for (const std::string& warning : argument_warnings(*arguments, known_tool_names())) {
      (void)around.err->write(warning + "\n");
    }
  }
  OverflowFiles overflow(*around.files, config::overflow_folder(environment));
  // For what is reported before there is a session.
  const std::string id = options.session.id.value_or(make_uuid());
  // Until the settings are read, what is known without them counts.
  Options early = options;
  settle_dialect(config::SettingsStack(), ancestors, early);
  LastWords(early, overflow, environment, last_resort).prepare(id, "");
  auto log = open_log(options);
  if (!log.ok()) return complain("Error: " + log.error().message, ExitCode::usage);
  const auto models = read_model_choice(options, *around.files, environment);
  if (!models.ok()) return complain("Error: " + models.error().message, ExitCode::usage);

  settle_dialect(models->settings(), ancestors, options);
  settle_live_text(models->settings(), options);
  options.converses =
      asks_person(options) && !options.output_format && (options.stays || !options.prompt);
  if (options.stays && !options.converses) {
    return complain(std::string(k_nobody_to_stay_with), ExitCode::usage);
  }
  if (!has_login(options, *models, writer, around)) return ExitCode::failure;

  protocol::LineWriter progress(*around.err);
  protocol::SpacedOutput spaced(writer, around.clock, k_row_gap);
  const bool spaces = is_yume_server(environment) && options.dialect == DialectName::claude;
  ResultFile result_file(environment.cwd / options.cwd / options.output_file.value_or(""),
                         *around.files, *around.err);
  std::optional<runtime::TypedLines> typed;
  std::optional<runtime::TypedConversation> conversation;
  const auto commands = std::make_shared<std::vector<std::string>>();
  if (options.converses) {
    conversation.emplace(make_keyboard({.cwd = environment.cwd / options.cwd,
                                        .commands = commands,
                                        .edits = terminal_look(environment).colours},
                                       environment, *around.files));
  } else if (asks_person(options)) {
    typed.emplace(platform::stdin_stream(), platform::discard_typed_input);
  }
  auto host = make_host(options,
                        {.lines = spaces ? static_cast<protocol::Output&>(spaced) : writer,
                         .progress = progress,
                         .overflow = overflow,
                         .clock = around.clock,
                         .listens_at = around.clock.steady_now() + k_app_listens_after,
                         .typed = typed ? &*typed : nullptr,
                         .conversation = conversation ? &*conversation : nullptr},
                        id, environment);
  if (options.output_file) {
    host = std::make_unique<protocol::TeeHost>(
        std::move(host), make_result_host(options, result_file, overflow, id, environment));
  }
  const Rejection rejection(options, *host, *around.err, around.clock);
  // The user named whom to talk to: nothing may go to anybody else.
  if (options.has_provider && options.provider != k_provider) {
    return rejection.report(id, unserved_provider(options.provider));
  }
  if (options.input_format == InputFormat::text) {
    // An empty prompt under Gemini's face means that stdin has it.
    if (is_gemini && options.prompt && core::UserMessage(*options.prompt).blank() &&
        stdin_text(options) == StdinText::adds_to_the_prompt) {
      options.prompt.reset();
    }
    if (!is_gemini && !options.prompt && stdin_is_terminal && !options.output_format &&
        !options.converses) {
      return complain(std::string(k_no_prompt_terminal), ExitCode::usage);
    }
    options.reconnects = options.dialect == DialectName::yume_app && !options.prompt &&
                         options.session.resume_id.has_value();
    const bool no_prompt =
        options.prompt ? core::UserMessage(*options.prompt).blank() : stdin_is_terminal;
    if (no_prompt && !options.reconnects && !options.converses)
      return rejection.report_empty_prompt(id);
  }
  auto spec = make_session_spec(
      options, *models,
      {.files = *around.files, .environment = environment, .clock = around.clock});
  if (!spec.ok()) return rejection.report(id, spec.error().message);
  if (options.git_branch) {
    const auto gone = go_to_branch(*options.git_branch, spec->cwd,
                                   {.files = *around.files,
                                    .processes = *around.processes,
                                    .environment = environment,
                                    .child_environment = spec->child_environment});
    if (!gone.ok()) return rejection.report(id, gone.error().message);
  }
  const transcript::SessionStore store =
      make_session_store(options.session.host, spec->cwd, *around.files, environment, around.clock);
  if (is_gemini) {
    const auto found = find_gemini_session(store, options.session);
    if (!found) return rejection.report(id, found.error().message);
  }
  if (options.picks_session) {
    auto chosen = choose_session_to_resume(store, options, environment, writer);
    if (!chosen.ok()) return complain(chosen.error().message, ExitCode::failure);
    if (!*chosen) return ExitCode::success;
    options.session.resume_id = *std::move(chosen).value();
  }
  auto session =
      session::open_conversation(options.session, store,
                                 {.files = *around.files,
                                  .clock = around.clock,
                                  .cwd = environment.cwd,
                                  .views = views_folder(environment),
                                  .made_by = spec->yume_view ? spec->yume_view->made_by : "",
                                  .model = spec->model.info.id});
  if (!session.ok()) return rejection.report(id, session.error().message);
  if (!session->file.empty()) overflow.move_to(transcript::tool_results_folder(session->file));
  begun = true;
  const LastWords last_words(options, overflow, environment, last_resort);
  RedactingLog clean_log(*log != nullptr ? **log : null_log(), around.redactor);
  const std::size_t max_message_bytes =
      options.max_message_bytes.value_or(models->settings()
                                             .value(&config::Settings::max_message_bytes)
                                             .value_or(config::k_max_message_bytes));
  return converse(options,
                  {.spec = std::move(spec).value(),
                   .opened = std::move(session).value(),
                   .credentials = credential_choice(options, models->settings()),
                   .max_message_bytes = max_message_bytes,
                   .open_new =
                       [&store, kept = options.session.persisted] {
                         return store.create(make_uuid(),
                                             kept ? transcript::Persistence::kept
                                                  : transcript::Persistence::memory_only);
                       }},
                  {.writer = writer,
                   .host = *host,
                   .log = clean_log,
                   .last_resort = last_resort,
                   .last_words = last_words,
                   .typed = typed ? &*typed : nullptr,
                   .conversation = conversation ? &*conversation : nullptr,
                   .commands = commands},
                  around);
}

ExitCode run_request(const Request& request, const platform::Environment& environment) {
  Surroundings around(environment);
  const bool nobody_reads = request.arguments.ok() && request.arguments->on("async");
  const auto out =
      platform::stdout_stream(nobody_reads ? platform::WhenFull::drops : platform::WhenFull::waits);
  protocol::LineWriter writer(*out);
  runtime::LastResort last_resort(writer);
  try {
    bool begun = false;
    const ExitCode code = start_session(request, writer, last_resort, around, begun);
    if (!begun && code != ExitCode::success && takes_lines(request)) take_first_lines();
    return code;
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
