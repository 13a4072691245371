// SPDX-License-Identifier: MIT
// The released Yume app as a host: Claude's nested lines, changed where its window would show them
// wrongly (docs/yume.md). It has no way to be asked.
#pragma once

#include <chrono>
#include <map>
#include <optional>

#include "protocol/claude/claude_host.h"
#include "protocol/overflow.h"
#include "protocol/unasked_host.h"
#include "protocol/yume_app/live_text.h"

namespace yume::protocol {

// How the window wants its lines.
constexpr ClaudeLook yume_app_look() {
  return {.usage_is_context = true,
          .ids_on_blocks = true,
          .notices_as_text = true,
          .result_repeats_last_text = true,
          .reasons_as_text = true,
          .hides_the_word_compact = true,
          .hides_subagents = true,
          .tags_calls = true};
}

struct YumeAppTiming {
  // The app listens only some time after it has started us: lines before that could be lost, so the
  // first one is held back until then, and the others come after it.
  platform::SteadyTime listens_at = {};
  // How often at most a text is shown that still grows; nullopt: only when it is complete.
  std::optional<std::chrono::milliseconds> live_text_gap = std::nullopt;
};

class YumeAppHost final : public UnaskedHost {
 public:
  YumeAppHost(Output& output, OverflowStore& overflow, YumeAppTiming timing)
      : lines_(output, overflow, yume_app_look()), timing_(timing) {}

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
  void show_open_text(const core::Address& address, platform::SteadyTime now);

  ClaudeHost lines_;
  YumeAppTiming timing_;
  std::optional<core::Envelope> held_;  // the session's start
  std::map<core::Address, LiveText> live_texts_;
};

}  // namespace yume::protocol
