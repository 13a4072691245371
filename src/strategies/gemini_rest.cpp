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
  if (deps.spec.prompt.replacement || !deps.spec.prompt.with_instructions) return {};
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

std::optional<agent::GitSnapshot> git_snapshot(const StrategyDeps& deps) {
  if (deps.spec.prompt.replacement) return std::nullopt;
  return agent::read_git_snapshot(deps.spec.cwd, deps.files);
}

std::vector<gemini::FunctionDeclaration> declarations(const tools::Registry& tools) {
  std::vector<gemini::FunctionDeclaration> functions;
  for (const auto& tool : tools.all()) {
    const tools::ToolSpec& one = tool->spec();
    functions.push_back({.name = one.name,
                         .description = one.description,
                         .parameters = one.input_schema,
                         .is_clean = one.schema_form == tools::SchemaForm::plain});
  }
  return functions;
}

// Whoever replaces the prompt says all of it.
std::string with_servers(const std::string& prompt, const config::SessionSpec& spec) {
  if (spec.prompt.replacement) return prompt;
  return prompt + agent::server_instructions_text(spec.prompt.servers);
}

std::string system_prompt(const StrategyDeps& deps, core::EventSink& sink) {
  const config::SessionSpec& spec = deps.spec;
  return agent::make_system_prompt({.replacement = spec.prompt.replacement,
                                    .agent = spec.prompt.agent,
                                    .appended = spec.prompt.appended,
                                    .cwd = spec.cwd,
                                    .os_name = spec.prompt.os_name,
                                    .mode = spec.permissions.mode,
                                    .instructions = instructions(deps, sink),
                                    .git = git_snapshot(deps)},
                                   deps.clock.wall_now());
}

}  // namespace

gemini::RequestSettings GeminiRest::request_settings() const {
  gemini::RequestSettings request = deps_.spec.model.request;
  request.system_instruction = with_servers(system_prompt_, deps_.spec);
  request.functions = declarations(deps_.tools);
  return request;
}

struct GeminiRest::Engine {
  agent::ModelAccess access;
  agent::ModelClient client;
  agent::ToolRunner runner;
  gemini::RequestEncoder encoder;
  agent::Compactor compactor;
  agent::GroundedSearcher searcher;
  agent::ContextKeeper keeper;
  agent::AgentLoop loop;
  std::uint64_t tools_version;
  const std::string& system_prompt;  // without what servers say

  Engine(const gemini::ModelInfo& model, const StrategyDeps& deps, gemini::RequestSettings request,
         const std::string& prompt)
      : access(deps.credentials, deps.spec.access, deps.redactor),
        client(access, deps.transport, deps.clock,
               agent::RetryPolicy(deps.spec.access.max_retries, random_fraction), deps.log),
        runner(deps.tools, deps.policy, deps.redactor, deps.hooks, deps.host),
        encoder(model, std::move(request)),
        compactor(client, model, deps.spec.model.request, deps.hooks),
        searcher(client, model, deps.spec.model.request),
        keeper(compactor, encoder,
               {.share = deps.spec.limits.compaction_share, .carry_over = deps.carry_over}),
        loop(client, runner, encoder, keeper, deps.hooks, deps.spec.limits, deps.clock,
             [this, &deps] { refresh(deps); }),
        tools_version(deps.tools.version()),
        system_prompt(prompt) {
    client.begin_ids_with(deps.spec.call_id_prefix);
  }

  // The conversation goes on as the spec is now.
  void change(const gemini::ModelInfo& model, const config::SessionSpec& spec,
              gemini::RequestSettings request) {
    const bool other_model = model.id != encoder.model().id;
    encoder = gemini::RequestEncoder(model, std::move(request));
    compactor.use(model, spec.model.request);
    searcher.use(model, spec.model.request);
    if (other_model) loop.on_other_model();
  }

  // The prefix is made anew only when the set of tools has changed.
  void refresh(const StrategyDeps& deps) {
    if (!deps.refresh_tools) return;
    deps.refresh_tools();
    if (std::exchange(tools_version, deps.tools.version()) == deps.tools.version()) return;
    encoder.set_prefix(with_servers(system_prompt, deps.spec), declarations(deps.tools));
  }
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
  const bool outdated = std::exchange(outdated_, false);
  if (!engine_) {
    learn_limits_once(sink, cancel);
    system_prompt_ = system_prompt(deps_, sink);
    engine_ = std::make_unique<Engine>(model_, deps_, request_settings(), system_prompt_);
    engine_->client.set_fallback(!deps_.spec.fallback_model.empty());
    engine_->loop.resume(std::exchange(past_, {}));
  } else if (outdated) {
    learn_limits_once(sink, cancel);
    engine_->change(model_, deps_.spec, request_settings());
  }
  return *engine_;
}

void GeminiRest::reconsider() {
  if (model_.id != deps_.spec.model.info.id) model_ = deps_.spec.model.info;
  outdated_ = true;
}

core::TurnDone GeminiRest::run(TurnInput input, core::TurnPort& port, const CancelToken& cancel) {
  Engine& parts = engine(port, cancel);
  tools::ToolContext context = deps_.tool_context(cancel);
  context.search = &parts.searcher;
  return parts.loop.run({.message = input.message,
                         .news = std::move(input.news),
                         .take_more = std::move(input.take_more),
                         .fall_back =
                             [&](const std::string& why) {
                               if (!deps_.fall_back || !deps_.fall_back(why)) return false;
                               parts.client.set_fallback(false);
                               engine(port, cancel);  // with the other model
                               return true;
                             }},
                        context, port);
}

core::TurnDone GeminiRest::compact(const std::string& focus, core::TurnPort& port,
                                   const CancelToken& cancel) {
  return engine(port, cancel).loop.compact(focus, port, cancel);
}

ContextUse GeminiRest::measure_context(core::TurnPort& port, const CancelToken& cancel) {
  const Engine& parts = engine(port, cancel);
  return {.tokens = parts.keeper.tokens(), .window = parts.keeper.window()};
}

std::int64_t GeminiRest::prefix_tokens() const {
  return engine_ ? engine_->keeper.prefix_tokens() : 0;
}

double GeminiRest::compaction_share() const {
  return deps_.spec.limits.compaction_share.value_or(agent::compaction_share(model_));
}

core::UsageByModel GeminiRest::usage() const {
  return engine_ ? engine_->loop.by_model() : core::UsageByModel();
}

}  // namespace yume::strategies
