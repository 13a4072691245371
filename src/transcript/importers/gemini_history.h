// SPDX-License-Identifier: MIT
// Session files of Gemini CLI of every version (gemini_cli/session_reader.h), and messages of such,
// as a conversation that can be asked on.
#pragma once

#include <string_view>

#include "core/conversation.h"
#include "transcript/convert/session_record.h"
#include "transcript/importers/history_builder.h"

namespace yume::transcript::import {

// Builds the conversation from the records of a session of Gemini CLI.
class HistoryTarget final : public RecordTarget {
 public:
  void begin(const SessionFacts& facts) override { started_ = facts.started; }
  void record(SessionRecord record) override;
  void end() override {}

  core::Conversation finish() { return history_.finish(); }

 private:
  void user(SessionRecord& record);
  void reply(SessionRecord& record);
  void add_call(const SaidCall& call);

  HistoryBuilder history_;
  std::string started_;
};

// Lines and messages that cannot be read are passed over.
core::Conversation read_gemini_history(std::string_view bytes);

}  // namespace yume::transcript::import
