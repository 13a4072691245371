// SPDX-License-Identifier: MIT
#include "session/prompt/prompt_calls.h"

#include "agent/guarded_work.h"
#include "tools/call_input.h"
#include "util/overloaded.h"

#include <utility>

namespace yume::session {

PromptCalls::PromptCalls(const PromptCallDeps& deps)
    : deps_(deps), judge_(deps.policy, deps.hooks, deps.redactor, nullptr) {}

bool PromptCalls::offers(std::string_view tool) const {
  return deps_.tools.find(tool) != nullptr;
}

std::variant<core::ToolOutcome, CallRefused> PromptCalls::run(const std::string& tool,
                                                              RawJson input,
                                                              const tools::ToolContext& context,
                                                              core::EventSink& sink) {
  agent::AskedCall asked{.id = "prompt_" + std::to_string(++calls_),
                         .provider = {.name = tool},
                         .input = tools::read_call_input(tool, std::move(input.text))};
  agent::CallJudge::Round round{.context = context, .sink = sink};
  agent::JudgedCall judged =
      agent::CallJudge::plan(std::move(asked), deps_.tools.find(tool), context);
  judge_.settle(judged, round);
  if (auto* answered = std::get_if<agent::CallAnswered>(&judged.state)) {
    if (answered->denial != agent::Denial::none) return CallRefused{answered->outcome.content};
    return std::move(answered->outcome);
  }
  const auto* ready = std::get_if<agent::CallReady>(&judged.state);
  if (ready == nullptr) return CallRefused{"it was not decided"};
  tools::ToolContext own = context;
  own.call_id = judged.call.id;
  own.proven_steps = ready->steps;
  own.events = nullptr;  // hosts have not seen this call
  core::ToolOutcome outcome = agent::guarded(ready->planned.run, own);
  agent::clean(outcome, deps_.redactor);
  return outcome;
}

}  // namespace yume::session
