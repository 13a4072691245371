// SPDX-License-Identifier: MIT
// A session as agent-cli-sdk's unified messages (docs/convert.md): one JSON array, or one message a
// line. Of Gemini's messages thoughts come first, each call is directly followed by its result, and
// the text is last.
#pragma once

#include <string>

#include "transcript/convert/session_record.h"
#include "transcript/convert/text_sink.h"

namespace yume::transcript {

class UnifiedTarget final : public RecordTarget {
 public:
  UnifiedTarget(JsonForm form, TextSink out) : form_(form), out_(std::move(out)) {}

  void begin(const SessionFacts& facts) override;
  void record(SessionRecord record) override;
  void end() override;

 private:
  [[nodiscard]] std::string message(SessionRecord& record) const;

  JsonForm form_;
  TextSink out_;
  SessionFacts facts_;
  bool first_ = true;
};

}  // namespace yume::transcript
