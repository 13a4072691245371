// SPDX-License-Identifier: MIT
#include "protocol/yume/yume_host.h"

#include "protocol/claude/control_lines.h"
#include "protocol/claude/inbound.h"

namespace yume::protocol {

HostMessage YumeHost::parse(std::string_view line) const {
  return parse_claude_line(line);
}

HostMessage YumeHost::refuse(const LongLine& line, std::size_t limit) const {
  return refuse_claude_line(line, limit);
}

void YumeHost::write(const core::Envelope& envelope, platform::SteadyTime now) {
  const core::Address& address = envelope.address;
  if (!address.parent_call_id.empty()) return;  // Yume has no lines for subagents
  streams_.try_emplace(address, output_, overflow_, address.session_id)
      .first->second.on_event(envelope.event, now);
}

void YumeHost::reply(std::string_view reply_to, const CommandResult& result) {
  output_.line(reply_line(reply_to, result));
}

std::optional<platform::SteadyTime> YumeHost::not_before(const core::Envelope& envelope) const {
  const auto stream = streams_.find(envelope.address);
  return stream == streams_.end() ? std::nullopt : stream->second.not_before(envelope.event);
}

std::optional<platform::SteadyTime> YumeHost::wake_at() const {
  std::optional<platform::SteadyTime> first;
  for (const auto& [address, stream] : streams_) {
    const auto due = stream.wake_at();
    if (due && (!first || *due < *first)) first = due;
  }
  return first;
}

void YumeHost::on_time(platform::SteadyTime now) {
  for (auto& [address, stream] : streams_) stream.on_time(now);
}

}  // namespace yume::protocol
