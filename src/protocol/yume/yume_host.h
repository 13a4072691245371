// SPDX-License-Identifier: MIT
// Yume as a host: its flat lines out, and on stdin the same lines as Claude's hosts send. It has no
// way to be asked.
#pragma once

#include <map>

#include "protocol/overflow.h"
#include "protocol/unasked_host.h"
#include "protocol/yume/yume_stream.h"

namespace yume::protocol {

class YumeHost final : public UnaskedHost {
 public:
  YumeHost(Output& output, OverflowStore& overflow) : output_(output), overflow_(overflow) {}

  [[nodiscard]] HostMessage parse(std::string_view line) const override;
  [[nodiscard]] HostMessage refuse(const LongLine& line, std::size_t limit) const override;
  void write(const core::Envelope& envelope, platform::SteadyTime now) override;
  void reply(std::string_view reply_to, const CommandResult& result) override;

  [[nodiscard]] std::optional<platform::SteadyTime> not_before(
      const core::Envelope& envelope) const override;
  [[nodiscard]] std::optional<platform::SteadyTime> wake_at() const override;
  void on_time(platform::SteadyTime now) override;

 private:
  Output& output_;
  OverflowStore& overflow_;
  std::map<core::Address, YumeStream> streams_;
};

}  // namespace yume::protocol
