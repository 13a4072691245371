// SPDX-License-Identifier: MIT
// Gemini CLI's lines: init, message, tool_use, tool_result, error, result. They have no ids, so
// pieces of text that come within a millisecond become one line, which keeps all lines different.
// A turn always ends in a result, also one that failed.
#pragma once

#include <optional>
#include <string>

#include "protocol/emitter.h"
#include "protocol/gemini_cli/gemini_cli_stats.h"
#include "protocol/line_stamps.h"
#include "protocol/overflow.h"

namespace yume::protocol {

class GeminiCliStream final : public Emitter {
 public:
  // `errors`: where one line says why a turn failed.
  GeminiCliStream(Output& output, Output& errors, OverflowStore& overflow,
                  const platform::Clock& clock)
      : output_(output), errors_(errors), overflow_(overflow), times_(clock) {}

  void on_event(const core::Event& event, platform::SteadyTime now) override;
  [[nodiscard]] std::optional<platform::SteadyTime> not_before(
      const core::Event& event) const override;
  [[nodiscard]] std::optional<platform::SteadyTime> wake_at() const override;
  void on_time(platform::SteadyTime now) override;

 private:
  void on(const core::SessionStarted& started);
  void on(const core::PromptTaken& taken);
  void on(const core::TextDelta& delta, platform::SteadyTime now);
  void on(const core::ToolCallReady& ready);
  void on(const core::ToolFinished& finished);
  void on(const core::Notice& notice);
  void on(const core::TurnDone& done);

  void write_text(platform::SteadyTime now);
  void write_message(std::string_view role, std::string_view text, bool is_piece);
  // Begins a line: its type and time.
  JsonWriter line_of(std::string& line, std::string_view type);

  Output& output_;
  Output& errors_;
  OverflowStore& overflow_;
  TimeTexts times_;
  GeminiCliStats stats_;
  std::string pending_text_;
  std::optional<platform::SteadyTime> last_text_line_;
  std::size_t last_text_hash_ = 0;
  bool last_was_early_ = false;  // it may have the millisecond of the one before it
};

}  // namespace yume::protocol
