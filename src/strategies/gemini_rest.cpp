// SPDX-License-Identifier: MIT
#include "strategies/gemini_rest.h"

#include "strategies/model_limits.h"

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

}  // namespace

struct GeminiRest::Engine {
  agent::ModelAccess access;
  agent::ModelClient client;
  agent::ToolRunner runner;
  gemini::RequestEncoder encoder;
  agent::AgentLoop loop;

  Engine(const GeminiSettings& settings, const World& world)
      : access(world.credentials, settings.access, world.redactor),
        client(access, world.transport, world.clock,
               agent::RetryPolicy(settings.max_retries, random_fraction), world.log),
        runner(world.tools, world.policy, world.redactor),
        encoder(settings.model, request_settings(settings, world)),
        loop(client, runner, encoder, settings.limits, world.clock) {}
};

GeminiRest::GeminiRest(GeminiSettings settings, World world)
    : settings_(std::move(settings)), world_(world), shell_(settings_.shell) {}

GeminiRest::~GeminiRest() = default;

void GeminiRest::set_prompt(std::optional<std::string> replacement, std::string appended) {
  if (replacement) settings_.prompt.replacement = std::move(replacement);
  if (!appended.empty()) settings_.prompt.appended = std::move(appended);
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

core::TurnDone GeminiRest::run_turn(const core::UserMessage& message, core::EventSink& sink,
                                    const CancelToken& cancel) {
  if (!engine_) {
    learn_limits_once(sink, cancel);
    engine_ = std::make_unique<Engine>(settings_, world_);
  }
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
                                   .redactor = &world_.redactor};
  return engine_->loop.run(message, context, sink);
}

}  // namespace yume::strategies
