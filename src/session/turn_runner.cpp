// SPDX-License-Identifier: MIT
#include "session/turn_runner.h"

#include "agent/context_gauge.h"
#include "core/tool_names.h"
#include "session/mismatch_log.h"
#include "session/session_places.h"
#include "session/subagents/agent_tool.h"
#include "session/subagents/task_tools.h"
#include "tools/session_tools.h"
#include "transcript/tool_response.h"
#include "util/path_text.h"

#include <algorithm>
#include <utility>

namespace yume::session {
namespace {

namespace fs = std::filesystem;

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

core::SessionSource source_of(const transcript::OpenedSession& opened) {
  if (opened.size_at_open) return core::SessionSource::resume;
  return opened.past.entries.empty() ? core::SessionSource::startup : core::SessionSource::fork;
}

// The model never got the prompt: a hook has stopped it, or a command in it must not run.
core::TurnDone stopped_prompt(std::string why) {
  core::TurnDone done;
  done.is_local_command = true;
  done.num_turns = 0;
  done.duration = std::chrono::milliseconds(1);  // hosts test for > 0
  done.text = std::move(why);
  return done;
}

std::unique_ptr<HostFiles> files_of_host(Services& services, core::Questions& host) {
  const core::HostAbilities& abilities = services.host;
  if (!abilities.reads_files && !abilities.writes_files) return nullptr;
  return std::make_unique<HostFiles>(services.files, host, abilities);
}

std::unique_ptr<HostTerminals> terminals_of_host(Services& services, core::SessionPort& host) {
  if (!services.host.shows_terminals) return nullptr;
  return std::make_unique<HostTerminals>(host, host, services.clock);
}

}  // namespace

TurnRunner::TurnRunner(config::SessionSpec spec, transcript::OpenedSession opened,
                       Services& services, core::HostPort& host)
    : spec_(std::move(spec)),
      opened_(std::move(opened)),
      services_(services),
      host_(host),
      port_(host, {.session_id = opened_.id}),
      long_outputs_(output_directory(spec_, opened_)),
      policy_(policy_settings(spec_, long_outputs_, services.files)),
      catalog_(spec_.agents, spec_.cwd, spec_.permissions.rules, services.files),
      shelf_(spec_.commands, spec_.cwd, services.files),
      tools_(choose_tools(spec_.tools, spec_.permissions.rules, &shelf_)),
      transport_(services.make_transport()),
      web_(services.make_transport, services.clock),
      hooks_(
          spec_.hooks.settings,
          {.session_id = opened_.id,
           .transcript = opened_.file,
           .cwd = spec_.cwd,
           .mode = [this] { return policy_.mode(); },
           .tool_response = transcript::tool_response,
           .agent = spec_.agents.main ? std::optional(hooks::HookAgent{.type = *spec_.agents.main})
                                      : std::nullopt,
           .tasks = [this] { return background_tasks(); }},
          {.processes = services.processes,
           .host = port_,
           .redactor = services.redactor,
           .cwd = spec_.cwd,
           .environment = spec_.child_environment,
           .line_shell = spec_.shell.line_shell,
           .reports_events = spec_.hooks.reports_events,
           .put_behind_wall =
               [this](platform::ProcessSpec& program) { put_behind_wall(program); }}),
      prompts_(
          shelf_, servers_, policy_,
          {.tools = tools_, .policy = policy_, .hooks = hooks_, .redactor = services.redactor}),
      source_(source_of(opened_)),
      checkpoints_(checkpoints_folder(spec_, opened_), services.files),
      host_files_(files_of_host(services, port_)),
      host_terminals_(terminals_of_host(services, port_)),
      work_(spec_.shell),
      notices_(first_notices(spec_, std::move(opened_.notices))),
      servers_(spec_.mcp.servers, server_deps()),
      first_model_(spec_.model),
      figures_{.context = opened_.past.last_request,
               .window = spec_.model.info.context_window,
               .model = spec_.model.info,
               .max_thinking_tokens = spec_.model.request.thinking.max_tokens,
               .session_id = opened_.id},
      subagents_(as_parent()),
      agent_hooks_(hooks_, subagents_, spec_.agents.hold_turn) {
  open_view();
  if (!spec_.mcp.permission_tool.empty()) {
    permission_tool_.emplace(servers_, spec_.mcp.permission_tool);
  }
  if (spec_.tools.output_schema) use_output_schema(*spec_.tools.output_schema);
  work_.restore(opened_.past.state, spec_.cwd, services.files);
  play_role();
  strategy_ = make_strategy(std::move(opened_.past));
  serve_background_agents(tools_, subagents_);
  offer_agents();
}

void TurnRunner::open_view() {
  if (!spec_.yume_view || opened_.file.empty()) return;
  view_.emplace(transcript::ViewSettings{.folder = spec_.yume_view->folder,
                                         .session_file = opened_.file,
                                         .size_at_open = opened_.size_at_open,
                                         .model = spec_.model.info.id,
                                         .price = spec_.yume_view->price,
                                         .made_by = spec_.yume_view->made_by},
                *opened_.journal, services_.clock);
}

std::unique_ptr<strategies::Strategy> TurnRunner::make_strategy(core::Conversation past) {
  return services_.make_strategy(
      std::move(past),
      {.spec = spec_,
       .files = services_.files,
       .clock = services_.clock,
       .transport = *transport_,
       .credentials = services_.credentials,
       .tools = tools_,
       .policy = policy_,
       .hooks = agent_hooks_,
       .host = who_answers(),
       .redactor = services_.redactor,
       .log = services_.log,
       .refresh_tools = [this] { refresh_tools(); },
       .fall_back = [this](const std::string& why) { return fall_back(why); },
       .tool_context = [this](const CancelToken& cancel) { return tool_context(cancel); },
       .mode = [this] { return policy_.mode(); },
       .carry_over = [this] { return work_.carry_over(); }});
}

// The tools of servers know their servers, which must not outlive what they work with.
TurnRunner::~TurnRunner() {
  tools_.remove_remote();
}

core::SessionStarted TurnRunner::info() const {
  std::vector<std::string> commands = shelf_.names();
  if (shelf_.enabled()) {
    for (mcp::PromptCommand& prompt : servers_.prompts()) commands.push_back(prompt.name);
  }
  const std::scoped_lock lock(tools_mutex_, figures_mutex_);
  return {.session_id = figures_.session_id,
          .model = figures_.model.id,
          .cwd = to_utf8(spec_.cwd),
          .mode = policy_.mode(),
          .tools = tools_.names(),
          .slash_commands = std::move(commands),
          .skills = shelf_.skill_names(),
          .agents = catalog_.agents()->names(),
          .credential_source = spec_.credential_source,
          .context = figures_.context,
          .mcp_servers = servers_.states()};
}

Result<config::ModelSpec> TurnRunner::model_named(const std::string& name) const {
  if (name.empty()) return first_model_;
  if (!spec_.models.choose) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "The model of this session cannot be changed."};
  }
  config::ModelSpec model = spec_.models.choose(name);
  if (spec_.limits.max_budget_usd && model.info.prices.empty()) {
    return Error{
        .code = ErrorCode::invalid_argument,
        .message = "The price of " + model.info.id +
                   " is not known, and this session has a budget (--max-budget-usd). "
                   "Choose another model, or add its prices to `models` in settings.json."};
  }
  return model;
}

