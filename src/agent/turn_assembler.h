// SPDX-License-Identifier: MIT
// Puts one model reply together from the chunks of its stream: text and thoughts go on to the host
// at once, calls wait until the stream has ended well, and what must be sent back is kept verbatim.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/event.h"
#include "gemini/stream_decoder.h"

namespace yume::agent {

struct ModelReply {
  std::vector<std::string> parts;  // raw JSON, for the history
  std::vector<gemini::FunctionCall> calls;
  std::string last_text;  // the last text block
  std::optional<gemini::Finish> finish;
  std::optional<std::string> prompt_blocked;
  core::Usage usage;       // of the attempt that gave the reply: the size of the context
  core::Usage billed;      // all attempts together
  bool announced = false;  // the host has seen something of this reply
};

class TurnAssembler {
 public:
  TurnAssembler(std::string model, core::EventSink& sink);

  // False when the host is gone.
  bool add(gemini::Chunk chunk);

  // The stream broke or was interrupted: calls and signatures are dropped, the text that the host
  // already has stays as the only part. Ready for another attempt at the same reply.
  void keep_text_only();

  // Closes the text part; call once the stream has ended.
  void finish_parts();

  // Tells the host that this message has begun; once, before the first thing of it. A reply that is
  // all calls announces itself only when its stream has ended well.
  bool announce();

  [[nodiscard]] const ModelReply& reply() const { return reply_; }
  ModelReply take() { return std::move(reply_); }
  [[nodiscard]] bool has_visible_text() const { return !attempt_text_.empty(); }

 private:
  bool add_text(std::string text, std::string raw);
  void close_text_part();

  std::string model_;
  core::EventSink& sink_;
  std::string message_id_;
  ModelReply reply_;
  std::string open_text_;     // unsigned text deltas not yet a part
  std::string attempt_text_;  // all text of this attempt
  bool in_text_block_ = false;
  core::Usage earlier_attempts_;
};

}  // namespace yume::agent
