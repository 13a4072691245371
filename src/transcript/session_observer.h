// SPDX-License-Identifier: MIT
// Follows a session as it is recorded, for whoever keeps another form of it. On the session's
// thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/event.h"
#include "core/message.h"
#include "core/tool_call.h"
#include "transcript/transcript_lines.h"
#include "util/result.h"

namespace yume::transcript {

// Bytes of the session's file that are the characters of a JSON string.
struct TextPlace {
  std::uint64_t from = 0;
  std::uint64_t size = 0;
};

class SessionObserver {
 public:
  virtual ~SessionObserver() = default;

  virtual void on_prompt(const core::UserMessage& message) = 0;  // typed ones
  // `place`: where the text stands as soon as the journal is saved.
  virtual void on_text(const ReplyHead& reply, std::string_view text, const TextPlace& place) = 0;
  virtual void on_call(const ReplyHead& reply, const core::ToolCall& call) = 0;
  virtual void on_failure(std::string_view text) = 0;
  virtual void on_prompt_taken_back() = 0;
  virtual void on_compaction() = 0;

  // Before the first request: a turn that is killed counts, too.
  virtual void on_turn_begun() = 0;
  virtual void on_turn_done(const core::TurnDone& done) = 0;
  // The host has the result: what may take a moment. A failure is only logged.
  virtual Result<void> after_result() = 0;
};

}  // namespace yume::transcript
