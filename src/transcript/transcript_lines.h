// SPDX-License-Identifier: MIT
// The lines of a session file as Claude Code writes them, so that its tools and hosts can read
// ours, and a few kinds of our own for what only Gemini needs back. Pure; docs/sessions.md has the
// format. Every function returns one line without its newline.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/conversation.h"
#include "core/event.h"
#include "core/message.h"
#include "core/tool_call.h"
#include "core/usage.h"
#include "platform/clock.h"

namespace yume::transcript {

// What is the same on every line of one process.
struct LineHead {
  std::string session_id;
  std::string cwd;
  std::string version;
  std::string git_branch = {};  // empty: unknown
  std::string agent_id = {};    // of a subagent, whose lines they are; empty: the session itself
};

// What links a line into the conversation.
struct LineLink {
  std::string uuid;
  std::string parent;  // empty: the first
  platform::WallTime time;
};

enum class BlockKind { text, thought };

// Which reply a block belongs to.
struct ReplyHead {
  std::string message_id;
  std::string model;
  core::Usage usage = {};
};

enum class PromptKind {
  typed,
  synthetic,  // ours: hosts do not show it
  summary,    // of what compaction left out
  marker,     // shown in the place of what an interrupt cut off; never sent to the model
};

std::string prompt_line(const LineHead& head, const LineLink& link,
                        const core::UserMessage& message, PromptKind kind);
// A line, and where in it the block's text stands, without its quotes.
struct BlockLine {
  std::string line;
  std::size_t text_from = 0;
  std::size_t text_size = 0;
};
BlockLine block_line(const LineHead& head, const LineLink& link, const ReplyHead& reply,
                     BlockKind kind, std::string_view text);
std::string call_line(const LineHead& head, const LineLink& link, const ReplyHead& reply,
                      const core::ToolCall& call);
std::string result_line(const LineHead& head, const LineLink& link, const std::string& call_uuid,
                        const core::ToolCall& call, const core::ToolOutcome& outcome);
// What a host was told instead of a reply.
std::string failure_line(const LineHead& head, const LineLink& link, std::string_view text);

struct CompactionRecord {
  std::string trigger;  // "manual" or "auto"
  std::int64_t pre_tokens = 0;
  std::int64_t post_tokens = 0;
  std::string logical_parent = {};     // the record before, which `parent` leaves out
  std::string summary_uuid = {};       // follows, and what was kept follows it
  std::vector<std::string> kept = {};  // uuids, oldest first; empty: everything was summed up
};
std::string boundary_line(const LineHead& head, const LineLink& link,
                          const CompactionRecord& record);

// Our own kinds. Readers of Claude's files pass over types they do not know.
// With its newline, in pieces: a part may have megabytes, and is not copied. The content outlives
// it.
class ContentLine {
 public:
  ContentLine(const LineHead& head, platform::WallTime time, const std::string& message_id,
              const core::RawContent& content, std::span<const core::PastCall> calls);
  ContentLine(const ContentLine&) = delete;
  ContentLine& operator=(const ContentLine&) = delete;

  [[nodiscard]] std::span<const std::string_view> pieces() const { return pieces_; }

 private:
  std::string begin_;
  std::vector<std::string> converted_;
  std::string end_;
  std::vector<std::string_view> pieces_;
};
std::string rewind_line(const LineHead& head, platform::WallTime time, const std::string& leaf);
std::string withheld_line(const LineHead& head, platform::WallTime time,
                          std::span<const std::string> call_ids, std::string_view instead);
std::string withheld_media_line(const LineHead& head, platform::WallTime time,
                                const std::string& after, std::string_view why);
std::string state_line(const LineHead& head, platform::WallTime time, const core::WorkState& state);

// The name that a person gave the session, as Claude writes it.
std::string title_line(const LineHead& head, std::string_view title);

}  // namespace yume::transcript
