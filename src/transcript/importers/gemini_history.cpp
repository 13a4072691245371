// SPDX-License-Identifier: MIT
#include "transcript/importers/gemini_history.h"

#include "core/gemini_cli_input.h"
#include "transcript/convert/call_outcome.h"
#include "transcript/gemini_cli/session_reader.h"
#include "transcript/importers/import_json.h"
#include "util/overloaded.h"

#include <utility>

namespace yume::transcript::import {
namespace {

core::Usage usage_of(const TokenCounts& tokens) {
  return {.prompt_tokens = tokens.input,
          .cached_tokens = tokens.cached,
          .output_tokens = tokens.output,
          .thought_tokens = tokens.thoughts};
}

core::PastResult past_result(const std::string& call_id, CallResult result) {
  return {.call_id = call_id,
          .text = std::move(result.text),
          .media = std::move(result.media),
          .is_error = result.is_error};
}

}  // namespace

void HistoryTarget::record(SessionRecord record) {
  if (record.time.empty()) record.time = started_;
  if (record.speaker == RecordSpeaker::user) user(record);
  if (record.speaker == RecordSpeaker::model) reply(record);
}

void HistoryTarget::user(SessionRecord& record) {
  history_.prompt_facts(record.time, record.id);
  for (SaidBlock& block : record.blocks) {
    std::visit(Overloaded{
                   [this](const SaidText& said) { history_.user_text(said.text); },
                   [](const SaidThought&) {},
                   [](const SaidCall&) {},
                   [this](SaidResult& said) {
                     said.result.text = without_wrapper(std::move(said.result.text));
                     history_.result(past_result(said.call_id, std::move(said.result)));
                   },
                   [this](core::Media& media) { history_.user_media(std::move(media)); },
                   [this](const SaidFile& file) { history_.user_text("[file: " + file.uri + "]"); },
                   [this](const SaidCommand& said) { history_.user_text(said.command); },
               },
               block);
  }
}

void HistoryTarget::reply(SessionRecord& record) {
  history_.begin_reply({.id = record.id,
                        .time = record.time,
                        .usage = usage_of(record.tokens.value_or(TokenCounts{}))});
  if (!record.model.empty()) history_.model(record.model);
  for (const SaidBlock& block : record.blocks) {
    const auto* thought = std::get_if<SaidThought>(&block);
    if (thought == nullptr) continue;
    const std::string heading = thought->subject.empty() ? "" : "**" + thought->subject + "**\n";
    history_.thought(heading + thought->text);
  }
  for (const SaidBlock& block : record.blocks) {
    if (const auto* said = std::get_if<SaidText>(&block)) history_.reply_text(said->text);
  }
  for (const SaidBlock& block : record.blocks) {
    if (const auto* call = std::get_if<SaidCall>(&block)) add_call(*call);
  }
  for (const SaidBlock& block : record.blocks) {
    const auto* call = std::get_if<SaidCall>(&block);
    const bool ended = call != nullptr && (call->result || !call->status.empty());
    if (ended) history_.result(past_result(call->id, outcome_of(*call)));
  }
}

void HistoryTarget::add_call(const SaidCall& call) {
  const bool repeats = !call.status.empty() && !call.id.empty() && history_.knows_call(call.id);
  if (repeats) return;
  const core::MappedCall mapped =
      core::map_gemini_cli_call(call.name, parse(call.input.text).value_or(Json()));
  history_.call(call.id, mapped.name, raw(mapped.input));
}

core::Conversation read_gemini_history(std::string_view bytes) {
  TextBytes source(bytes);
  HistoryTarget target;
  (void)read_gemini_session(source, target);  // never an error here: whoever asks has looked
  return target.finish();
}

}  // namespace yume::transcript::import