void TurnRunner::use_model(const config::ModelSpec& model) {
  const gemini::ThinkingRequest thinking = spec_.model.request.thinking;
  spec_.model = model;
  spec_.model.request.thinking = thinking;
  {
    const std::lock_guard lock(figures_mutex_);
    figures_.model = model.info;
    figures_.window = model.info.context_window;
  }
  strategy_->reconsider();
}

// Once: what the other one cannot do either is the turn's failure.
bool TurnRunner::fall_back(const std::string& why) {
  const std::string name = std::exchange(spec_.fallback_model, {});
  if (name.empty()) return false;
  const auto model = model_named(name);
  const std::string before = spec_.model.info.id;
  if (!model.ok() || model->info.id == before) return false;
  use_model(*model);
  port_.post(core::Notice{before + " is too busy (" + why + "). The session goes on with " +
                          model->info.id + ", as --fallback-model says."});
  return true;
}

void TurnRunner::limit_thinking(std::optional<std::int64_t> max_tokens) {
  gemini::ThinkingRequest& thinking = spec_.model.request.thinking;
  thinking = first_model_.request.thinking;
  if (max_tokens) {
    thinking = {.max_tokens = max_tokens, .display = thinking.display};
  }
  {
    const std::lock_guard lock(figures_mutex_);
    figures_.max_thinking_tokens = thinking.max_tokens;
  }
  strategy_->reconsider();
}

