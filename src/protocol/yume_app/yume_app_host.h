// SPDX-License-Identifier: MIT
// The released Yume app as a host: Claude's nested lines, changed where its window would show them
// wrongly (docs/yume.md). It has no way to be asked.
#pragma once

#include <optional>

#include "protocol/claude/claude_host.h"
#include "protocol/overflow.h"
#include "protocol/unasked_host.h"

namespace yume::protocol {

// How the window wants its lines.
constexpr ClaudeLook yume_app_look() {
  return {.usage_is_context = true,
          .ids_on_blocks = true,
          .notices_as_text = true,
          .result_repeats_last_text = true,
          .reasons_as_text = true,
          .hides_the_word_compact = true,
          .tags_calls = true};
}

class YumeAppHost final : public UnaskedHost {
 public:
  // The app listens only some time after it has started us: lines before `listens_at` could be
  // lost, so the first one is held back until then, and the others come after it.
  YumeAppHost(Output& output, OverflowStore& overflow, platform::SteadyTime listens_at)
      : lines_(output, overflow, yume_app_look()), listens_at_(listens_at) {}

  [[nodiscard]] HostMessage parse(std::string_view line) const override;
  [[nodiscard]] HostMessage refuse(const LongLine& line, std::size_t limit) const override;
  void write(const core::Envelope& envelope, platform::SteadyTime now) override;
  void reply(std::string_view reply_to, const CommandResult& result) override;

  [[nodiscard]] std::optional<platform::SteadyTime> not_before(
      const core::Envelope& envelope) const override;
  [[nodiscard]] std::optional<platform::SteadyTime> wake_at() const override;
  void on_time(platform::SteadyTime now) override;

 private:
  void write_held(platform::SteadyTime now);

  ClaudeHost lines_;
  platform::SteadyTime listens_at_;
  std::optional<core::Envelope> held_;  // the session's start
};

}  // namespace yume::protocol
