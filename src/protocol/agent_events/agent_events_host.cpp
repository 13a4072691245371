// SPDX-License-Identifier: MIT
#include "protocol/agent_events/agent_events_host.h"

#include "protocol/claude/inbound.h"

namespace yume::protocol {

HostMessage AgentEventsHost::parse(std::string_view line) const {
  return parse_claude_line(line);
}

HostMessage AgentEventsHost::refuse(const LongLine& line, std::size_t limit) const {
  return refuse_claude_line(line, limit);
}

AgentEventsStream& AgentEventsHost::stream_of(const core::Address& address) {
  return streams_.try_emplace(address, output_, overflow_, clock_, address.session_id)
      .first->second;
}

void AgentEventsHost::write(const core::Envelope& envelope, platform::SteadyTime now) {
  const core::Address& address = envelope.address;
  if (!address.parent_call_id.empty()) return;  // a subagent: its report is what counts
  stream_of(address).on_event(envelope.event, now);
}

void AgentEventsHost::write_error(const core::Address& address, std::string_view error,
                                  std::string_view code) {
  stream_of(address).write_error(error, code);
}

}  // namespace yume::protocol