core::ContextReport TurnRunner::context_report() const {
  const std::lock_guard lock(figures_mutex_);
  const core::Usage& last = figures_.context;
  return {.model = figures_.model.id,
          .tokens = std::max(last.prompt_tokens + last.output_tokens, figures_.prefix_tokens),
          .prefix_tokens = figures_.prefix_tokens,
          .window = figures_.window,
          .compaction_share =
              spec_.limits.compaction_share.value_or(agent::compaction_share(figures_.model))};
}

core::SettingsReport TurnRunner::settings_report() const {
  const std::lock_guard lock(figures_mutex_);
  return {.model = figures_.model.id,
          .mode = policy_.mode(),
          .max_thinking_tokens = figures_.max_thinking_tokens,
          .files = spec_.settings_files};
}

std::string TurnRunner::cost_text() const {
  const std::lock_guard lock(figures_mutex_);
  return answer_of(LocalCommand::cost, {.model = figures_.model.id,
                                        .price_known = !figures_.model.prices.empty(),
                                        .by_model = figures_.by_model});
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
  if (settings.agents) {
    play_role();
    offer_agents();
  }
  if (settings.forward_subagent_text) spec_.agents.forward_text = true;
  if (settings.output_schema) use_output_schema(*settings.output_schema);
  const bool can_be_asked = port_.can_be_asked();
  host_hooks_ = can_be_asked ? settings.hooks : std::vector<core::HostHookGroup>{};
  hooks_.register_host_hooks(host_hooks_);
  const auto not_served =
      hooks::without_mere_reports(hooks::events_not_served(settings.hooks, can_be_asked));
  if (!not_served.empty()) add_notice(hooks::not_run_notice("The host", not_served));
}

