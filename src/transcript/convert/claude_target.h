// SPDX-License-Identifier: MIT
// A session as lines of a Claude transcript: one line for each record, and one for the results of
// its calls. Lines that are Claude's already stay as they are.
#pragma once

#include <string>
#include <vector>

#include "transcript/convert/session_record.h"
#include "transcript/convert/text_sink.h"

namespace yume::transcript {

class ClaudeTarget final : public RecordTarget {
 public:
  // `version`: of the program that the lines are for.
  ClaudeTarget(std::string version, TextSink out)
      : version_(std::move(version)), out_(std::move(out)) {}

  void begin(const SessionFacts& facts) override;
  void record(SessionRecord record) override;
  void end() override {}

 private:
  void user(const SessionRecord& record);
  void model(const SessionRecord& record);
  void results(const SessionRecord& record, const std::vector<const SaidCall*>& calls);
  void begin_line(JsonWriter& json, const char* type) const;
  void end_line(JsonWriter& json, const std::string& uuid, const SessionRecord& record);
  [[nodiscard]] std::string uuid_of(const SessionRecord& record) const;

  std::string version_;
  TextSink out_;
  SessionFacts facts_;
  std::string parent_;
  std::string model_;  // that answered last
  std::size_t count_ = 0;
};

}  // namespace yume::transcript
