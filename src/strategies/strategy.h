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
  // On the main thread, before the host hears of the turn: the message is kept from here on.
  virtual void before_turn(const core::UserMessage& /*message*/) {}
  // Runs one whole turn on the calling thread. Keeps the conversation for the next one.
  virtual core::TurnDone run_turn(const core::UserMessage& message, core::EventSink& sink,
                                  const CancelToken& cancel) = 0;
  // On the turn's thread, when the host has the result: what may take a moment.
  virtual void after_turn() {}
};

}  // namespace yume::strategies