// The strategy takes the tools and limits when the first turn starts.
void TurnRunner::use_output_schema(const RawJson& schema) {
  auto tool = tools::make_structured_output_tool(schema);
  if (!tool.ok()) return add_notice("The schema of the answer " + tool.error().message);
  const std::lock_guard lock(tools_mutex_);
  tools_.remove(core::k_structured_output);
  tools_.add(std::move(tool).value());
  spec_.limits.wants_structured_output = true;
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

std::function<void(const fs::path&)> TurnRunner::before_change() {
  if (!checkpoints_.on()) return {};
  return [this](const fs::path& file) { checkpoints_.before_change(file); };
}

platform::FileSystem& TurnRunner::files_for_tools(const CancelToken& cancel) {
  if (host_files_ == nullptr) return services_.files;
  host_files_->use(cancel);
  return *host_files_;
}

tools::ToolContext TurnRunner::tool_context(const CancelToken& cancel) {
  std::function<bool(const fs::path&)> hides;
  if (policy_.hides_files()) hides = [this](const fs::path& path) { return policy_.hides(path); };
  return {.cwd = spec_.cwd,
          .home = spec_.home,
          .child_environment = spec_.child_environment,
          .files = files_for_tools(cancel),
          .processes = services_.processes,
          .terminals = host_terminals_.get(),
          .clock = services_.clock,
          .memory = work_.files(),
          .cancel = cancel,
          .hides = std::move(hides),
          .shell = work_.shell(),
          .output_directory = long_outputs_,
          .redactor = &services_.redactor,
          .todos = &work_.todos(),
          .before_change = before_change(),
          .events = &port_,
          .shows_output = spec_.tools.shows_output,
          .web = &web_,
          .names_host = [this](std::string_view host) { return policy_.names_host(host); }};
}

void TurnRunner::put_behind_wall(platform::ProcessSpec& spec) {
  const tools::CommandWall* wall = work_.shell().wall_for({}, spec_.cwd, &port_);
  if (wall != nullptr) tools::put_behind(*wall, spec);
}

std::string TurnRunner::record(const core::UserMessage& message, const std::string& uuid) {
  held_ = is_kept_late(message);
  if (!held_) return keep_prompt(message, uuid);
  held_uuid_ = uuid;
  return {};
}

// A hook may stop it, and then it never was; or the model gets another text.
bool TurnRunner::is_kept_late(const core::UserMessage& message) const {
  return hooks_.has(core::HookEvent::user_prompt_submit) || prompts_.changes(message);
}

std::string TurnRunner::keep_prompt(const core::UserMessage& message, const std::string& uuid) {
  const bool is_command = compact_command(message) || command_in(message);
  if (is_command) return {};
  std::string record = opened_.journal->prompt(message, transcript::PromptKind::typed, uuid);
  checkpoints_.begin(record);
  return record;
}

// What has to be prepared has a turn of its own, and Yume shows one prompt for each turn.
bool TurnRunner::may_join(const core::UserMessage& message) const {
  return !view_ && !is_kept_late(message);
}

void TurnRunner::end(const CancelToken& cancel) {
  if (!source_) hooks_.session_ended("other", cancel);
}

core::TurnDone TurnRunner::think(const core::UserMessage& message, const TakeMore& take_more,
                                 Recorder& recorder, const CancelToken& cancel) {
  std::vector<std::string> news = work_.shell().background().take_end_reports();
  for (std::string& report : subagents_.take_end_reports()) news.push_back(std::move(report));
  const auto add = [&news](std::string text) {
    if (!text.empty()) news.push_back(std::move(text));
  };
  if (const auto source = std::exchange(source_, std::nullopt)) {
    add(hooks_.session_started(*source, port_, cancel));
  }
  if (std::exchange(summed_up_, false)) {
    add(hooks_.session_started(core::SessionSource::compact, port_, cancel));
  }
  if (hooks_.has(core::HookEvent::user_prompt_submit)) {
    core::PromptAdvice advice = hooks_.before_prompt(message.text(), port_, cancel);
    if (advice.veto) {
      return stopped_prompt("UserPromptSubmit operation blocked by hook:\n" + *advice.veto);
    }
    add(std::move(advice.context));
  }
  PreparedPrompt prompt = prompts_.prepare(message, tool_context(cancel), port_);
  if (prompt.failure) return stopped_prompt(*std::move(prompt.failure));
  if (std::exchange(held_, false)) keep_prompt(prompt.message, std::exchange(held_uuid_, {}));
  core::UserMessage asked;
  for (core::UserMessage& earlier : std::exchange(unanswered_, {}))
    asked.append(std::move(earlier));
  asked.append(std::move(prompt.message));
  for (std::string& text : prompt.news) add(std::move(text));
  const config::ModelSpec before = spec_.model;
  const auto wanted = model_named(prompt.model);
  const bool other_model = !prompt.model.empty() && wanted.ok();
  if (other_model) use_model(*wanted);
  core::TurnDone done = strategy_->run(
      {.message = asked, .news = std::move(news), .take_more = take_more}, recorder, cancel);
  if (other_model) use_model(before);
  return done;
}

core::TurnDone TurnRunner::run(const core::UserMessage& message, const TakeMore& take_more,
                               const CancelToken& cancel) {
  if (auto missing = missing_role()) return *std::move(missing);
  hooks_.begin_prompt();
  if (view_) view_->on_turn_begun();
  post_notices();
  MismatchLog host(port_, services_.log);
  Recorder recorder(
      *opened_.journal, host, [this] { return work_.take_changes(); }, spec_.cwd);
  core::TurnDone done;
  if (const auto command = command_in(message)) {
    done = answer_locally(*command, read_slash_line(message)->arguments, recorder, cancel);
  } else {
    const auto focus = compact_command(message);
    done = focus ? strategy_->compact(*focus, recorder, cancel)
                 : think(message, take_more, recorder, cancel);
    recorder.end_turn(done);
    summed_up_ = summed_up_ || recorder.summed_up();
    core::add_usage(subagents_.usage(), done.by_model);
    core::add_usage(earlier_usage_, done.by_model);
    subagents_.add_files_written(done.files_written);
    take_figures(done);
  }
  if (spec_.agents.hold_turn) subagents_.stop_all();
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
  const std::lock_guard lock(figures_mutex_);
  return figures_.context;
}

void TurnRunner::take_figures(const core::TurnDone& done) {
  const std::int64_t prefix_tokens = strategy_->prefix_tokens();
  const std::lock_guard lock(figures_mutex_);
  if (!done.last_request.empty() || done.compacted) figures_.context = done.last_request;
  figures_.prefix_tokens = prefix_tokens;
  figures_.by_model = done.by_model;
  // The server may have said more about the model than the catalog.
  const auto used = figures_.by_model.find(figures_.model.id);
  if (used != figures_.by_model.end()) figures_.window = used->second.context_window;
}

}  // namespace yume::session
