// SPDX-License-Identifier: MIT
// A program that runs a team of agents and takes AgentEvents from each, as JSON lines. It says
// nothing after the prompt, and cannot be asked.
#pragma once

#include <map>

#include "protocol/agent_events/agent_events_stream.h"
#include "protocol/unasked_host.h"

namespace yume::protocol {

class AgentEventsHost final : public UnaskedHost {
 public:
  AgentEventsHost(Output& output, OverflowStore& overflow, const platform::Clock& clock)
      : output_(output), overflow_(overflow), clock_(clock) {}

  // Lines of Claude's hosts, where somebody feeds a session by stdin.
  [[nodiscard]] HostMessage parse(std::string_view line) const override;
  [[nodiscard]] HostMessage refuse(const LongLine& line, std::size_t limit) const override;
  void write(const core::Envelope& envelope, platform::SteadyTime now) override;
  // There is no event that answers a request.
  void reply(std::string_view /*reply_to*/, const CommandResult& /*result*/) override {}

  // Of input that is no event, and could not be read.
  void write_error(const core::Address& address, std::string_view error, std::string_view code);

 private:
  AgentEventsStream& stream_of(const core::Address& address);

  Output& output_;
  OverflowStore& overflow_;
  const platform::Clock& clock_;
  std::map<core::Address, AgentEventsStream> streams_;
};

}  // namespace yume::protocol
