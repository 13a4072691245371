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
  // Completes a good result, whose line does not say what was read or written; by the id that the
  // line has. False: what it needs is not there yet. Then the result waits, and those behind it,
  // for a line that is none; it is asked about once more, and the line's own words have to do.
  using Complete = std::function<bool(const std::string& tool_id, core::ToolOutcome& outcome)>;
  void set_complete(Complete complete) { complete_ = std::move(complete); }

 private:
  struct Line;
  struct Parser;

  void take(Line& line, const Emit& emit);
  void on_init(Line& line, const Emit& emit);
  void on_message(Line& line, const Emit& emit);
  void on_tool_use(Line& line, const Emit& emit);
  void on_tool_result(Line& line, const Emit& emit);
  void release_results(const Emit& emit);
  void on_error(Line& line, const Emit& emit);
  void on_result(Line& line, const Emit& emit);

  CallWords words_;
  std::unique_ptr<Parser> parser_;
  TurnFlow flow_;
  std::string session_id_;
  std::string last_error_;  // that the turn's result may not repeat
  struct WaitingResult {
    std::string tool_id;
    core::ToolOutcome outcome;
  };

  Complete complete_;
  std::vector<WaitingResult> waiting_;
};

}  // namespace yume::foreign
