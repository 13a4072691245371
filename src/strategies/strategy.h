// SPDX-License-Identifier: MIT
// Who does the thinking in a turn. A strategy keeps no records and knows no host: what it has to
// say goes to the turn's port, and its session does the rest. One thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/event.h"
#include "core/message.h"
#include "core/turn_port.h"
#include "core/usage.h"
#include "util/cancel.h"

namespace yume::strategies {

struct TurnInput {
  const core::UserMessage& message;
  // Sentences for the model about what happened since the last turn.
  std::vector<std::string> news = {};
  // What the user has sent since, asked for before the model sees the results of its calls; the
  // session has it in its records then. nullopt: nothing.
  std::function<std::optional<core::UserMessage>()> take_more = [] { return std::nullopt; };
};

// How full the model's window is.
struct ContextUse {
  std::int64_t tokens = 0;  // of the next request, about
  std::int64_t window = 0;  // 0: not known
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  // One whole turn. The session has the message in its records already. Keeps the conversation for
  // the next one.
  virtual core::TurnDone run(TurnInput input, core::TurnPort& port, const CancelToken& cancel) = 0;
  // A turn that only sums up what was said so far; `focus`: what the summary should dwell on.
  virtual core::TurnDone compact(const std::string& focus, core::TurnPort& port,
                                 const CancelToken& cancel) = 0;

  // What the strategy was made with has changed, the model or its settings: holds from the next
  // turn on.
  virtual void reconsider() = 0;

  // May ask the server for the model's limits.
  virtual ContextUse measure_context(core::TurnPort& port, const CancelToken& cancel) = 0;
  // Of each request: system prompt and tools, about; 0 before the first turn.
  [[nodiscard]] virtual std::int64_t prefix_tokens() const = 0;
  // The share of the window at which a conversation is summed up.
  [[nodiscard]] virtual double compaction_share() const = 0;
  // Since the process started.
  [[nodiscard]] virtual core::UsageByModel usage() const = 0;
};

}  // namespace yume::strategies
