// SPDX-License-Identifier: MIT
// Claude Code's nested lines of one session or subagent: init, one assistant line per content
// block, one user line per tool result, a complete result. What the Agent SDKs and every host of
// `claude` read.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/envelope.h"
#include "protocol/claude/claude_look.h"
#include "protocol/claude/stream_events.h"
#include "protocol/emitter.h"
#include "protocol/overflow.h"
#include "util/json_io.h"

namespace yume::protocol {

// The Claude Code version whose behaviour this is; hosts compare it.
inline constexpr std::string_view k_claude_code_version = "2.1.325";

// Whose lines they are, when they are those of a subagent.
struct StreamAgent {
  std::string id;
  std::string type;
  std::string description;
};

// Work in the background that has not ended, by its id.
struct BackgroundTask {
  std::string_view type;  // "local_bash", "local_agent"
  std::string agent_type = {};
  std::string description = {};
};
using BackgroundTasks = std::map<std::string, BackgroundTask>;

// A text that still grows and is in no complete line yet.
struct OpenText {
  std::size_t bytes = 0;         // 0: there is none
  std::string_view row_id = {};  // under which it was last written; empty: it was not yet
};

class ClaudeStream final : public Emitter {
 public:
  ClaudeStream(Output& output, OverflowStore& overflow, core::Address address, ClaudeLook look = {},
               StreamAgent agent = {});

  void on_event(const core::Event& event, platform::SteadyTime now) override;

  // All work that goes on in the background now.
  void write_tasks(const BackgroundTasks& tasks);

  // For a host that can show a text while it grows.
  [[nodiscard]] OpenText open_text() const;
  // Writes as much of it as there is, in a line that says that it is not all. The line that
  // completes it will have the same id, by which the host replaces the one by the other.
  void write_open_text(std::string row_id);

 private:
  enum class Block { none, text, thinking };
  enum class Extent { all, aborted, so_far };

  void on(const core::SessionStarted& started);
  void on(const core::PromptTaken& taken);
  void on(const core::PromptMoved& moved);
  void on(const core::MessageStarted& started);
  void on(const core::TextDelta& delta);
  void on(const core::ThoughtDelta& delta);
  void on(const core::BlockDone& done);
  void on(const core::UsageUpdated& updated);
  void on(const core::ToolCallStarted& started);
  void on(const core::ToolArgsDelta& delta);
  void on(const core::ToolCallReady& ready);
  void on(const core::ToolFinished& finished);
  void on(const core::ToolProgress& progress);
  void on(const core::BackgroundStarted& started);
  void on(const core::BackgroundEnded& ended);
  void on(const core::AgentStarted& started);
  void on(const core::AgentProgress& progress);
  void on(const core::AgentEnded& ended);
  void on(const core::PermissionRefused& refused);
  void on(const core::MessageDone& done);
  void on(const core::RetryScheduled& retry);
  void on(const core::HookStarted& started);
  void on(const core::HookEnded& ended);
  void on(const core::ConversationReset& reset);
  void on(const core::StateChanged& changed);
  void on(const core::ModeChanged& changed);
  void on(const core::ModelChanged& changed);
  void on(const core::CompactionStarted& started);
  void on(const core::Compacted& compacted);
  void on(const core::CompactionFailed& failed);
  void on(const core::Notice& notice);
  void on(const core::TurnDone& done);

  void open_block(Block block);
  void close_block(bool aborted = false, std::string_view uuid = {});
  void write_first_line(std::string_view uuid);
  void write_text_block(std::string_view text, bool aborted, std::string_view uuid);
  [[nodiscard]] std::string text_block(std::string_view text) const;
  void write_block(std::string_view block_json, std::string_view uuid, Extent extent);
  void write_content(const core::ToolFinished& finished, JsonWriter& json);
  void write_reason(const core::TurnDone& done);
  void write_interrupt_marker(const core::TurnDone& done);
  void write_result(const core::TurnDone& done);
  void write_task_end(const core::BackgroundEnded& ended, const core::AgentWork* work);
  void write_status(std::string_view status, std::string_view result, std::string_view error);
  void write_user_text(std::string_view text, std::string_view flag, std::string_view uuid);
  void write_parent(JsonWriter& json) const;
  void write_prompt_uuids(JsonWriter& json) const;
  // The same on a line of the conversation, which also says who speaks.
  void write_speaker(JsonWriter& json) const;
  [[nodiscard]] std::string_view shown_tool(std::string_view name) const;
  void write_synthetic(std::string_view text, std::optional<core::FailureKind> failure,
                       std::string_view uuid);
  [[nodiscard]] core::Usage shown(const core::Usage& usage) const;
  [[nodiscard]] core::Usage result_usage(const core::TurnDone& done) const;
  [[nodiscard]] std::string result_text(const core::TurnDone& done) const;
  [[nodiscard]] std::string call_id(const std::string& id) const;
  [[nodiscard]] std::vector<core::ToolCall> tagged(std::vector<core::ToolCall> calls) const;
  // A line without a record of its own gets a fresh uuid.
  void end_line(JsonWriter& json, std::string& line, std::string_view uuid = {});

  Output& output_;
  OverflowStore& overflow_;
  core::Address address_;
  ClaudeLook look_;
  StreamAgent agent_;
  StreamEvents events_;
  std::vector<std::string> prompt_uuids_;  // of this turn
  std::string prompt_uuid_;                // the last of those that it began with
  bool replied_ = false;                   // a line of the assistant has named them
  std::string message_id_;
  std::string model_;
  core::Usage usage_;
  core::Usage context_;  // of the last request that is known of
  Block open_ = Block::none;
  std::string block_text_;
  std::string row_id_;     // of the open text's lines, once one was written
  std::string last_text_;  // that was written, where the look asks for it
};

}  // namespace yume::protocol
