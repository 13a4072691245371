// SPDX-License-Identifier: MIT
#include "agent/turn_recorder.h"

#include "util/json_io.h"

#include <utility>

namespace yume::agent {

TurnRecorder::TurnRecorder(session::Journal& journal, core::EventSink& host, TakeNews take_news)
    : journal_(journal), host_(host), take_news_(std::move(take_news)) {}

bool TurnRecorder::post(core::Event event) {
  // These come from threads of their own; nothing of them is kept.
  const bool passing = std::holds_alternative<core::ToolProgress>(event) ||
                       std::holds_alternative<core::BackgroundStarted>(event) ||
                       std::holds_alternative<core::BackgroundEnded>(event);
  if (passing) return host_.post(std::move(event));
  const bool there = std::visit([this](auto& what) { return on(what); }, event);
  return there && tell_about_disk() && host_.post(std::move(event));
}

bool TurnRecorder::tell_about_disk() {
  auto notice = journal_.take_notice();
  return !notice || host_.post(core::Notice{*std::move(notice)});
}

bool TurnRecorder::open(Open block, const std::string& text) {
  if (open_ != block && !close()) return false;
  open_ = block;
  text_ += text;
  return true;
}

// The whole block is on disk before its line can be anywhere.
bool TurnRecorder::close(bool aborted) {
  const Open block = std::exchange(open_, Open::none);
  const std::string text = std::exchange(text_, {});
  if (block == Open::none || text.empty()) return true;
  const auto kind = block == Open::text ? session::BlockKind::text : session::BlockKind::thought;
  core::BlockDone done{.uuids = {}, .aborted = aborted};
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view piece = json_prefix(rest, core::k_longest_block);
    rest.remove_prefix(piece.size());
    done.uuids.push_back(journal_.block(reply_, kind, piece));
  }
  return host_.post(std::move(done));
}

bool TurnRecorder::on(core::TextDelta& delta) {
  return open(Open::text, delta.text);
}

bool TurnRecorder::on(core::ThoughtDelta& delta) {
  return open(Open::thought, delta.text);
}

bool TurnRecorder::on(core::MessageStarted& started) {
  reply_.message_id = started.message_id;
  reply_.model = started.model;
  return true;
}

bool TurnRecorder::on(core::UsageUpdated& updated) {
  reply_.usage = updated.usage;
  return true;
}

bool TurnRecorder::on(core::ToolCallStarted& /*started*/) {
  return close();
}

bool TurnRecorder::on(core::ToolCallReady& ready) {
  if (!close()) return false;
  ready.uuid = journal_.call(reply_, ready.call);
  return true;
}

bool TurnRecorder::on(core::ToolFinished& finished) {
  finished.uuid = journal_.result(finished.call, finished.outcome);
  if (const auto news = take_news_()) journal_.state(*news);
  return true;
}

bool TurnRecorder::on(core::MessageDone& done) {
  reply_.usage = done.usage;
  // The last block's line carries the final count.
  if (open_ != Open::none && !host_.post(core::UsageUpdated{done.usage})) return false;
  return close();
}

bool TurnRecorder::on(core::RetryScheduled& /*retry*/) {
  // Thoughts broke off with their stream; text goes on in the same block.
  return open_ != Open::thought || close();
}

void TurnRecorder::end_turn(core::TurnDone& done) {
  const bool interrupted = done.outcome == core::TurnOutcome::interrupted;
  close(interrupted);
  if (done.outcome == core::TurnOutcome::failed) {
    done.closing_uuid = journal_.failure(done.text);
  } else if (interrupted) {
    done.closing_uuid = journal_.prompt(
        core::UserMessage(std::string(core::interrupt_marker(done))), session::PromptKind::marker);
  }
  tell_about_disk();
  done.session_saved = journal_.saved();
}

}  // namespace yume::agent
