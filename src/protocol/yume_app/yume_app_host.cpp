// SPDX-License-Identifier: MIT
#include "protocol/yume_app/yume_app_host.h"

#include <utility>

namespace yume::protocol {

HostMessage YumeAppHost::parse(std::string_view line) const {
  return lines_.parse(line);
}

HostMessage YumeAppHost::refuse(const LongLine& line, std::size_t limit) const {
  return lines_.refuse(line, limit);
}

void YumeAppHost::write(const core::Envelope& envelope, platform::SteadyTime now) {
  const bool may_wait = std::holds_alternative<core::SessionStarted>(envelope.event);
  write_held(now);
  if (may_wait && now < listens_at_) {
    held_ = envelope;
  } else {
    lines_.write(envelope, now);
  }
}

void YumeAppHost::write_held(platform::SteadyTime now) {
  if (const auto held = std::exchange(held_, std::nullopt)) lines_.write(*held, now);
}

void YumeAppHost::reply(std::string_view reply_to, const CommandResult& result) {
  lines_.reply(reply_to, result);
}

// The turn is under way meanwhile: its first words take longer than that.
std::optional<platform::SteadyTime> YumeAppHost::not_before(const core::Envelope& envelope) const {
  if (std::holds_alternative<core::SessionStarted>(envelope.event)) return std::nullopt;
  return listens_at_;
}

std::optional<platform::SteadyTime> YumeAppHost::wake_at() const {
  return held_ ? std::optional(listens_at_) : std::nullopt;
}

void YumeAppHost::on_time(platform::SteadyTime now) {
  if (now >= listens_at_) write_held(now);
}

}  // namespace yume::protocol
