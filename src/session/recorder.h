// SPDX-License-Identifier: MIT
// Stands between a turn and its host: what the host is about to see goes into the session's journal
// first. Also decides where a block of text or thought ends, so that the host's line and the record
// are the same thing under one uuid. Of one turn, on the session's thread.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/turn_port.h"
#include "core/written_files.h"
#include "transcript/journal.h"

namespace yume::session {

class Recorder final : public core::TurnPort {
 public:
  // How the tools' work has changed since this was last asked; nullopt: not at all.
  using TakeChanges = std::function<std::optional<core::WorkState>()>;

  // All outlive the recorder. `cwd`: where the tools work.
  Recorder(transcript::Journal& journal, core::EventSink& host, TakeChanges take_changes,
           std::filesystem::path cwd = {});

  bool post(core::Event event) override;
  bool flush(const CancelToken& cancel) override { return host_.flush(cancel); }

  [[nodiscard]] std::size_t next_position() const override { return journal_.position(); }
  [[nodiscard]] std::size_t prompt_position() const override { return journal_.prompt_position(); }
  [[nodiscard]] std::string last_record() const override { return journal_.leaf(); }
  [[nodiscard]] std::string record_before_prompt() const override {
    return journal_.before_prompt();
  }
  void add_note(const std::string& text) override;
  void keep_content(const std::string& message_id, const core::RawContent& content,
                    std::span<const core::PastCall> calls) override;
  void withhold_results(std::span<const std::string> call_ids, std::string_view instead) override;
  void withhold_media(const std::string& after, std::string_view why) override;
  void take_back_prompt() override;
  core::SummaryUuids sum_up(const core::Summary& summary) override;

  // The conversation was summed up since the recorder was made.
  [[nodiscard]] bool summed_up() const { return summed_up_; }

  // Records how the turn ended; before its result goes out.
  void end_turn(core::TurnDone& done);

 private:
  enum class Block { none, text, thought };

  bool record(core::Event& event);
  bool add_to(Block block, const std::string& text);
  bool close_block(bool aborted = false);
  bool close_full_lines();
  bool close_line(std::string_view text, core::BlockDone done);
  bool post_disk_notice();
  void record_changes();
  bool record_call(core::ToolCallReady& ready);
  bool record_result(core::ToolFinished& finished);
  bool end_message(const core::MessageDone& done);

  transcript::Journal& journal_;
  core::EventSink& host_;
  TakeChanges take_changes_;
  transcript::ReplyHead reply_;
  Block open_ = Block::none;
  std::string text_;  // of the open block
  core::WrittenFiles written_;
  bool summed_up_ = false;
};

}  // namespace yume::session
