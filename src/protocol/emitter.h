// SPDX-License-Identifier: MIT
// Turns the events of one session into output. One implementation per dialect and output format;
// pure except for the Output it writes to, so every line can be tested with times of the test's
// choosing. Hosts (protocol/host.h) keep one for each session.
#pragma once

#include <optional>

#include "core/event.h"
#include "platform/clock.h"
#include "protocol/line_writer.h"

namespace yume::protocol {

class Emitter {
 public:
  virtual ~Emitter() = default;
  virtual void on_event(const core::Event& event, platform::SteadyTime now) = 0;

  // The event should not be handed over before this time. Waiting a few milliseconds here keeps
  // lines apart that a host would otherwise mix up.
  [[nodiscard]] virtual std::optional<platform::SteadyTime> not_before(
      const core::Event& /*event*/) const {
    return std::nullopt;
  }

  // When on_time() wants to be called, if at all.
  [[nodiscard]] virtual std::optional<platform::SteadyTime> wake_at() const { return std::nullopt; }
  virtual void on_time(platform::SteadyTime /*now*/) {}
};

}  // namespace yume::protocol
