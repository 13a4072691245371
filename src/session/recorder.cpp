// SPDX-License-Identifier: MIT
#include "session/recorder.h"

#include "util/json_io.h"
#include "util/overloaded.h"

#include <utility>

namespace yume::session {
namespace {

// From threads of their own, at any time; nothing of them is kept.
bool comes_from_another_thread(const core::Event& event) {
  using Others = Constant<true, core::ToolProgress, core::BackgroundStarted, core::BackgroundEnded,
                          core::AgentStarted, core::AgentProgress, core::AgentEnded>;
  using Own =
      Constant<false, core::SessionStarted, core::MessageStarted, core::TextDelta,
               core::ThoughtDelta, core::BlockDone, core::UsageUpdated, core::ToolCallStarted,
               core::ToolArgsDelta, core::ToolCallReady, core::ToolFinished,
               core::PermissionRefused, core::HookStarted, core::HookEnded, core::PromptTaken,
               core::PromptMoved, core::ConversationReset, core::StateChanged, core::ModeChanged,
               core::ModelChanged, core::MessageDone, core::RetryScheduled, core::CompactionStarted,
               core::Compacted, core::CompactionFailed, core::Notice, core::TurnDone>;
  return std::visit(Overloaded{Others{}, Own{}}, event);
}

}  // namespace

Recorder::Recorder(transcript::Journal& journal, core::EventSink& host, TakeChanges take_changes,
                   std::filesystem::path cwd)
    : journal_(journal),
      host_(host),
      take_changes_(std::move(take_changes)),
      written_(std::move(cwd)) {}

bool Recorder::post(core::Event event) {
  if (comes_from_another_thread(event)) return host_.post(std::move(event));
  return record(event) && post_disk_notice() && host_.post(std::move(event));
}

bool Recorder::record(core::Event& event) {
  return std::visit(
      Overloaded{
          [this](const core::TextDelta& delta) { return add_to(Block::text, delta.text); },
          [this](const core::ThoughtDelta& delta) { return add_to(Block::thought, delta.text); },
          [this](const core::MessageStarted& started) {
            reply_.message_id = started.message_id;
            reply_.model = started.model;
            return true;
          },
          [this](const core::UsageUpdated& updated) {
            reply_.usage = updated.usage;
            return true;
          },
          [this](const core::ToolCallStarted&) { return close_block(); },
          [this](core::ToolCallReady& ready) { return record_call(ready); },
          [this](core::ToolFinished& finished) { return record_result(finished); },
          [this](const core::MessageDone& done) { return end_message(done); },
          // Thoughts broke off with their stream; text goes on in the same block.
          [this](const core::RetryScheduled&) { return open_ != Block::thought || close_block(); },
          // What the host alone is told.
          Constant<true, core::SessionStarted, core::BlockDone, core::ToolArgsDelta,
                   core::ToolProgress, core::BackgroundStarted, core::BackgroundEnded,
                   core::AgentStarted, core::AgentProgress, core::AgentEnded,
                   core::PermissionRefused, core::HookStarted, core::HookEnded, core::PromptTaken,
                   core::PromptMoved, core::ConversationReset, core::StateChanged,
                   core::ModeChanged, core::ModelChanged, core::CompactionStarted, core::Compacted,
                   core::CompactionFailed, core::Notice, core::TurnDone>{},
      },
      event);
}

bool Recorder::post_disk_notice() {
  auto notice = journal_.take_notice();
  return !notice || host_.post(core::Notice{*std::move(notice)});
}

bool Recorder::add_to(Block block, const std::string& text) {
  if (open_ != block && !close_block()) return false;
  open_ = block;
  // Before the new text, which the host does not have yet. Quoted a text is no shorter, so that
  // looking more often would be in vain.
  if (text_.size() > core::k_longest_block && !close_full_lines()) return false;
  text_ += text;
  return true;
}

// What has come of the block is too long for one line.
bool Recorder::close_full_lines() {
  for (;;) {
    const std::string_view line = json_prefix(text_, core::k_longest_block);
    if (line.size() == text_.size()) return true;
    if (!close_line(line, {.extent = core::BlockDone::Extent::first_line})) return false;
    text_.erase(0, line.size());
  }
}

bool Recorder::close_block(bool aborted) {
  if (open_ != Block::none && !close_full_lines()) return false;
  const bool closed =
      open_ == Block::none || text_.empty() || close_line(text_, {.aborted = aborted});
  open_ = Block::none;
  text_.clear();
  return closed;
}

// The record is on disk before its line can be anywhere.
bool Recorder::close_line(std::string_view text, core::BlockDone done) {
  const auto kind =
      open_ == Block::text ? transcript::BlockKind::text : transcript::BlockKind::thought;
  done.uuid = journal_.block(reply_, kind, text);
  return host_.post(std::move(done));
}

bool Recorder::record_call(core::ToolCallReady& ready) {
  if (!close_block()) return false;
  ready.uuid = journal_.call(reply_, ready.call);
  return true;
}

bool Recorder::record_result(core::ToolFinished& finished) {
  finished.uuid = journal_.result(finished.call, finished.outcome);
  written_.add(finished);
  record_changes();
  return true;
}

bool Recorder::end_message(const core::MessageDone& done) {
  reply_.usage = done.usage;
  // The last block's line carries the final count.
  if (open_ != Block::none && !host_.post(core::UsageUpdated{done.usage})) return false;
  return close_block();
}

void Recorder::record_changes() {
  if (const auto changes = take_changes_()) journal_.state(*changes);
}

void Recorder::add_note(const std::string& text) {
  journal_.prompt(core::UserMessage(text), transcript::PromptKind::synthetic);
}

void Recorder::keep_content(const std::string& message_id, const core::RawContent& content,
                            std::span<const core::PastCall> calls) {
  journal_.content(message_id, content, calls);
}

void Recorder::withhold_results(std::span<const std::string> call_ids, std::string_view instead) {
  journal_.withhold(call_ids, instead);
}

void Recorder::withhold_media(const std::string& after, std::string_view why) {
  journal_.withhold_media(after, why);
}

void Recorder::take_back_prompt() {
  journal_.take_back_prompt();
}

core::SummaryUuids Recorder::sum_up(const core::Summary& summary) {
  summed_up_ = true;
  return journal_.compact({.trigger = std::string(core::name_of(summary.trigger)),
                           .pre_tokens = summary.pre_tokens,
                           .post_tokens = summary.post_tokens},
                          summary.text, summary.kept_from);
}

void Recorder::end_turn(core::TurnDone& done) {
  const bool interrupted = done.outcome == core::TurnOutcome::interrupted;
  close_block(interrupted);
  if (done.outcome == core::TurnOutcome::failed) {
    done.closing_uuid = journal_.failure(done.text);
  } else if (interrupted) {
    done.closing_uuid =
        journal_.prompt(core::UserMessage(std::string(core::interrupt_marker(done))),
                        transcript::PromptKind::marker);
  }
  record_changes();
  post_disk_notice();
  done.session_saved = journal_.saved();
  done.files_written = written_.list();
}

}  // namespace yume::session
