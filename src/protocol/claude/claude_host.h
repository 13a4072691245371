// SPDX-License-Identifier: MIT
// A host that drives `claude`: Claude Code's lines, both ways, and its control protocol.
#pragma once

#include <map>
#include <string>

#include "protocol/claude/claude_stream.h"
#include "protocol/host.h"
#include "protocol/overflow.h"

namespace yume::protocol {

class ClaudeHost final : public Host {
 public:
  ClaudeHost(Output& output, OverflowStore& overflow, ClaudeLook look)
      : output_(output), overflow_(overflow), look_(look) {}

  [[nodiscard]] HostMessage parse(std::string_view line) const override;
  [[nodiscard]] HostMessage refuse(const LongLine& line, std::size_t limit) const override;
  void write(const core::Envelope& envelope, platform::SteadyTime now) override;
  void reply(std::string_view reply_to, const CommandResult& result) override;
  [[nodiscard]] bool can_be_asked() const override { return true; }
  [[nodiscard]] bool carries_mcp() const override { return true; }
  void ask(std::string_view request_id, const core::Address& from,
           const core::HostQuestion& question) override;
  void withdraw(std::string_view request_id) override;
  [[nodiscard]] std::optional<core::HostAnswer> read_answer(const core::HostQuestion& question,
                                                            const RawAnswer& answer) const override;

  // As ClaudeStream has them.
  [[nodiscard]] OpenText open_text(const core::Address& address) const;
  void write_open_text(const core::Address& address, std::string row_id);

 private:
  [[nodiscard]] std::optional<core::HostAnswer> read_may_run(const RawAnswer& answer) const;
  void ask_permission(std::string_view request_id, const core::Address& from,
                      const core::MayRun& question);
  void begin_agent(const core::Event& event);
  // Whether the host is to be told anew what works in the background.
  bool count_task(const core::Event& event);
  void end_agent(const core::Envelope& envelope);
  ClaudeStream& stream_of(const core::Address& address);

  Output& output_;
  OverflowStore& overflow_;
  ClaudeLook look_;
  // Those that work, by the call they work for.
  std::map<std::string, StreamAgent> agents_;
  std::map<core::Address, ClaudeStream> streams_;
  BackgroundTasks tasks_;
  // Inputs that were too long to be shown whole, as they were shown, by request: a host that sends
  // one back has changed nothing.
  std::map<std::string, RawJson, std::less<>> shortened_;
};

}  // namespace yume::protocol
