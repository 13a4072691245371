// SPDX-License-Identifier: MIT
// Stands between a turn and its host: what the host is about to see goes into the session's journal
// first. Also decides where a block of text or thought ends, so that the host's line and the record
// are the same thing under one uuid. On the turn's thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/event.h"
#include "session/journal.h"

namespace yume::agent {

class TurnRecorder final : public core::EventSink {
 public:
  // What tools have learned since it was last asked for; nullopt: nothing.
  using TakeNews = std::function<std::optional<core::WorkState>()>;

  TurnRecorder(session::Journal& journal, core::EventSink& host, TakeNews take_news);

  bool post(core::Event event) override;
  bool flush() override { return host_.flush(); }

  // Records how the turn ended; before its result goes out.
  void end_turn(core::TurnDone& done);

 private:
  enum class Open { none, text, thought };

  bool open(Open block, const std::string& text);
  bool close(bool aborted = false);
  bool tell_about_disk();

  bool on(core::TextDelta& delta);
  bool on(core::ThoughtDelta& delta);
  bool on(core::MessageStarted& started);
  bool on(core::UsageUpdated& updated);
  bool on(core::ToolCallStarted& started);
  bool on(core::ToolCallReady& ready);
  bool on(core::ToolFinished& finished);
  bool on(core::MessageDone& done);
  bool on(core::RetryScheduled& retry);
  template <class Other>
  bool on(Other&) {
    return true;
  }

  session::Journal& journal_;
  core::EventSink& host_;
  TakeNews take_news_;
  session::ReplyHead reply_;
  Open open_ = Open::none;
  std::string text_;
};

}  // namespace yume::agent
