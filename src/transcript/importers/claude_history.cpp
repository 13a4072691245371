// SPDX-License-Identifier: MIT
#include "transcript/importers/claude_history.h"

#include "transcript/importers/history_builder.h"
#include "transcript/transcript_reader.h"

#include <utility>

namespace yume::transcript::import {
namespace {

void add(core::PastPrompt& prompt, HistoryBuilder& history) {
  for (core::UserBlock& block : prompt.message.blocks) {
    if (auto* media = std::get_if<core::Media>(&block)) {
      history.user_media(std::move(*media));
    } else {
      history.user_text(std::get<std::string>(block));
    }
  }
}

void add(core::PastReply& reply, HistoryBuilder& history) {
  if (!reply.raw.empty()) {
    history.whole_reply(std::move(reply));
    return;
  }
  history.begin_reply();
  history.reply_text(reply.text);
  for (core::PastCall& call : reply.calls) {
    history.call(call.id, call.name, std::move(call.input));
  }
}

void add(core::PastResults& answers, HistoryBuilder& history) {
  for (core::PastResult& result : answers.results) history.result(std::move(result));
}

}  // namespace

core::Conversation read_claude_history(std::string bytes) {
  auto read = read_transcript({.bytes = std::move(bytes)});
  HistoryBuilder history;
  if (!read.ok()) return history.finish();  // never, without a point to stop at
  for (core::PastEntry& entry : read->entries) {
    std::visit([&history](auto& past) { add(past, history); }, entry);
  }
  history.model(read->model);
  return history.finish();
}

}  // namespace yume::transcript::import
