// SPDX-License-Identifier: MIT
#include "app/run.h"

#include "agent/web_fetcher.h"
#include "app/argv.h"
#include "app/auth_command.h"
#include "app/controller.h"
#include "app/credentials.h"
#include "app/demo_command.h"
#include "app/doctor_command.h"
#include "app/help.h"
#include "app/host_dialogue.h"
#include "app/known_secrets.h"
#include "app/mailbox.h"
#include "app/model_choice.h"
#include "app/models_command.h"
#include "app/options.h"
#include "app/overflow_files.h"
#include "app/session_open.h"
#include "app/session_setup.h"
#include "app/sessions_command.h"
#include "app/stdin_pump.h"
#include "app/viewed_strategy.h"
#include "hooks/hook_runner.h"
#include "net/curl_transport.h"
#include "permissions/policy.h"
#include "platform/signals.h"
#include "platform/stdio.h"
#include "protocol/claude_dialect.h"
#include "protocol/plain_output.h"
#include "protocol/yume_dialect.h"
#include "session/session_paths.h"
#include "strategies/gemini_rest.h"
#include "tools/registry.h"
#include "util/uuid.h"

#include <cstdlib>
#include <thread>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

// Yume leaves stdin as it was, which may be a pipe that nobody ever writes to or closes.
constexpr std::chrono::milliseconds k_stdin_patience{3'000};
constexpr std::chrono::milliseconds k_last_resort{1'500};
constexpr std::string_view k_no_prompt_terminal =
    "Error: no prompt. Give one as an argument, for example: yume-cli \"fix the failing test\"\n"
    "yume-cli --help lists the options.";
constexpr std::string_view k_no_prompt =
    "Error: Input must be provided either through stdin or as a prompt argument when using --print";
constexpr std::string_view k_no_text = "Error: the message has no text";
constexpr std::string_view k_no_prompt_yume =
    "Error: the prompt is empty; pass it with --prompt or on stdin";

// The outside world of one run, made before anything is decided.
struct Surroundings {
  explicit Surroundings(const platform::Environment& started_with) : environment(started_with) {}

  const platform::Environment& environment;
  std::unique_ptr<platform::OutputStream> out = platform::stdout_stream();
  std::unique_ptr<platform::OutputStream> err = platform::stderr_stream();
  std::unique_ptr<platform::FileSystem> files = platform::make_system_file_system();
  std::unique_ptr<platform::ProcessRunner> processes = platform::make_process_runner();
  platform::SystemClock clock;
  Redactor redactor;
};

std::unique_ptr<protocol::Emitter> make_dialect(const Options& options, protocol::Output& output,
                                                protocol::OverflowStore& overflow,
                                                const std::string& session_id) {
  if (options.dialect == DialectName::yume) {
    return std::make_unique<protocol::YumeDialect>(output, overflow, session_id);
  }
  return std::make_unique<protocol::ClaudeDialect>(
      output, overflow, session_id,
      options.partial_messages ? protocol::PartialMessages::yes : protocol::PartialMessages::no);
}

std::unique_ptr<protocol::Emitter> make_emitter(const Options& options, protocol::Output& output,
                                                protocol::OverflowStore& overflow,
                                                const std::string& session_id) {
  if (!options.output_format && platform::is_terminal(platform::StandardStream::output)) {
    return std::make_unique<protocol::TerminalOutput>(output);
  }
  switch (options.output_format.value_or(OutputFormat::text)) {
    case OutputFormat::stream_json:
      return make_dialect(options, output, overflow, session_id);
    case OutputFormat::json:
      return std::make_unique<protocol::JsonOutput>(
          output,
          options.verbose ? protocol::JsonDetail::all_lines : protocol::JsonDetail::result_only,
          [&](protocol::Output& inner) {
            return make_dialect(options, inner, overflow, session_id);
          });
    case OutputFormat::text:
      break;
  }
  return std::make_unique<protocol::TextOutput>(output);
}

// Drops what a full or closed stderr cannot take, so that --debug never holds up a turn.
class StderrLog final : public Log {
 public:
  void write(std::string_view area, std::string_view message) override {
    std::string line = "[";
    line.append(area).append("] ").append(message).push_back('\n');
    (void)stream_->write(line);
  }

 private:
  std::unique_ptr<platform::OutputStream> stream_ = platform::stderr_stream();
};

Result<std::unique_ptr<Log>> open_log(const Options& options) {
  if (options.debug_file) return open_file_log(*options.debug_file);
  if (options.debug) return std::unique_ptr<Log>(std::make_unique<StderrLog>());
  return std::unique_ptr<Log>();
}

// For what is too long for a line while there is no session to keep it beside.
fs::path overflow_directory(const platform::Environment& environment) {
  return environment.home.empty() ? fs::path() : environment.home / ".yume" / "tmp";
}

// Says that no turn could begin, in the way the host listens: lines for those who read lines, and
// stderr where Claude writes there.
ExitCode reject(const Options& options, const std::string& why, protocol::Emitter& emitter,
                Surroundings& around) {
  const bool lines = options.output_format == OutputFormat::stream_json;
  const bool yume = options.dialect == DialectName::yume;
  if (lines) {
    core::TurnDone done;
    done.outcome = core::TurnOutcome::rejected;
    done.failure = core::FailureKind::invalid_request;
    done.text = why;
    done.num_turns = 0;
    done.stop = core::StopReason::aborted;
    done.duration = std::chrono::milliseconds(1);
    emitter.on_event(done, around.clock.steady_now());
  }
  const bool one_shot = options.input_format == InputFormat::text;
  if (!lines || (!yume && one_shot)) (void)around.err->write(why + "\n");
  return ExitCode::failure;
}

// One-shot, Claude says this on stderr alone; Yume's window shows lines, and a host that has sent a
// message waits for the result of it.
ExitCode reject_empty_prompt(const Options& options, protocol::Emitter& emitter,
                             Surroundings& around) {
  const bool waits = options.input_format == InputFormat::stream_json;
  if (waits || options.dialect == DialectName::yume) {
    return reject(options, std::string(waits ? k_no_text : k_no_prompt_yume), emitter, around);
  }
  (void)around.err->write(std::string(k_no_prompt) + "\n");
  return ExitCode::failure;
}

// Tells the signal thread that the program is ending by itself.
struct StopOnExit {
  CancelSource& source;
  ~StopOnExit() { source.request_stop(); }
};

std::string hooks_not_run(std::string_view who, const std::vector<std::string>& which) {
  std::string text(who);
  text += " has hooks that yume-cli does not run: ";
  for (const std::string& one : which) text += (&one == &which.front() ? "" : ", ") + one;
  return text +
         ". It runs those of PreCompact: commands, and functions of hosts in Claude's dialect.";
}

// A host that is written to in another form would never hear that its functions are called.
bool can_be_called(const Options& options) {
  return options.output_format == OutputFormat::stream_json &&
         options.dialect == DialectName::claude;
}

protocol::HostHookService register_hooks(const Options& options,
                                         const std::vector<core::HostHookGroup>& groups,
                                         hooks::HookRunner& hooks,
                                         strategies::GeminiRest& strategy) {
  if (groups.empty()) {
    hooks.register_host_hooks({});
    return protocol::HostHookService::none_asked;
  }
  std::vector<std::string> not_served;
  if (can_be_called(options)) {
    not_served = hooks.register_host_hooks(groups);
  } else {
    for (const core::HostHookGroup& group : groups) not_served.push_back(group.event);
  }
  if (not_served.empty()) return protocol::HostHookService::all;
  strategy.add_notice(hooks_not_run("The host", not_served));
  return protocol::HostHookService::not_all;
}

ExitCode converse(const Options& options, const PreparedSession& prepared,
                  session::OpenedSession session, protocol::LineWriter& writer,
                  protocol::Emitter& emitter, Log& log, Surroundings& around) {
  const tools::Registry registry = choose_tools(options);
  permissions::PolicySettings permitted =
      policy_settings(options, *around.files, around.environment);
  const std::vector<fs::path> workspace = permitted.roots;
  const fs::path long_outputs = session.file.empty()
                                    ? output_directory(around.environment, session.id)
                                    : session::tool_results_folder(session.file);
  if (auto real = around.files->real_path(long_outputs); real.ok()) {
    permitted.readable.push_back(std::move(real).value());
  }
  permissions::ModePolicy policy(std::move(permitted));
  net::CurlTransport transport(around.clock, curl_options(around.environment));
  agent::WebFetcher web(
      [&around] {
        return std::make_unique<net::CurlTransport>(around.clock, curl_options(around.environment));
      },
      around.clock);
  auth::CredentialChain credentials = make_credential_chain(options, workspace,
                                                            {.environment = around.environment,
                                                             .files = *around.files,
                                                             .processes = *around.processes,
                                                             .clock = around.clock,
                                                             .transport = transport,
                                                             .log = log});
  strategies::GeminiSettings settings = gemini_settings(options, prepared, around.environment);
  settings.past = std::move(session.past);
  settings.notices = std::move(session.notices);
  settings.shell.roots = workspace;
  settings.output_directory = long_outputs;
  Mailbox mailbox;  // before the strategy, whose background commands report to it
  HostDialogue dialogue(mailbox);
  hooks::HookRunner hooks(prepared.hooks,
                          {.session_id = session.id,
                           .transcript = session.file,
                           .cwd = prepared.cwd,
                           .mode = [&policy] { return policy.mode(); }},
                          {.processes = *around.processes,
                           .host = dialogue,
                           .redactor = around.redactor,
                           .environment = settings.child_environment,
                           .tells_events = options.hook_events});
  if (!prepared.hooks.not_run.empty()) {
    settings.notices.push_back(hooks_not_run("The user", prepared.hooks.not_run));
  }
  strategies::GeminiRest strategy(std::move(settings),
                                  {.files = *around.files,
                                   .processes = *around.processes,
                                   .clock = around.clock,
                                   .transport = transport,
                                   .credentials = credentials,
                                   .tools = registry,
                                   .policy = policy,
                                   .journal = *session.journal,
                                   .hooks = hooks,
                                   .host = options.host_answers ? &dialogue : nullptr,
                                   .redactor = around.redactor,
                                   .log = log,
                                   .web = &web});
  std::optional<session::YumeView> view;
  std::optional<ViewedStrategy> viewed;
  if (auto view_settings = yume_view_settings(options, session, prepared, around.environment)) {
    view.emplace(*std::move(view_settings), *session.journal, around.clock);
    viewed.emplace(strategy, *view, log);
  }
  CancelSource finished;
  int interrupts = 0;  // touched by the signal thread only
  const auto signals = platform::start_signal_pump([&](platform::Signal signal) {
    mailbox.post_control(SignalReceived{signal});
    // The main thread may hang in a write that no reader takes. What ends the program ends it then,
    // too; children die with us.
    const bool gentle = signal == platform::Signal::interrupt;
    const bool ends = !gentle || ++interrupts > 1;
    if (ends && around.clock.sleep_for(k_last_resort, finished.get_token())) {
      std::_Exit(static_cast<int>(gentle ? ExitCode::failure : ExitCode::terminated));
    }
  });
  const StopOnExit stop{finished};
  const std::jthread reader_watch([&mailbox](const CancelToken& cancel) {
    if (platform::wait_for_lost_reader(cancel)) mailbox.post_control(ReaderLost{});
  });
  const auto input = platform::stdin_stream();
  const bool streams_in = options.input_format == InputFormat::stream_json;
  std::optional<StdinPump> pump;
  if (streams_in || !options.prompt) {
    pump.emplace(*input, streams_in ? StdinContent::stream_json : StdinContent::text_prompt,
                 mailbox);
  }
  Controller controller(
      {.mailbox = mailbox,
       .writer = writer,
       .emitter = emitter,
       .strategy = viewed ? static_cast<strategies::Strategy&>(*viewed) : strategy,
       .stderr_stream = *around.err,
       .clock = around.clock,
       .stdin_patience =
           options.has_provider && !streams_in ? std::optional(k_stdin_patience) : std::nullopt,
       .reject_empty_prompt = [&] { return reject_empty_prompt(options, emitter, around); },
       .on_answer = [&dialogue](const protocol::HostReply& reply) { dialogue.answer(reply); },
       .on_stdin_closed = [&dialogue] { dialogue.close(); },
       .on_initialize =
           [&options, &strategy, &hooks](const protocol::InitializeRequest& request) {
             strategy.set_prompt(request.system_prompt, request.append_system_prompt);
             return register_hooks(options, request.hooks, hooks, strategy);
           }},
      {.session_id = session.id,
       .model = prepared.model.id,
       .cwd = prepared.cwd.string(),
       .mode = options.permission_mode.value_or(core::PermissionMode::default_mode),
       .tools = registry.names(),
       .credential_source = credential_source_label(credentials, around.environment)});
  return controller.run(streams_in ? std::nullopt : options.prompt);
}

}  // namespace

ExitCode run_session(const std::vector<std::string>& tokens,
                     const platform::Environment& environment) {
  Surroundings around(environment);
  learn_secrets(environment, around.redactor);
  protocol::LineWriter writer(*around.out);
  const auto complain = [&around](const std::string& message, ExitCode code) {
    (void)around.err->write(message + "\n");
    return code;
  };
  const auto arguments = parse_arguments(tokens);
  if (!arguments.ok()) return complain(arguments.error().message, ExitCode::failure);
  const auto read = read_options(*arguments, environment);
  if (const auto* problem = std::get_if<UsageError>(&read)) {
    return complain(problem->message, problem->code);
  }
  Options options = std::get<Options>(read);
  const bool stdin_is_terminal = platform::is_terminal(platform::StandardStream::input);
  if (!options.prompt && stdin_is_terminal) options.prompt = options.doubtful_prompt;
  if (options.action != Action::run_turn) {
    writer.bytes(options.action == Action::show_help ? help_text() : version_text());
    return ExitCode::success;
  }
  auto log = open_log(options);
  if (!log.ok()) return complain("Error: " + log.error().message, ExitCode::usage);
  const auto models = read_model_choice(options, *around.files, environment);
  if (!models.ok()) return complain("Error: " + models.error().message, ExitCode::usage);

  OverflowFiles overflow(*around.files, overflow_directory(environment));
  const auto emitter =
      make_emitter(options, writer, overflow, options.session.id.value_or(make_uuid()));
  if (options.input_format == InputFormat::text) {
    if (!options.prompt && stdin_is_terminal && !options.output_format) {
      return complain(std::string(k_no_prompt_terminal), ExitCode::usage);
    }
    if (options.prompt ? core::UserMessage(*options.prompt).blank() : stdin_is_terminal) {
      return reject_empty_prompt(options, *emitter, around);
    }
  }
  auto prepared = prepare_session(options, *around.files, around.environment);
  if (!prepared.ok()) return reject(options, prepared.error().message, *emitter, around);
  prepared->model = models->choose(options.model, around.clock.wall_now());
  prepared->model_is_guessed = !models->lists(prepared->model.id);
  prepared->compact_threshold = models->settings().compact_threshold;
  prepared->hooks = models->settings().hooks;
  prepared->price = [&models, &around](const std::string& model, const core::Usage& usage) {
    return gemini::cost_usd(models->choose(model, around.clock.wall_now()), usage);
  };
  const SessionWorld world{
      .files = *around.files, .environment = environment, .clock = around.clock};
  const session::SessionStore store = make_session_store(options, prepared->cwd, world);
  auto session = open_session(options, store, world);
  if (!session.ok()) return reject(options, session.error().message, *emitter, around);
  if (!session->file.empty()) overflow.move_to(session::tool_results_folder(session->file));
  RedactingLog clean_log(*log != nullptr ? **log : null_log(), around.redactor);
  return converse(options, *prepared, std::move(session).value(), writer, *emitter, clean_log,
                  around);
}

ExitCode run(const std::vector<std::string>& tokens) {
  platform::prepare_process();
  const platform::Environment environment = platform::read_environment();
  conceal_secrets(environment);
  const std::string command = tokens.empty() ? "" : tokens.front();
  const std::vector<std::string> rest(tokens.begin() + (tokens.empty() ? 0 : 1), tokens.end());
  const auto out = platform::stdout_stream();
  protocol::LineWriter writer(*out);
  // Ctrl-C simply ends these two; all others take signals as messages.
  if (command == "sessions") return run_sessions(rest, environment, writer);
  if (command == "models") return run_models(rest, environment, writer);
  platform::block_signals();  // before the demo's server starts its threads
  if (command == "demo") return run_demo(rest, environment);
  if (command == "auth") return run_auth(rest, environment, curl_options(environment), writer);
  if (command == "doctor") return run_doctor(rest, environment, curl_options(environment), writer);
  return run_session(tokens, environment);
}

}  // namespace yume::app
