// SPDX-License-Identifier: MIT
#include "session/subagents/child_sink.h"

#include "util/overloaded.h"

#include <algorithm>
#include <utility>

namespace yume::session {
namespace {

constexpr const core::ToolCallReady* k_no_call = nullptr;

// A turn's first and last event are of the parent; a subagent begins and ends with its call. What
// its commands do in the background ends with it.
enum class Shown { always, with_text, never };

Shown shown(const core::Event& event) {
  using Always = Constant<Shown::always, core::MessageStarted, core::UsageUpdated,
                          core::ToolCallReady, core::ToolFinished, core::ToolProgress,
                          core::PermissionRefused, core::HookStarted, core::HookEnded,
                          core::ModeChanged, core::MessageDone, core::RetryScheduled, core::Notice>;
  using WithText = Constant<Shown::with_text, core::TextDelta, core::ThoughtDelta, core::BlockDone>;
  using Never =
      Constant<Shown::never, core::SessionStarted, core::PromptTaken, core::PromptMoved,
               core::ConversationReset, core::StateChanged, core::ModelChanged,
               core::ToolCallStarted, core::ToolArgsDelta, core::BackgroundStarted,
               core::BackgroundEnded, core::AgentStarted, core::AgentProgress, core::AgentEnded,
               core::CompactionStarted, core::Compacted, core::CompactionFailed, core::TurnDone>;
  return std::visit(Overloaded{Always{}, WithText{}, Never{}}, event);
}

}  // namespace

ChildSink::ChildSink(ChildSinkSettings settings, core::EventSink& own, core::EventSink& parents,
                     const platform::Clock& clock)
    : settings_(std::move(settings)),
      own_(own),
      parents_(parents),
      clock_(clock),
      start_(clock.steady_now()) {}

core::AgentWork ChildSink::work() const {
  const std::lock_guard lock(mutex_);
  core::AgentWork now = work_;
  now.duration =
      std::max(std::chrono::milliseconds(1),  // hosts test for > 0
               std::chrono::duration_cast<std::chrono::milliseconds>(clock_.steady_now() - start_));
  return now;
}

bool ChildSink::is_shown(const core::Event& event) const {
  const Shown when = shown(event);
  return when == Shown::always || (when == Shown::with_text && settings_.forwards_text);
}

std::string ChildSink::count(const core::Event& event) {
  using Uncounted =
      Constant<k_no_call, core::SessionStarted, core::PromptTaken, core::PromptMoved,
               core::ConversationReset, core::StateChanged, core::ModelChanged,
               core::MessageStarted, core::TextDelta, core::ThoughtDelta, core::BlockDone,
               core::UsageUpdated, core::ToolCallStarted, core::ToolArgsDelta, core::ToolFinished,
               core::ToolProgress, core::BackgroundStarted, core::BackgroundEnded,
               core::AgentStarted, core::AgentProgress, core::AgentEnded, core::PermissionRefused,
               core::HookStarted, core::HookEnded, core::ModeChanged, core::RetryScheduled,
               core::CompactionStarted, core::Compacted, core::CompactionFailed, core::Notice,
               core::TurnDone>;
  const std::lock_guard lock(mutex_);
  const core::ToolCallReady* ready =
      std::visit(Overloaded{
                     Uncounted{},
                     [this](const core::MessageDone& done) {
                       if (!done.usage.empty()) {
                         work_.tokens = done.usage.prompt_tokens + done.usage.billed_output();
                       }
                       return k_no_call;
                     },
                     [](const core::ToolCallReady& call) { return &call; },
                 },
                 event);
  if (ready == nullptr) return {};
  ++work_.calls;
  return ready->call.name;
}

bool ChildSink::post(core::Event event) {
  const std::string tool = count(event);
  if (!is_shown(event)) return true;
  return own_.post(std::move(event)) && (tool.empty() || post_progress(tool));
}

bool ChildSink::post_progress(const std::string& tool) {
  return parents_.post(core::AgentProgress{.agent_id = settings_.agent_id,
                                           .call_id = settings_.call_id,
                                           .type = settings_.type,
                                           .description = settings_.description,
                                           .work = work(),
                                           .last_tool = tool});
}

}  // namespace yume::session
