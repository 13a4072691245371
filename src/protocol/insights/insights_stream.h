// SPDX-License-Identifier: MIT
// The InsightsEvents of one session or subagent, one JSON line each. Text goes out twice: piece by
// piece as `stream_delta`, and whole as `text` once it is complete.
#pragma once

#include <string>
#include <string_view>

#include "core/envelope.h"
#include "core/host_question.h"
#include "protocol/emitter.h"
#include "protocol/line_stamps.h"
#include "protocol/overflow.h"
#include "util/json_io.h"

namespace yume::protocol {

// Whose events they are: "gemini", "claude" or "acp". An ACP agent's turns end with its own words.
enum class InsightsProvider { gemini, claude, acp };
std::string_view to_string(InsightsProvider provider);

// How a turn ended, in the words that a provider has for it.
struct InsightsEnd {
  std::string_view subtype;
  bool is_error = false;
  friend bool operator==(const InsightsEnd&, const InsightsEnd&) = default;
};
InsightsEnd insights_end(const core::TurnDone& done, InsightsProvider provider);

class InsightsStream final : public Emitter {
 public:
  InsightsStream(Output& output, OverflowStore& overflow, const platform::Clock& clock,
                 core::Address address, InsightsProvider provider = InsightsProvider::gemini);

  void on_event(const core::Event& event, platform::SteadyTime now) override;

  // Something that is no event of the session: an answer to a command.
  void write_error_text(std::string_view text);
  void write_status(std::string_view status, std::string_view message = {});
  void write_permission_request(std::string_view request_id, const core::MayRun& question,
                                const RawJson& shown);
  void write_elicitation(std::string_view request_id, const core::Elicit& question);

 private:
  enum class Block { none, text, thinking };

  void on(const core::SessionStarted& started);
  void on(const core::PromptTaken& taken);
  void on(const core::MessageStarted& started);
  void on(const core::BlockDone& done);
  void on(const core::ToolCallStarted& started);
  void on(const core::ToolArgsDelta& delta);
  void on(const core::ToolCallReady& ready);
  void on(const core::ToolFinished& finished);
  void on(const core::AgentStarted& started);
  void on(const core::AgentEnded& ended);
  void on(const core::ConversationReset& reset);
  void on(const core::ModeChanged& changed);
  void on(const core::ModelChanged& changed);
  void on(const core::MessageDone& done);
  void on(const core::RetryScheduled& retry);
  void on(const core::Compacted& compacted);
  void on(const core::CompactionFailed& failed);
  void on(const core::Notice& notice);
  void on(const core::TurnDone& done);

  // A piece of the text or thought that is open, or becomes it.
  void add(Block block, std::string_view text);
  void open(Block block);
  // Writes what there is of it as a whole.
  void close();
  void write_text(std::string_view kind, std::string_view text);
  void write_piece(std::string_view kind, std::string_view text);
  void write_marker(std::string_view kind);
  void write_block_marker(std::string_view kind, std::string_view call_id = {});
  void write_result(const core::TurnDone& done);
  // An ACP agent's plan comes as a list of tasks; here it is a text again. False: it is none.
  bool write_plan(const core::ToolCall& call);

  // Begins a line with its event and all that every line has.
  JsonWriter begin(std::string_view event);
  void end(JsonWriter& json);

  Output& output_;
  OverflowStore& overflow_;
  core::Address address_;
  InsightsProvider provider_;
  LineIds ids_;
  TimeTexts times_;
  std::string line_;     // that is being written
  std::string session_;  // what was said last of the session as it is
  std::string model_;
  bool message_open_ = false;
  std::int64_t block_index_ = 0;
  bool arguments_open_ = false;
  std::string argument_call_;  // whose arguments come in pieces
  Block open_ = Block::none;
  std::string block_text_;
  std::string plan_call_;  // whose result is not shown
};

}  // namespace yume::protocol
