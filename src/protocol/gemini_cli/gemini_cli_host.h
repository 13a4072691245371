// SPDX-License-Identifier: MIT
// A program that starts `gemini -o stream-json`: it reads lines, says nothing after the prompt, and
// cannot be asked.
#pragma once

#include <map>

#include "protocol/gemini_cli/gemini_cli_stream.h"
#include "protocol/unasked_host.h"

namespace yume::protocol {

class GeminiCliHost final : public UnaskedHost {
 public:
  GeminiCliHost(Output& output, Output& errors, OverflowStore& overflow,
                const platform::Clock& clock)
      : output_(output), errors_(errors), overflow_(overflow), clock_(clock) {}

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
  Output& errors_;
  OverflowStore& overflow_;
  const platform::Clock& clock_;
  std::map<core::Address, GeminiCliStream> streams_;
};

}  // namespace yume::protocol
