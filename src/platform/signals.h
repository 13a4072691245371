// SPDX-License-Identifier: MIT
// Signals as messages. Construct on the main thread before any other thread exists: the constructor
// blocks the signals for the whole process and ignores SIGPIPE; one thread then waits for them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace yume::platform {

// The last two end nothing: the terminal has another size, and the process goes on after a stop.
enum class Signal { interrupt, terminate, hangup, quit, resized, continued };

// Keeps the signals back for a pump that starts later; call before any thread exists.
void block_signals();

class SignalPump {
 public:
  virtual ~SignalPump() = default;  // stops and joins the thread
};

// `on_signal` runs on the pump's thread, once per signal received.
std::unique_ptr<SignalPump> start_signal_pump(std::function<void(Signal)> on_signal);

// Interrupts another process of this user, as Ctrl-C would. `is_meant` is asked when the process
// can no longer be mistaken for a later one of the same number. False when nothing was sent.
bool interrupt_process(std::int64_t pid, const std::function<bool()>& is_meant);

}  // namespace yume::platform
