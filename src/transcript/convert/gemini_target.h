// SPDX-License-Identifier: MIT
// A session in Gemini CLI's own form: one object, which every version of it reads, or a log of
// lines. Its own messages stay as they are; of Claude's lines, those of one reply and the results
// of its calls become one message.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "transcript/convert/session_record.h"
#include "transcript/convert/text_sink.h"

namespace yume::transcript {

class GeminiTarget final : public RecordTarget {
 public:
  GeminiTarget(JsonForm form, TextSink out) : form_(form), out_(std::move(out)) {}

  void begin(const SessionFacts& facts) override;
  void record(SessionRecord record) override;
  void end() override;

 private:
  void user(SessionRecord& record);
  void take_results(SessionRecord& record);
  void finish_reply();
  void write(std::string_view message);

  JsonForm form_;
  TextSink out_;
  SessionFacts facts_;
  std::optional<SessionRecord> reply_;  // whose results may follow
  bool first_ = true;
};

}  // namespace yume::transcript
