// SPDX-License-Identifier: MIT
// Yume's flat lines: system, text, thinking, tool_use, tool_result, usage, result, message_stop.
// Yume's window overwrites text lines of the same millisecond, so text is joined for 5 ms.
#pragma once

#include <deque>
#include <string>

#include "protocol/emitter.h"
#include "protocol/overflow.h"

namespace yume::protocol {

class YumeStream final : public Emitter {
 public:
  YumeStream(Output& output, OverflowStore& overflow, std::string session_id);

  void on_event(const core::Event& event, platform::SteadyTime now) override;
  [[nodiscard]] std::optional<platform::SteadyTime> not_before(
      const core::Event& event) const override;
  [[nodiscard]] std::optional<platform::SteadyTime> wake_at() const override;
  void on_time(platform::SteadyTime now) override;

 private:
  void on(const core::SessionStarted& started);
  void on(const core::TextDelta& delta, platform::SteadyTime now);
  void on(const core::ThoughtDelta& delta);
  void on(const core::ToolCallReady& ready);
  void on(const core::ToolFinished& finished);
  void on(const core::RetryScheduled& retry);
  void on(const core::Compacted& compacted);
  void on(const core::CompactionFailed& failed);
  void on(const core::Notice& notice);
  void on(const core::TurnDone& done);

  void write_text(platform::SteadyTime now);
  void write_local_answer(const core::TurnDone& done, platform::SteadyTime now);
  void end_thinking();
  void write_next_call();
  void write_failure(const core::TurnDone& done);
  void write_usage(const core::Usage& usage);
  void write_result(const core::TurnDone& done);
  std::string next_id();

  Output& output_;
  OverflowStore& overflow_;
  std::string id_prefix_;
  int ids_ = 0;
  std::string session_id_;
  std::string model_;
  std::string pending_text_;
  std::optional<platform::SteadyTime> last_text_line_;
  bool thinking_ = false;
  // A call's line is held until the call before it has its result: Yume pairs by position.
  std::deque<core::ToolCall> waiting_calls_;
  bool call_open_ = false;
};

}  // namespace yume::protocol
