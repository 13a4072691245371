// SPDX-License-Identifier: MIT
// A turn's port with memory: events as text, and what was to be kept of the conversation.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/turn_port.h"
#include "support/recording_sink.h"

namespace yume::test {

class RecordingPort final : public core::TurnPort {
 public:
  bool post(core::Event event) override { return sink_.post(std::move(event)); }
  bool flush(const CancelToken& cancel) override { return sink_.flush(cancel); }

  std::size_t next_position() const override { return notes.size(); }
  std::size_t prompt_position() const override { return 0; }
  std::string last_record() const override { return "last"; }
  std::string record_before_prompt() const override { return "before"; }
  void add_note(const std::string& text) override { notes.push_back(text); }
  void keep_content(const std::string&, const core::RawContent& content,
                    std::span<const core::PastCall>) override {
    kept.push_back(content);
  }
  void withhold_results(std::span<const std::string> call_ids, std::string_view) override {
    withheld.insert(withheld.end(), call_ids.begin(), call_ids.end());
  }
  void withhold_media(const std::string& after, std::string_view why) override {
    withheld_media.push_back(after + ": " + std::string(why));
  }
  void take_back_prompt() override { ++prompts_taken_back; }
  core::SummaryUuids sum_up(const core::Summary& summary) override {
    summaries.push_back(summary);
    return {.boundary = "boundary", .summary = "summary"};
  }

  void on_post(std::function<void(const core::Event&)> what) { sink_.on_post(std::move(what)); }
  std::vector<std::string> events() const { return sink_.events(); }

  std::vector<std::string> notes;
  std::vector<core::RawContent> kept;
  std::vector<std::string> withheld;
  std::vector<std::string> withheld_media;
  std::vector<core::Summary> summaries;
  int prompts_taken_back = 0;

 private:
  RecordingSink sink_;
};

}  // namespace yume::test
