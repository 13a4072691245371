// SPDX-License-Identifier: MIT
#include "foreign/block_closer.h"

#include "util/overloaded.h"

#include <utility>

namespace yume::foreign {
namespace {

// No escape makes more of a byte than six.
constexpr std::size_t k_longest_escape = 6;

// What an event means for a text or thought that is open.
enum class Flow { goes_on, ends, is_text, is_thought };

Flow flow_of(const core::Event& event) {
  using Ends =
      Constant<Flow::ends, core::SessionStarted, core::PromptTaken, core::MessageStarted,
               core::ToolCallStarted, core::ToolCallReady, core::ToolFinished,
               core::ConversationReset, core::MessageDone, core::Compacted, core::TurnDone>;
  using GoesOn =
      Constant<Flow::goes_on, core::PromptMoved, core::BlockDone, core::UsageUpdated,
               core::ToolArgsDelta, core::ToolProgress, core::BackgroundStarted,
               core::BackgroundEnded, core::AgentStarted, core::AgentProgress, core::AgentEnded,
               core::PermissionRefused, core::HookStarted, core::HookEnded, core::StateChanged,
               core::ModeChanged, core::ModelChanged, core::RetryScheduled, core::CompactionStarted,
               core::CompactionFailed, core::Notice>;
  return std::visit(Overloaded{Ends{}, GoesOn{}, Constant<Flow::is_text, core::TextDelta>{},
                               Constant<Flow::is_thought, core::ThoughtDelta>{}},
                    event);
}

}  // namespace

void BlockCloser::close(const Emit& emit) {
  quoted_ = 0;
  if (std::exchange(open_, Block::none) != Block::none) emit(core::BlockDone{});
}

// An upper bound is enough: a line that is not quite full is a line as well.
void BlockCloser::pass(core::Event event, const Emit& emit) {
  const Flow flow = flow_of(event);
  if (flow == Flow::ends) close(emit);
  if (flow == Flow::ends || flow == Flow::goes_on) return emit(std::move(event));
  const Block block = flow == Flow::is_text ? Block::text : Block::thought;
  if (open_ != block) close(emit);
  open_ = block;
  quoted_ += core::text_size(event) * k_longest_escape;
  emit(std::move(event));
  if (quoted_ <= core::k_longest_block) return;
  quoted_ = 0;
  emit(core::BlockDone{.extent = core::BlockDone::Extent::first_line});
}

}  // namespace yume::foreign
