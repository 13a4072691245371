// SPDX-License-Identifier: MIT
#include "strategies/gemini_rest.h"

#include "agent/agent_loop.h"
#include "agent/compactor.h"
#include "agent/context_keeper.h"
#include "agent/model_client.h"
#include "agent/system_prompt.h"
#include "agent/tool_runner.h"
#include "agent/web_searcher.h"
#include "strategies/model_limits.h"
#include "util/path_text.h"

#include <random>
#include <utility>
#include <vector>

namespace yume::strategies {
namespace {

double random_fraction() {
  thread_local std::minstd_rand generator(std::random_device{}());
  return std::uniform_real_distribution<double>(0, 1)(generator);
}

// Whoever wrote instructions that have no effect wants to know why.
std::vector<agent::InstructionFile> instructions(const StrategyDeps& deps, core::EventSink& sink) {
  if (deps.spec.prompt.replacement) return {};
  agent::Instructions found = agent::find_instructions(
      {.cwd = deps.spec.cwd,
       .home = deps.spec.home,
       .hides = [&policy = deps.policy](
                    const std::filesystem::path& name) { return policy.hides(name); }},
      deps.files);
  for (const agent::LeftOut& one : found.left_out) {
    const std::string text = to_utf8(one.path) + " was left out: " + one.reason;
    deps.log.write("prompt", text);
    if (one.why == agent::LeftOut::Why::suspect) sink.post(core::Notice{text});
  }
  return std::move(found.files);
}

gemini::RequestSettings request_settings(const StrategyDeps& deps, core::EventSink& sink) {
  const config::SessionSpec& spec = deps.spec;
  gemini::RequestSettings request = spec.model.request;
  request.system_instruction = agent::make_system_prompt({.replacement = spec.prompt.replacement,
                                                          .appended = spec.prompt.appended,
                                                          .cwd = spec.cwd,
                                                          .os_name = spec.prompt.os_name,
                                                          .mode = spec.permissions.mode,
                                                          .instructions = instructions(deps, sink)},
                                                         deps.clock.wall_now());
  for (const auto& tool : deps.tools.all()) {
    const tools::ToolSpec& one = tool->spec();
    request.functions.push_back({.name = one.name,
                                 .description = one.description,
                                 .parameters = one.input_schema,
                                 .is_clean = one.schema_form == tools::SchemaForm::plain});
  }
  return request;
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

  Engine(const gemini::ModelInfo& model, const StrategyDeps& deps, core::EventSink& sink)
      : access(deps.credentials, deps.spec.access, deps.redactor),
        client(access, deps.transport, deps.clock,
               agent::RetryPolicy(deps.spec.access.max_retries, random_fraction), deps.log),
        runner(deps.tools, deps.policy, deps.redactor, deps.hooks, deps.host),
        encoder(model, request_settings(deps, sink)),
        compactor(client, model, deps.spec.model.request, deps.hooks),
        searcher(client, model, deps.spec.model.request),
        keeper(compactor, encoder,
               {.share = deps.spec.limits.compaction_share, .carry_over = deps.carry_over}),
        loop(client, runner, encoder, keeper, deps.hooks, deps.spec.limits, deps.clock) {}
};

GeminiRest::GeminiRest(core::Conversation past, StrategyDeps deps)
    : deps_(std::move(deps)), model_(deps_.spec.model.info), past_(std::move(past)) {}

GeminiRest::~GeminiRest() = default;

void GeminiRest::learn_limits_once(core::EventSink& sink, const CancelToken& cancel) {
  if (!deps_.spec.model.ask_for_limits) return;
  agent::ModelAccess access(deps_.credentials, deps_.spec.access, deps_.redactor);
  const auto route = access.route(sink, cancel);
  if (!route.ok()) return;  // the turn will say so
  model_ = learn_limits(
      std::move(model_), *route, deps_.spec.model.limits_cache,
      {.files = deps_.files, .transport = deps_.transport, .clock = deps_.clock, .log = deps_.log},
      cancel);
}

// Everything that only a turn needs.
GeminiRest::Engine& GeminiRest::engine(core::EventSink& sink, const CancelToken& cancel) {
  if (!engine_) {
    learn_limits_once(sink, cancel);
    engine_ = std::make_unique<Engine>(model_, deps_, sink);
    engine_->loop.resume(std::exchange(past_, {}));
  }
  return *engine_;
}

core::TurnDone GeminiRest::run(TurnInput input, core::TurnPort& port, const CancelToken& cancel) {
  Engine& parts = engine(port, cancel);
  tools::ToolContext context = deps_.tool_context(cancel);
  context.search = &parts.searcher;
  return parts.loop.run(input.message, std::move(input.news), context, port);
}

core::TurnDone GeminiRest::compact(const std::string& focus, core::TurnPort& port,
                                   const CancelToken& cancel) {
  return engine(port, cancel).loop.compact(focus, port, cancel);
}

ContextUse GeminiRest::measure_context(core::TurnPort& port, const CancelToken& cancel) {
  const Engine& parts = engine(port, cancel);
  return {.tokens = parts.keeper.tokens(), .window = parts.keeper.window()};
}

double GeminiRest::compaction_share() const {
  return deps_.spec.limits.compaction_share.value_or(agent::compaction_share(model_));
}

core::UsageByModel GeminiRest::usage() const {
  return engine_ ? engine_->loop.by_model() : core::UsageByModel();
}

}  // namespace yume::strategies
