// SPDX-License-Identifier: MIT
// A script, or a person who only reads: nothing comes back, and nobody can be asked.
#pragma once

#include <memory>
#include <utility>

#include "protocol/emitter.h"
#include "protocol/unasked_host.h"

namespace yume::protocol {

class PlainHost final : public UnaskedHost {
 public:
  explicit PlainHost(std::unique_ptr<Emitter> emitter) : emitter_(std::move(emitter)) {}

  [[nodiscard]] HostMessage parse(std::string_view /*line*/) const override {
    return {.content = core::Command(core::Ignored{})};
  }
  [[nodiscard]] HostMessage refuse(const LongLine& /*line*/, std::size_t /*limit*/) const override {
    return {.content = core::Command(core::Ignored{})};
  }
  void write(const core::Envelope& envelope, platform::SteadyTime now) override {
    if (!envelope.address.parent_call_id.empty()) return;  // a subagent: its report is what counts
    emitter_->on_event(envelope.event, now);
  }
  void reply(std::string_view /*reply_to*/, const CommandResult& /*result*/) override {}

  [[nodiscard]] std::optional<platform::SteadyTime> not_before(
      const core::Envelope& envelope) const override {
    return emitter_->not_before(envelope.event);
  }
  [[nodiscard]] std::optional<platform::SteadyTime> wake_at() const override {
    return emitter_->wake_at();
  }
  void on_time(platform::SteadyTime now) override { emitter_->on_time(now); }

 private:
  std::unique_ptr<Emitter> emitter_;
};

}  // namespace yume::protocol
