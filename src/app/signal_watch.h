// SPDX-License-Identifier: MIT
// Signals as messages; and what has to end the program ends it even when the main thread hangs in a
// write that no reader takes. Children die with us.
#pragma once

#include <memory>

#include "platform/clock.h"
#include "platform/signals.h"
#include "runtime/mailbox.h"
#include "util/cancel.h"

namespace yume::app {

class SignalWatch {
 public:
  // In a conversation any number of turns may be interrupted.
  enum class Interrupts { second_ends, never_end };
  SignalWatch(runtime::Mailbox& mailbox, const platform::Clock& clock,
              Interrupts interrupts = Interrupts::second_ends);
  // The program is ending by itself.
  ~SignalWatch() { finished_.request_stop(); }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  CancelSource finished_;
  int interrupts_ = 0;  // touched by the pump's thread only
  std::unique_ptr<platform::SignalPump> pump_;
};

}  // namespace yume::app
