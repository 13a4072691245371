// SPDX-License-Identifier: MIT
// What Claude Code, or a program that speaks as it does, writes with `--output-format stream-json`:
// system, assistant, user, result, and with partial messages stream_event. What a message said in
// pieces is not said again with its whole line. Control lines are passed over: nobody answers here.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "foreign/line_decoder.h"
#include "foreign/turn_flow.h"

namespace yume::foreign {

class ClaudeLinesDecoder final : public LineDecoder {
 public:
  explicit ClaudeLinesDecoder(DecoderOptions options = {});
  ~ClaudeLinesDecoder() override;

  std::optional<BadLine> feed(std::string_view line, const Emit& emit) override;
  void finish(const StreamEnd& end, const Emit& emit) override;

  // Whose events feed() has just emitted: the call that a subagent works for; empty: the session.
  [[nodiscard]] std::string_view parent_call_id() const override { return parent_; }

 private:
  struct Block;
  struct Line;
  struct Parser;

  void take(Line& line, const Emit& emit);
  void on_system(Line& line, const Emit& emit);
  void on_init(Line& line, const Emit& emit);
  void on_assistant(Line& line, const Emit& emit);
  void on_user(Line& line, const Emit& emit);
  void on_piece(Line& line, const Emit& emit);
  void on_result(Line& line, const Emit& emit);
  TurnFlow& flow();

  DecoderOptions options_;
  std::unique_ptr<Parser> parser_;
  std::unique_ptr<Line> line_;
  TurnFlow flow_;
  std::map<std::string, TurnFlow, std::less<>> subagents_;
  std::string parent_;
  std::string streamed_;  // the message whose pieces are coming, or came last
  bool streamed_anything_ = false;
};

}  // namespace yume::foreign
