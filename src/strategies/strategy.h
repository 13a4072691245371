// SPDX-License-Identifier: MIT
// Who does the thinking in a turn. Every strategy produces the same events.
#pragma once

#include "core/event.h"
#include "core/message.h"
#include "util/cancel.h"

namespace yume::strategies {

class Strategy {
 public:
  virtual ~Strategy() = default;
  // Runs one whole turn on the calling thread. Keeps the conversation for the next one.
  virtual core::TurnDone run_turn(const core::UserMessage& message, core::EventSink& sink,
                                  const CancelToken& cancel) = 0;
};

}  // namespace yume::strategies
