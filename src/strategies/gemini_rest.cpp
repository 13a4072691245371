// SPDX-License-Identifier: MIT
#include "strategies/gemini_rest.h"

#include "agent/compactor.h"
#include "agent/context_keeper.h"
#include "agent/turn_recorder.h"
#include "agent/web_searcher.h"
#include "strategies/model_limits.h"

#include <algorithm>
#include <random>
#include <utility>

namespace yume::strategies {
namespace {

double random_fraction() {
  thread_local std::minstd_rand generator(std::random_device{}());
  return std::uniform_real_distribution<double>(0, 1)(generator);
}

gemini::RequestSettings request_settings(const GeminiSettings& settings, const World& world) {
  gemini::RequestSettings request = settings.request;
  request.system_instruction =
      agent::make_system_prompt(settings.prompt, world.files, world.clock.wall_now());
  for (const auto& tool : world.tools.all()) {
    const tools::ToolSpec& spec = tool->spec();
    request.functions.push_back(
        {.name = spec.name, .description = spec.description, .parameters = spec.input_schema});
  }
  return request;
}

// "/compact" and what the summary should dwell on; nullopt for everything else.
std::optional<std::string> compact_command(const core::UserMessage& message) {
  constexpr std::string_view k_command = "/compact";
  constexpr std::string_view k_white = " \t\r\n";
  if (message.blocks.size() != 1) return std::nullopt;
  const auto* text = std::get_if<std::string>(&message.blocks.front());
  if (text == nullptr) return std::nullopt;
  std::string_view rest = *text;
  rest.remove_prefix(std::min(rest.find_first_not_of(k_white), rest.size()));
  if (!rest.starts_with(k_command)) return std::nullopt;
  rest.remove_prefix(k_command.size());
  if (!rest.empty() && k_white.find(rest.front()) == std::string_view::npos) return std::nullopt;
  rest.remove_prefix(std::min(rest.find_first_not_of(k_white), rest.size()));
  return std::string(rest.substr(0, rest.find_last_not_of(k_white) + 1));
}

}  // namespace

struct GeminiRest::Engine {
  agent::ModelAccess access;
  agent::ModelClient client;
  agent::ToolRunner runner;
  gemini::RequestEncoder encoder;
  agent::Compactor compactor;
  agent::GroundedSearcher searcher;
  agent::ContextKeeper keeper;
  agent::AgentLoop loop;

