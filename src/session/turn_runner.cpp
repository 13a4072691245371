// SPDX-License-Identifier: MIT
#include "session/turn_runner.h"

#include "transcript/session_paths.h"
#include "transcript/tool_response.h"
#include "util/path_text.h"
#include "util/plain_name.h"

#include <algorithm>
#include <utility>

namespace yume::session {
namespace {

namespace fs = std::filesystem;

fs::path output_directory(const config::SessionSpec& spec,
                          const transcript::OpenedSession& opened) {
  if (!opened.file.empty()) return transcript::tool_results_folder(opened.file);
  if (spec.output_directory.empty()) return {};
  return spec.output_directory / plain_name(opened.id);
}

permissions::PolicySettings policy_settings(const config::SessionSpec& spec,
                                            const fs::path& long_outputs,
                                            const platform::FileSystem& files) {
  permissions::PolicySettings settings = spec.permissions;
  // The model is told to read what was too long to show.
  if (auto real = files.real_path(long_outputs); real.ok()) {
    settings.readable.push_back(std::move(real).value());
  }
  return settings;
}

std::vector<std::string> first_notices(const config::SessionSpec& spec,
                                       std::vector<std::string> of_opening) {
  std::vector<std::string> notices = std::move(of_opening);
  notices.insert(notices.end(), spec.notices.begin(), spec.notices.end());
  const std::vector<std::string>& not_run = spec.hooks.settings.not_run;
  if (!not_run.empty()) notices.push_back(hooks::not_run_notice("The user", not_run));
  return notices;
}

// "/compact" and what the summary should dwell on; nullopt for everything else.
std::optional<std::string> compact_command(const core::UserMessage& message) {
  auto line = read_slash_line(message);
  if (!line || line->name != "compact") return std::nullopt;
  return std::move(line->arguments);
}

core::SessionSource source_of(const transcript::OpenedSession& opened) {
  if (opened.size_at_open) return core::SessionSource::resume;
  return opened.past.entries.empty() ? core::SessionSource::startup : core::SessionSource::fork;
}

// A prompt that a hook has stopped: the model never got it.
core::TurnDone stopped_prompt(const std::string& why) {
  core::TurnDone done;
  done.is_local_command = true;
  done.num_turns = 0;
  done.duration = std::chrono::milliseconds(1);  // hosts test for > 0
  done.text = "UserPromptSubmit operation blocked by hook:\n" + why;
  return done;
}

}  // namespace

tools::Registry choose_tools(const config::ToolChoice& choice, const permissions::RuleSet& rules) {
  tools::Registry registry = tools::make_builtin_tools();
  if (choice.host_answers) tools::add_question_tools(registry);
  for (const std::string& name : registry.names()) {
    const bool unwanted = choice.only && std::find(choice.only->begin(), choice.only->end(),
                                                   name) == choice.only->end();
    const bool is_denied =
        std::any_of(rules.deny.begin(), rules.deny.end(), [&name](const permissions::Rule& rule) {
          return rule.spec.empty() && (rule.tool == name || rule.tool == "*");
        });
    if (unwanted || is_denied) registry.remove(name);
  }
  return registry;
}

TurnRunner::TurnRunner(config::SessionSpec spec, transcript::OpenedSession opened,
                       Services& services, core::HostPort& host)
    : spec_(std::move(spec)),
      opened_(std::move(opened)),
      services_(services),
      port_(host, {.session_id = opened_.id}),
      long_outputs_(output_directory(spec_, opened_)),
      policy_(policy_settings(spec_, long_outputs_, services.files)),
      tools_(choose_tools(spec_.tools, spec_.permissions.rules)),
      transport_(services.make_transport()),
      web_(services.make_transport, services.clock),
      hooks_(spec_.hooks.settings,
             {.session_id = opened_.id,
              .transcript = opened_.file,
              .cwd = spec_.cwd,
              .mode = [this] { return policy_.mode(); },
              .tool_response = transcript::tool_response},
             {.processes = services.processes,
              .host = port_,
              .redactor = services.redactor,
              .cwd = spec_.cwd,
              .environment = spec_.child_environment,
              .reports_events = spec_.hooks.reports_events,
              .put_behind_wall =
                  [this](platform::ProcessSpec& program) { put_behind_wall(program); }}),
      source_(source_of(opened_)),
      work_(spec_.shell),
      notices_(first_notices(spec_, std::move(opened_.notices))),
      context_(opened_.past.last_request) {
  if (spec_.yume_view && !opened_.file.empty()) {
    view_.emplace(transcript::ViewSettings{.folder = spec_.yume_view->folder,
                                           .session_file = opened_.file,
                                           .size_at_open = opened_.size_at_open,
                                           .model = spec_.model.info.id,
                                           .price = spec_.yume_view->price,
                                           .made_by = spec_.yume_view->made_by},
                  *opened_.journal, services.clock);
  }
  work_.restore(opened_.past.state, spec_.cwd, services.files);
  strategy_ = services.make_strategy(
      std::move(opened_.past),
      {.spec = spec_,
       .files = services.files,
       .clock = services.clock,
       .transport = *transport_,
       .credentials = services.credentials,
       .tools = tools_,
       .policy = policy_,
       .hooks = hooks_,
       .host = spec_.tools.host_answers ? &port_ : nullptr,
       .redactor = services.redactor,
       .log = services.log,
       .tool_context = [this](const CancelToken& cancel) { return tool_context(cancel); },
       .carry_over = [this] { return work_.carry_over(); }});
}

TurnRunner::~TurnRunner() = default;

core::SessionStarted TurnRunner::info() const {
  return {.session_id = opened_.id,
          .model = spec_.model.info.id,
          .cwd = to_utf8(spec_.cwd),
          .mode = policy_.mode(),
          .tools = tools_.names(),
          .credential_source = spec_.credential_source,
          .context = context()};
}

std::optional<std::string> TurnRunner::set_mode(core::PermissionMode mode) {
  permissions::UpdateOutcome outcome = policy_.apply(core::ModeUpdate{.mode = mode});
  if (outcome.holds) return std::nullopt;
  return std::move(outcome.problem);
}

bool TurnRunner::serves_hooks(const core::Initialize& settings) const {
  return hooks::events_not_served(settings.hooks, port_.can_be_asked()).empty();
}

void TurnRunner::initialize(const core::Initialize& settings) {
  if (settings.system_prompt) spec_.prompt.replacement = settings.system_prompt;
  if (!settings.append_system_prompt.empty()) {
    spec_.prompt.appended = settings.append_system_prompt;
  }
  const bool can_be_asked = port_.can_be_asked();
  hooks_.register_host_hooks(can_be_asked ? settings.hooks : std::vector<core::HostHookGroup>{});
  const auto not_served = hooks::events_not_served(settings.hooks, can_be_asked);
  if (!not_served.empty()) add_notice(hooks::not_run_notice("The host", not_served));
}

void TurnRunner::add_notice(std::string text) {
  const bool known = std::find(notices_.begin(), notices_.end(), text) != notices_.end();
  if (!known) notices_.push_back(std::move(text));
}

void TurnRunner::post_notices() {
  for (std::string& notice : std::exchange(notices_, {})) {
    port_.post(core::Notice{std::move(notice)});
  }
}

tools::ToolContext TurnRunner::tool_context(const CancelToken& cancel) {
  std::function<bool(const fs::path&)> hides;
  if (policy_.hides_files()) hides = [this](const fs::path& path) { return policy_.hides(path); };
  return {.cwd = spec_.cwd,
          .home = spec_.home,
          .child_environment = spec_.child_environment,
          .files = services_.files,
          .processes = services_.processes,
          .clock = services_.clock,
          .memory = work_.files(),
          .cancel = cancel,
          .hides = std::move(hides),
          .shell = work_.shell(),
          .output_directory = long_outputs_,
          .redactor = &services_.redactor,
          .todos = &work_.todos(),
          .events = &port_,
          .web = &web_,
          .names_host = [this](std::string_view host) { return policy_.names_host(host); }};
}

void TurnRunner::put_behind_wall(platform::ProcessSpec& spec) {
  const tools::CommandWall* wall = work_.shell().wall_for({}, spec_.cwd, &port_);
  if (wall != nullptr) tools::put_behind(*wall, spec);
}

void TurnRunner::record(const core::UserMessage& message) {
  // A hook may stop it, and then it never was.
  if (!hooks_.has(core::HookEvent::user_prompt_submit)) keep_prompt(message);
}

void TurnRunner::keep_prompt(const core::UserMessage& message) {
  const bool is_command = compact_command(message) || local_command(message);
  if (!is_command) opened_.journal->prompt(message);
}

void TurnRunner::end(const CancelToken& cancel) {
  if (!source_) hooks_.session_ended(cancel);
}

core::TurnDone TurnRunner::think(const core::UserMessage& message, Recorder& recorder,
                                 const CancelToken& cancel) {
  std::vector<std::string> news = work_.shell().background().take_end_reports();
  const auto add = [&news](std::string text) {
    if (!text.empty()) news.push_back(std::move(text));
  };
  if (const auto source = std::exchange(source_, std::nullopt)) {
    add(hooks_.session_started(*source, port_, cancel));
  }
  if (hooks_.has(core::HookEvent::user_prompt_submit)) {
    core::PromptAdvice advice = hooks_.before_prompt(message.text(), port_, cancel);
    if (advice.veto) return stopped_prompt(*advice.veto);
    add(std::move(advice.context));
    keep_prompt(message);
  }
  return strategy_->run({.message = message, .news = std::move(news)}, recorder, cancel);
}

core::TurnDone TurnRunner::run(const core::UserMessage& message, const CancelToken& cancel) {
  if (view_) view_->on_turn_begun();
  post_notices();
  Recorder recorder(*opened_.journal, port_, [this] { return work_.take_changes(); });
  core::TurnDone done;
  if (const auto command = local_command(message)) {
    done = answer_locally(*command, recorder, cancel);
  } else {
    const auto focus = compact_command(message);
    done = focus ? strategy_->compact(*focus, recorder, cancel) : think(message, recorder, cancel);
    recorder.end_turn(done);
    if (!done.last_request.empty() || done.compacted) set_context(done.last_request);
  }
  done.context = context();
  if (view_) view_->on_turn_done(done);
  return done;
}

void TurnRunner::after_result() {
  opened_.journal->sync();
  if (!view_) return;
  if (const auto written = view_->after_result(); !written) {
    services_.log.write("sessions", written.error().message);
  }
}

core::Usage TurnRunner::context() const {
  const std::lock_guard lock(context_mutex_);
  return context_;
}

void TurnRunner::set_context(const core::Usage& usage) {
  const std::lock_guard lock(context_mutex_);
  context_ = usage;
}

SessionFacts TurnRunner::facts() const {
  return {.model = spec_.model.info.id,
          .price_known = !spec_.model.info.prices.empty(),
          .by_model = strategy_->usage(),
          .compaction_share = strategy_->compaction_share()};
}

// The model is not asked, and the conversation stays as it is.
core::TurnDone TurnRunner::answer_locally(LocalCommand command, Recorder& recorder,
                                          const CancelToken& cancel) {
  const platform::SteadyTime start = services_.clock.steady_now();
  SessionFacts now = facts();
  if (command == LocalCommand::context) {
    const strategies::ContextUse use = strategy_->measure_context(recorder, cancel);
    now.context_tokens = use.tokens;
    now.window = use.window;
  }
  core::TurnDone done;
  done.is_local_command = true;
  done.num_turns = 0;
  done.text = answer_of(command, now);
  done.by_model = now.by_model;
  done.last_request = context();
  const auto took =
      std::chrono::duration_cast<std::chrono::milliseconds>(services_.clock.steady_now() - start);
  done.duration = std::max(took, std::chrono::milliseconds(1));  // hosts test for > 0
  return done;
}

}  // namespace yume::session
