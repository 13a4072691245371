// SPDX-License-Identifier: MIT
#include "agent/turn_history.h"

#include "agent/media_guard.h"
#include "agent/reply_end.h"
#include "util/utf8.h"

#include <utility>

namespace yume::agent {
namespace {

constexpr std::size_t k_longest_request = 20'000;  // of it that a summary repeats

std::string text_for_model(const core::ToolOutcome& outcome) {
  if (outcome.model_note.empty()) return outcome.content;
  return outcome.content + (outcome.content.empty() ? "" : "\n\n") + outcome.model_note;
}

}  // namespace

TurnHistory::TurnHistory(const core::UserMessage& message, std::string note, core::TurnPort& port,
                         ContextKeeper& keeper, gemini::MediaPlace media_place)
    : message_(message),
      note_(std::move(note)),
      port_(port),
      keeper_(keeper),
      history_(keeper.contents()),
      media_place_(media_place) {}

std::int64_t TurnHistory::prompt_tokens() const {
  gemini::History added;
  added.add_user(message_);
  if (!note_.empty()) added.add_user_text(note_);
  return added.tokens();
}

void TurnHistory::begin() {
  put_prompt();
  if (!note_.empty()) port_.add_note(note_);
}

void TurnHistory::put_prompt() {
  start_ = history_.mark();
  history_.add_user(message());
  if (!note_.empty()) history_.add_user_text(note_);
  keeper_.kept().note(port_.prompt_position());
  keeper_.set_user_request(std::string(utf8_prefix(message_.text(), k_longest_request)));
}

void TurnHistory::lift_prompt() {
  history_.rewind(start_);
  keeper_.kept().note(0);
}

void TurnHistory::take_back_prompt() {
  port_.take_back_prompt();
}

// The lines that hosts see do not say in which form the server wants the reply back.
void TurnHistory::add_reply(AskResult& result, std::size_t position) {
  ModelReply& reply = result.reply;
  keeper_.kept().note(position);
  // Signatures alone are no content that the server would take back.
  if (reply.last_text.empty() && reply.calls.empty()) return;
  for (const core::RawContent& piece : result.before) {
    port_.keep_content(reply.message_id, piece, {});
  }
  std::vector<core::PastCall> calls;
  for (const AskedCall& call : reply.calls) {
    calls.push_back(
        {.id = call.id, .name = call.provider.name, .input = {}, .provider_id = call.provider.id});
  }
  // A reply may be long: its parts are never there twice.
  core::RawContent content{.from_model = true, .parts = std::move(reply.parts)};
  port_.keep_content(reply.message_id, content, calls);
  history_.add_model_parts(std::move(content.parts));
  keeper_.kept().note(position);
}

void TurnHistory::add_results(const std::vector<FinishedCall>& finished,
                              const std::string& record_before) {
  record_before_results_ = record_before;
  meanwhile_.reset();
  responses_.clear();
  call_ids_.clear();
  for (const FinishedCall& call : finished) {
    call_ids_.push_back(call.call.id);
    responses_.push_back({.call_id = call.provider.id,
                          .name = call.provider.name,
                          .text = text_for_model(call.outcome),
                          .media = call.outcome.media,
                          .is_error = call.outcome.is_error});
    keep_sendable(responses_.back().text, responses_.back().media);
  }
  history_.add_function_responses(responses_, media_place_);
  keeper_.kept().note(port_.next_position());
}

void TurnHistory::add_meanwhile(core::UserMessage message) {
  before_meanwhile_ = history_.mark();
  history_.add_user_meanwhile(message);
  keeper_.kept().note(port_.prompt_position());
  keeper_.set_user_request(std::string(utf8_prefix(message.text(), k_longest_request)));
  meanwhile_ = std::move(message);
}

// The responses as they are now take the place of those that were sent last.
void TurnHistory::replace_responses() {
  if (meanwhile_) history_.rewind(before_meanwhile_);
  history_.withhold_last_responses(responses_);
  if (meanwhile_) history_.add_user_meanwhile(*meanwhile_);
}

void TurnHistory::add_note(const std::string& text) {
  history_.add_user_text(text);
  keeper_.kept().note(port_.next_position());
  port_.add_note(text);
}

void TurnHistory::take_back() {
  if (at_prompt()) {
    lift_prompt();
    take_back_prompt();
    return;
  }
  port_.withhold_results(call_ids_, k_withheld);
  for (gemini::FunctionResponse& response : responses_) {
    response.text = std::string(k_withheld);
    response.media.clear();
    response.is_error = true;
  }
  replace_responses();
}

std::size_t TurnHistory::withhold_new_media(const std::string& why) {
  std::size_t count = 0;
  if (at_prompt()) {
    core::UserMessage bare = message();
    count = withhold_media(bare, why);
    if (count == 0) return 0;
    without_media_ = std::move(bare);
    port_.withhold_media(port_.record_before_prompt(), why);
    lift_prompt();
    put_prompt();
    return count;
  }
  for (gemini::FunctionResponse& response : responses_) {
    count += withhold_media(response.text, response.media, why);
  }
  if (count == 0) return 0;
  port_.withhold_media(record_before_results_, why);
  replace_responses();
  return count;
}

std::size_t TurnHistory::withhold_all_media(const std::string& why) {
  const bool first = at_prompt();
  // What the prompt is taken back by must fit what it was added to.
  if (first) lift_prompt();
  const std::size_t count = history_.withhold_media(why);
  if (count > 0) port_.withhold_media({}, why);
  if (first) put_prompt();
  return count;
}

}  // namespace yume::agent