  Engine(const GeminiSettings& settings, const World& world,
         std::function<std::string()> carry_over)
      : access(world.credentials, settings.access, world.redactor),
        client(access, world.transport, world.clock,
               agent::RetryPolicy(settings.max_retries, random_fraction), world.log),
        runner(world.tools, world.policy, world.redactor, world.host),
        encoder(settings.model, request_settings(settings, world)),
        compactor(client, settings.model, settings.request, world.journal, world.hooks),
        searcher(client, settings.model, settings.request),
        keeper(compactor, encoder,
               {.share = settings.compaction_share, .carry_over = std::move(carry_over)}),
        loop(client, runner, encoder, keeper, settings.limits, world.clock, world.journal) {}
};

GeminiRest::GeminiRest(GeminiSettings settings, World world)
    : settings_(std::move(settings)), world_(world), shell_(settings_.shell) {}

GeminiRest::~GeminiRest() = default;

void GeminiRest::set_prompt(std::optional<std::string> replacement, std::string appended) {
  if (replacement) settings_.prompt.replacement = std::move(replacement);
  if (!appended.empty()) settings_.prompt.appended = std::move(appended);
}

void GeminiRest::add_notice(std::string text) {
  auto& notices = settings_.notices;
  if (std::find(notices.begin(), notices.end(), text) == notices.end()) {
    notices.push_back(std::move(text));
  }
}

void GeminiRest::learn_limits_once(core::EventSink& sink, const CancelToken& cancel) {
  if (!settings_.ask_for_limits) return;
  agent::ModelAccess access(world_.credentials, settings_.access, world_.redactor);
  const auto route = access.route(sink, cancel);
  if (!route.ok()) return;  // the turn will say so
  settings_.model = learn_limits(std::move(settings_.model), *route, settings_.limits_cache,
                                 {.files = world_.files,
                                  .transport = world_.transport,
                                  .clock = world_.clock,
                                  .log = world_.log},
                                 cancel);
}

std::function<bool(const std::filesystem::path&)> GeminiRest::hidden_files() const {
  if (!world_.policy.hides_files()) return {};
  return
      [&policy = world_.policy](const std::filesystem::path& path) { return policy.hides(path); };
}

void GeminiRest::before_turn(const core::UserMessage& message) {
  if (!compact_command(message)) world_.journal.prompt(message);
}

// What the next process of this session must know of the tools; nullopt: nothing new.
std::optional<core::WorkState> GeminiRest::take_news() {
  core::WorkState news{.files = memory_.take_news(),
                       .shell_cwd = shell_.moved_to().string(),
                       .todos = todos_.todos()};
  const bool moved = std::exchange(told_cwd_, news.shell_cwd) != news.shell_cwd;
  const bool planned = std::exchange(told_todos_, news.todos.text) != news.todos.text;
  if (news.files.empty() && !moved && !planned) return std::nullopt;
  return news;
}

// What a summary must not lose, whatever the model writes.
std::string GeminiRest::carry_over() const {
  const auto files = memory_.known_files();
  std::string text = todos_.text();
  if (files.empty()) return text;
  text += (text.empty() ? "" : "\n\n");
  text += "Files that were read or written so far:";
  for (const std::string& path : files) text += "\n- " + path;
  return text;
}

// Everything that only a turn needs.
void GeminiRest::start(core::EventSink& sink, const CancelToken& cancel) {
  learn_limits_once(sink, cancel);
  engine_ = std::make_unique<Engine>(settings_, world_, [this] { return carry_over(); });
  memory_.restore(settings_.past.state.files);
  told_cwd_ = settings_.past.state.shell_cwd;
  told_todos_ = settings_.past.state.todos.text;
  todos_.replace(settings_.past.state.todos);
  shell_.move_to(told_cwd_, settings_.prompt.cwd, world_.files);
  engine_->loop.resume(std::move(settings_.past));
}

core::TurnDone GeminiRest::run_turn(const core::UserMessage& message, core::EventSink& sink,
                                    const CancelToken& cancel) {
  for (std::string& notice : std::exchange(settings_.notices, {})) {
    sink.post(core::Notice{std::move(notice)});
  }
  if (!engine_) start(sink, cancel);
  const tools::ToolContext context{.cwd = settings_.prompt.cwd,
                                   .home = settings_.prompt.home,
                                   .child_environment = settings_.child_environment,
                                   .files = world_.files,
                                   .processes = world_.processes,
                                   .clock = world_.clock,
                                   .memory = memory_,
                                   .cancel = cancel,
                                   .hides = hidden_files(),
                                   .shell = shell_,
                                   .output_directory = settings_.output_directory,
                                   .redactor = &world_.redactor,
                                   .todos = &todos_,
                                   .events = &sink,
                                   .web = world_.web,
                                   .search = &engine_->searcher,
                                   .names_host = [&policy = world_.policy](std::string_view host) {
                                     return policy.names_host(host);
                                   }};
  agent::TurnRecorder recorder(world_.journal, sink, [this] { return take_news(); });
  const auto focus = compact_command(message);
  core::TurnDone done = focus ? engine_->loop.compact(*focus, recorder, cancel)
                              : engine_->loop.run(message, context, recorder);
  recorder.end_turn(done);
  return done;
}

void GeminiRest::after_turn() {
  world_.journal.sync();
}

}  // namespace yume::strategies
