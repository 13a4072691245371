// SPDX-License-Identifier: MIT
#include "core/event.h"

#include "util/overloaded.h"

namespace yume::core {

std::size_t text_size(const Event& event) {
  using Small =
      PassOver<SessionStarted, MessageStarted, BlockDone, UsageUpdated, ToolCallStarted,
               BackgroundStarted, BackgroundEnded, AgentProgress, AgentEnded, PermissionRefused,
               HookStarted, PromptMoved, ConversationReset, StateChanged, ModeChanged, ModelChanged,
               MessageDone, RetryScheduled, CompactionStarted, CompactionFailed, Notice>;
  std::size_t bytes = 0;
  std::visit(Overloaded{
                 Small{},
                 [&](const PromptTaken& taken) { bytes = taken.message.text().size(); },
                 [&](const TextDelta& delta) { bytes = delta.text.size(); },
                 [&](const ThoughtDelta& delta) { bytes = delta.text.size(); },
                 [&](const AgentStarted& started) { bytes = started.prompt.size(); },
                 [&](const ToolArgsDelta& delta) { bytes = delta.json.size(); },
                 [&](const ToolCallReady& ready) { bytes = ready.call.input.text.size(); },
                 [&](const ToolProgress& progress) { bytes = progress.output.size(); },
                 [&](const ToolFinished& finished) { bytes = finished.outcome.content.size(); },
                 [&](const HookEnded& ended) { bytes = ended.output.size(); },
                 [&](const Compacted& compacted) { bytes = compacted.summary.size(); },
                 [&](const TurnDone& done) { bytes = done.text.size(); },
             },
             event);
  return bytes;
}

}  // namespace yume::core
