// SPDX-License-Identifier: MIT
// Where a session's conversation begins: anew after /clear, or with what was said elsewhere; and
// what is added to it without a turn.
#include "session/session_places.h"
#include "session/turn_runner.h"
#include "transcript/record_history.h"

#include <utility>

namespace yume::session {

bool TurnRunner::clears(const core::UserMessage& message) const {
  return command_in(message) == LocalCommand::clear;
}

// What the user, the host and the settings have chosen stays: mode, rules, model, servers, hooks.
void TurnRunner::begin_anew(const std::string& prompt_uuid, const CancelToken& cancel) {
  auto next = services_.open_new
                  ? services_.open_new()
                  : Result<transcript::OpenedSession>(Error{
                        .code = ErrorCode::io, .message = "this program cannot open another one"});
  if (!next.ok()) {
    clear_problem_ = "The conversation is as it was, because a new one could not be begun: " +
                     next.error().message + ".";
    return;
  }
  if (!source_) hooks_.session_ended("clear", cancel);
  core::add_usage(strategy_->usage(), earlier_usage_);
  long_outputs_ = output_directory(spec_, *next);
  // Those that work say their last under the old id.
  subagents_.move_to({.session_id = next->id,
                      .session_file = next->file,
                      .head = next->journal->head(),
                      .long_outputs = long_outputs_});
  port_.post(core::ConversationReset{.new_session_id = next->id, .prompt_uuid = prompt_uuid});
  opened_.journal->sync();
  view_.reset();
  opened_ = std::move(next).value();
  for (std::string& notice : opened_.notices) add_notice(std::move(notice));
  if (!long_outputs_.empty()) {
    auto real = services_.files.real_path(long_outputs_);
    if (real.ok()) policy_.add_readable(*real);
  }
  port_.move_to(opened_.id);
  hooks_.move_to(opened_.id, opened_.file);
  checkpoints_.move_to(checkpoints_folder(spec_, opened_));
  work_.begin_anew();
  unanswered_.clear();
  source_ = core::SessionSource::clear;
  summed_up_ = false;
  open_view();
  strategy_ = make_strategy(core::Conversation());
  const std::lock_guard lock(figures_mutex_);
  figures_.session_id = opened_.id;
  figures_.context = {};
  figures_.prefix_tokens = 0;
}

bool TurnRunner::begin_with(core::Conversation past) {
  if (opened_.size_at_open || opened_.journal->position() > 0) return false;
  transcript::record_history(past, *opened_.journal);
  strategy_ = make_strategy(std::move(past));
  return true;
}

void TurnRunner::append(core::UserMessage message, const std::string& uuid) {
  checkpoints_.begin(opened_.journal->prompt(message, transcript::PromptKind::typed, uuid));
  unanswered_.push_back(std::move(message));
}

}  // namespace yume::session
