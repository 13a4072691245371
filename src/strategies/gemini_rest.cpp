// SPDX-License-Identifier: MIT
#include "strategies/gemini_rest.h"

#include "gemini/endpoint.h"

#include <random>
#include <utility>

namespace yume::strategies {
namespace {

constexpr std::string_view k_no_credentials =
    "API Error: failed to authenticate, no Gemini credentials found. Set GEMINI_API_KEY or "
    "GOOGLE_API_KEY to an API key.";

double random_fraction() {
  thread_local std::minstd_rand generator(std::random_device{}());
  return std::uniform_real_distribution<double>(0, 1)(generator);
}

gemini::RequestSettings request_settings(const GeminiSettings& settings, const World& world) {
  gemini::RequestSettings request;
  request.system_instruction =
      agent::make_system_prompt(settings.prompt, world.files, world.clock.wall_now());
  for (const auto& tool : world.tools.all()) {
    const tools::ToolSpec& spec = tool->spec();
    request.functions.push_back(
        {.name = spec.name, .description = spec.description, .parameters = spec.input_schema});
  }
  return request;
}

core::TurnDone failed_turn(const Error& error) {
  core::TurnDone done;
  done.outcome = core::TurnOutcome::failed;
  done.failure = error.code == ErrorCode::auth ? core::FailureKind::authentication
                                               : core::FailureKind::invalid_request;
  // Yume shows a text as an error only when it says so.
  const bool says_so = error.message.starts_with("API Error");
  done.text = says_so ? error.message : "Error: " + error.message;
  done.stop = core::StopReason::end_turn;
  done.duration = std::chrono::milliseconds(1);
  return done;
}

}  // namespace

struct GeminiRest::Engine {
  agent::ModelClient client;
  agent::ToolRunner runner;
  gemini::RequestEncoder encoder;
  agent::AgentLoop loop;

  Engine(agent::ModelAccess access, const GeminiSettings& settings, const World& world)
      : client(std::move(access), world.transport, world.clock,
               agent::RetryPolicy(settings.max_retries, random_fraction), world.log),
        runner(world.tools, world.policy),
        encoder(gemini::model_info(settings.model_id), request_settings(settings, world)),
        loop(client, runner, encoder, gemini::model_info(settings.model_id), settings.limits,
             world.clock) {}
};

GeminiRest::GeminiRest(GeminiSettings settings, World world)
    : settings_(std::move(settings)), world_(world) {}

GeminiRest::~GeminiRest() = default;

void GeminiRest::set_prompt(std::optional<std::string> replacement, std::string appended) {
  if (replacement) settings_.prompt.replacement = std::move(replacement);
  if (!appended.empty()) settings_.prompt.appended = std::move(appended);
}

Result<GeminiRest::Engine*> GeminiRest::engine(const CancelToken& cancel) {
  if (engine_) return engine_.get();
  YUME_TRY(std::string url, gemini::stream_url(settings_.api_base, settings_.model_id));
  YUME_TRY(auto credential, world_.credentials.fetch(world_.clock.wall_now(), cancel));
  if (!credential) {
    return Error{.code = ErrorCode::auth, .message = std::string(k_no_credentials)};
  }
  agent::ModelAccess access{.url = std::move(url),
                            .credentials = {std::move(credential->header)},
                            .model = settings_.model_id};
  engine_ = std::make_unique<Engine>(std::move(access), settings_, world_);
  return engine_.get();
}

core::TurnDone GeminiRest::run_turn(const core::UserMessage& message, core::EventSink& sink,
                                    const CancelToken& cancel) {
  auto ready = engine(cancel);
  if (!ready.ok()) return failed_turn(ready.error());
  const tools::ToolContext context{.cwd = settings_.prompt.cwd,
                                   .home = settings_.prompt.home,
                                   .child_environment = settings_.child_environment,
                                   .files = world_.files,
                                   .processes = world_.processes,
                                   .clock = world_.clock,
                                   .memory = memory_,
                                   .cancel = cancel};
  return ready.value()->loop.run(message, context, sink);
}

}  // namespace yume::strategies
