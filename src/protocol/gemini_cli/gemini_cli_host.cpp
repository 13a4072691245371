// SPDX-License-Identifier: MIT
#include "protocol/gemini_cli/gemini_cli_host.h"

#include "protocol/claude/control_lines.h"
#include "protocol/claude/inbound.h"

namespace yume::protocol {

// Gemini CLI takes no lines. Where somebody chooses its lines for a session that is fed by stdin,
// what comes there is what Claude's hosts send.
HostMessage GeminiCliHost::parse(std::string_view line) const {
  return parse_claude_line(line);
}

HostMessage GeminiCliHost::refuse(const LongLine& line, std::size_t limit) const {
  return refuse_claude_line(line, limit);
}

void GeminiCliHost::write(const core::Envelope& envelope, platform::SteadyTime now) {
  const core::Address& address = envelope.address;
  if (!address.parent_call_id.empty()) return;  // a subagent: its report is what counts
  streams_.try_emplace(address, output_, errors_, overflow_, clock_)
      .first->second.on_event(envelope.event, now);
}

void GeminiCliHost::reply(std::string_view reply_to, const CommandResult& result) {
  output_.line(reply_line(reply_to, result));
}

std::optional<platform::SteadyTime> GeminiCliHost::not_before(
    const core::Envelope& envelope) const {
  const auto stream = streams_.find(envelope.address);
  return stream == streams_.end() ? std::nullopt : stream->second.not_before(envelope.event);
}

std::optional<platform::SteadyTime> GeminiCliHost::wake_at() const {
  std::optional<platform::SteadyTime> first;
  for (const auto& [address, stream] : streams_) {
    const auto due = stream.wake_at();
    if (due && (!first || *due < *first)) first = due;
  }
  return first;
}

void GeminiCliHost::on_time(platform::SteadyTime now) {
  for (auto& [address, stream] : streams_) stream.on_time(now);
}

}  // namespace yume::protocol
