// SPDX-License-Identifier: MIT
// A program that takes InsightsEvents as JSON lines, and says what it wants as commands.
#pragma once

#include <map>
#include <string>

#include "protocol/host.h"
#include "protocol/insights/insights_stream.h"
#include "protocol/overflow.h"

namespace yume::protocol {

class InsightsHost final : public Host {
 public:
  InsightsHost(Output& output, OverflowStore& overflow, const platform::Clock& clock,
               std::string session_id, InsightsProvider provider = InsightsProvider::gemini)
      : output_(output),
        overflow_(overflow),
        clock_(clock),
        session_id_(std::move(session_id)),
        provider_(provider) {}

  [[nodiscard]] HostMessage parse(std::string_view line) const override;
  [[nodiscard]] HostMessage refuse(const LongLine& line, std::size_t limit) const override;
  void write(const core::Envelope& envelope, platform::SteadyTime now) override;
  void reply(std::string_view reply_to, const CommandResult& result) override;
  [[nodiscard]] bool can_be_asked() const override { return true; }
  void ask(std::string_view request_id, const core::Address& from,
           const core::HostQuestion& question) override;
  // There is no event for it; a late answer is no harm.
  void withdraw(std::string_view /*request_id*/) override {}
  [[nodiscard]] std::optional<core::HostAnswer> read_answer(const core::HostQuestion& question,
                                                            const RawAnswer& answer) const override;

 private:
  InsightsStream& stream_of(const core::Address& address);

  Output& output_;
  OverflowStore& overflow_;
  const platform::Clock& clock_;
  std::string session_id_;  // the last that events came of
  InsightsProvider provider_;
  std::map<core::Address, InsightsStream> streams_;
};

}  // namespace yume::protocol
