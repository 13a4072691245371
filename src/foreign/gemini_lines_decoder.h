// SPDX-License-Identifier: MIT
// What the official Gemini CLI writes with `-o stream-json`, of every version since October 2025:
// init, message, tool_use, tool_result, error, result. Fields are read under both of their
// spellings (tool_name and name, tool_id and id, parameters and input), and all of them may be
// missing. Success is said by a `result` line alone.
#pragma once

#include <memory>
#include <string>

#include "foreign/line_decoder.h"
#include "foreign/turn_flow.h"

namespace yume::foreign {

class GeminiLinesDecoder final : public LineDecoder {
 public:
  explicit GeminiLinesDecoder(DecoderOptions options = {});
  ~GeminiLinesDecoder() override;

  std::optional<BadLine> feed(std::string_view line, const Emit& emit) override;
  void finish(const StreamEnd& end, const Emit& emit) override;

  // For whoever goes on with the session: as the init line says; empty: there was none yet.
  [[nodiscard]] const std::string& session_id() const { return session_id_; }
  // Ids of calls that this session had before.
  void reserve_call_ids(const std::vector<std::string>& ids) { flow_.reserve_ids(ids); }
  // Completes a result whose line says nothing (reading a file, writing one): called before its
  // event is made, with the id that the line has.
  using Complete = std::function<void(const std::string& tool_id, core::ToolOutcome& outcome)>;
  void set_complete(Complete complete) { complete_ = std::move(complete); }

 private:
  struct Line;
  struct Parser;

  void take(Line& line, const Emit& emit);
  void on_init(Line& line, const Emit& emit);
  void on_message(Line& line, const Emit& emit);
  void on_tool_use(Line& line, const Emit& emit);
  void on_tool_result(Line& line, const Emit& emit);
  void on_error(Line& line, const Emit& emit);
  void on_result(Line& line, const Emit& emit);

  CallWords words_;
  std::unique_ptr<Parser> parser_;
  TurnFlow flow_;
  std::string session_id_;
  std::string last_error_;  // that the turn's result may not repeat
  Complete complete_;
};

}  // namespace yume::foreign
