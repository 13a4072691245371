// SPDX-License-Identifier: MIT
// What the events of a turn have to look like, whoever it is that speaks: messages begin and end,
// every call is announced once and answered once, and a turn ends in one TurnDone. Used by the
// decoders. Pure.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/event.h"
#include "foreign/line_decoder.h"

namespace yume::foreign {

class TurnFlow {
 public:
  explicit TurnFlow(DecoderOptions options) : options_(std::move(options)) {}

  // From now on. Of the messages that begin.
  void set_model(std::string model) { model_ = std::move(model); }
  [[nodiscard]] const std::string& model() const { return model_; }

  // A turn is open from its first event on; begin() says so before there is one.
  void begin() { open_ = true; }
  [[nodiscard]] bool is_open() const { return open_; }
  [[nodiscard]] bool any_ended() const { return any_ended_; }

  // `id`: of its message; another one than before begins a new message. Empty: of the open one.
  void text(std::string_view text, std::string_view id, const Emit& emit);
  void thought(std::string_view text, std::string_view id, const Emit& emit);
  // Whether the last that was said is a thought.
  [[nodiscard]] bool in_thought() const { return in_thought_; }

  // Ids that calls of earlier turns have, also of another process.
  void reserve_ids(const std::vector<std::string>& ids) {
    used_ids_.insert(ids.begin(), ids.end());
  }
  // `given`: the id by which results name the call. One that is used again makes another call.
  void call(const std::string& given, core::ToolCall call, const Emit& emit);
  // The oldest call of that id that has no result; nullptr: there is none.
  [[nodiscard]] const core::ToolCall* open_call(std::string_view given) const;
  // Of an open call. Details that the outcome lacks are made from the call.
  void result(std::string_view given, core::ToolOutcome outcome, const Emit& emit);
  // The same for one that was refused; `unasked`: by no person.
  enum class Refused { unasked, by_person };
  void refused(std::string_view given, std::string message, Refused how, const Emit& emit);

  // What the request that runs has used so far.
  void usage(const core::Usage& usage);

  // What was said so far is no turn of this stream (a history): messages and calls end, and no
  // TurnDone follows.
  void settle(const Emit& emit);
  // Fills in what was seen of the turn, and posts it last.
  void end(core::TurnDone done, const Emit& emit);

 private:
  struct OpenCall {
    std::string given;
    core::ToolCall call;
  };

  void begin_message(std::string_view id, const Emit& emit);
  void end_message(core::StopReason stop, const core::Usage& usage, const Emit& emit);
  [[nodiscard]] std::string next_id();
  [[nodiscard]] std::string unique_id(const std::string& given);
  void answer_open_calls(const Emit& emit);
  void forget_turn();

  DecoderOptions options_;
  std::string model_;
  bool open_ = false;
  bool any_ended_ = false;
  bool in_message_ = false;
  bool in_thought_ = false;
  bool replied_ = false;  // since the last results
  std::string message_id_;
  int made_ids_ = 0;
  int messages_ = 0;
  int results_ = 0;
  std::string last_text_;
  bool text_ended_ = false;  // the next text is another block
  core::Usage usage_;
  std::vector<OpenCall> calls_;
  std::unordered_set<std::string> used_ids_;
  std::unordered_map<std::string, int> copies_;  // of ids that came again
  std::vector<core::ToolCall> denials_;
};

}  // namespace yume::foreign
