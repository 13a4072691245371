// SPDX-License-Identifier: MIT
#include "app/signal_watch.h"

#include "app/exit_codes.h"

#include <chrono>
#include <cstdlib>

namespace yume::app {
namespace {

constexpr std::chrono::milliseconds k_last_resort{1'500};

}  // namespace

SignalWatch::SignalWatch(runtime::Mailbox& mailbox, const platform::Clock& clock,
                         Interrupts interrupts)
    : pump_(platform::start_signal_pump(
          [this, &mailbox, &clock, interrupts](platform::Signal signal) {
            const bool counts = interrupts == Interrupts::second_ends;
            mailbox.post_control(runtime::SignalReceived{signal});
            if (signal == platform::Signal::resized || signal == platform::Signal::continued)
              return;
            const bool gentle = signal == platform::Signal::interrupt;
            const bool ends = !gentle || (counts && ++interrupts_ > 1);
            if (ends && clock.sleep_for(k_last_resort, finished_.get_token())) {
              std::_Exit(static_cast<int>(gentle ? ExitCode::failure : ExitCode::terminated));
            }
          })) {}

}  // namespace yume::app
