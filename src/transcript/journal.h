// SPDX-License-Identifier: MIT
// Writes one session as it happens: each record is in the file before the host sees its line, so a
// kill at any moment loses nothing that was shown. A disk that fails never fails the turn: records
// wait in memory and are written when it can be written again. One thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/turn_port.h"
#include "platform/append_file.h"
#include "platform/clock.h"
#include "transcript/session_observer.h"
#include "transcript/transcript_lines.h"

namespace yume::transcript {

class Journal {
 public:
  // Opens the file with the first record: a session that nobody said anything in leaves no trace.
  using Open = std::function<Result<std::unique_ptr<platform::AppendFile>>()>;

  // `chain`: the records that what comes follows. Without a file, or a way to open one, nothing is
  // kept; records still get their ids.
  Journal(std::unique_ptr<platform::AppendFile> file, Open open, LineHead head,
          std::vector<std::string> chain, const platform::Clock& clock);

  // `observer` outlives the journal's use, or is taken away again with nullptr.
  void set_observer(SessionObserver* observer) { observer_ = observer; }

  // Records from here on are of that time; nullopt: of the moment in which they are written.
  void set_time(std::optional<platform::WallTime> time) { time_ = time; }

  // Each returns the record's uuid.
  // `uuid`: the host's own, taken if it is one and new here.
  std::string prompt(const core::UserMessage& message, PromptKind kind = PromptKind::typed,
                     std::string_view uuid = {});
  std::string block(const ReplyHead& reply, BlockKind kind, std::string_view text);
  std::string call(const ReplyHead& reply, const core::ToolCall& call);
  std::string result(const core::ToolCall& call, const core::ToolOutcome& outcome);
  std::string failure(std::string_view text);

  // What the server must get back, which the records above do not say.
  void content(const std::string& message_id, const core::RawContent& content,
               std::span<const core::PastCall> calls);
  void withhold(std::span<const std::string> call_ids, std::string_view instead);
  // Pictures and documents of all records behind that one (empty: of all there are) are not sent
  // again; why stands in their place.
  void withhold_media(const std::string& after, std::string_view why);
  void state(const core::WorkState& news);
  void title(std::string_view title);
  // The last prompt, and what followed it, never were.
  void take_back_prompt();

  // The conversation goes on from a summary; the records from position `kept_from` on follow it,
  // and now begin at position 1. `record` needs no uuids. Returns those of boundary and summary.
  core::SummaryUuids compact(CompactionRecord record, const core::UserMessage& summary,
                             std::size_t kept_from);

  // Where the next record will stand in the conversation.
  [[nodiscard]] std::size_t position() const { return chain_.size(); }
  // Where the last prompt stands, and the record before it; empty when there is none.
  [[nodiscard]] std::size_t prompt_position() const { return prompt_position_; }
  [[nodiscard]] std::string before_prompt() const;

  // Returns when all would survive a power cut, or cannot be saved.
  void sync();

  [[nodiscard]] std::string leaf() const { return chain_.empty() ? "" : chain_.back(); }
  [[nodiscard]] const LineHead& head() const { return head_; }
  [[nodiscard]] std::uint64_t size() const { return file_ == nullptr ? 0 : file_->size(); }
  [[nodiscard]] bool is_kept() const { return file_ != nullptr || open_; }
  // Everything so far is in the file, or was never meant to be.
  [[nodiscard]] bool saved() const { return waiting_.empty() && !lost_; }
  // What a person should be told about the disk; once, again each minute, and when it is over.
  std::optional<std::string> take_notice();

 private:
  LineLink next_link(std::string uuid = {});
  void append(std::string line);
  void append(std::span<const std::string_view> pieces);  // of a line, or of several
  Result<void> write(std::span<const std::string_view> pieces);
  void note_failure(const Error& error);
  void note_success();

  std::unique_ptr<platform::AppendFile> file_;
  Open open_;
  LineHead head_;
  std::vector<std::string> chain_;  // uuids, oldest first
  const platform::Clock& clock_;
  SessionObserver* observer_ = nullptr;
  std::size_t prompt_position_ = 0;
  std::optional<platform::WallTime> time_;
  std::map<std::string, std::string> call_uuids_;  // by the call's id
  std::string waiting_;                            // whole lines that could not be written yet
  bool lost_ = false;                              // too many of them
  std::optional<platform::SteadyTime> noticed_;    // the last complaint
  std::optional<std::string> notice_;
};

}  // namespace yume::transcript
