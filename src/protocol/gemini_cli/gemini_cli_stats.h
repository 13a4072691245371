// SPDX-License-Identifier: MIT
// What Gemini CLI counts in a run: tokens by model, calls by tool, lines of files. Counted from
// events, written in the two forms that its output formats have.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "core/event.h"
#include "platform/clock.h"
#include "util/json_io.h"

namespace yume::protocol {

class GeminiCliStats {
 public:
  void count(const core::ToolCallReady& ready, platform::SteadyTime now);
  void count(const core::PermissionRefused& refused);
  void count(const core::ToolFinished& finished, platform::SteadyTime now);
  void count(const core::MessageDone& /*done*/) { ++requests_; }
  void count(const core::RetryScheduled& /*retry*/) { ++failed_requests_; }

  // Whether the call was refused, for whoever says why it failed.
  [[nodiscard]] bool was_refused(const std::string& call_id) const;

  // {"total_tokens":...} of the last line of stream-json.
  void write_short(JsonWriter& json, const core::TurnDone& done) const;
  // {"models":...} of json.
  void write_full(JsonWriter& json, const core::TurnDone& done) const;

 private:
  struct Tool {
    std::int64_t count = 0;
    std::int64_t failed = 0;
    std::int64_t refused = 0;
    std::chrono::milliseconds duration{0};
  };
  struct Open {
    platform::SteadyTime began;
    bool refused = false;
  };

  void write_tools(JsonWriter& json) const;

  std::map<std::string, Tool> tools_;  // by Gemini CLI's names
  std::map<std::string, Open> calls_;  // by id
  std::int64_t requests_ = 0;
  std::int64_t failed_requests_ = 0;
  std::int64_t lines_added_ = 0;
  std::int64_t lines_removed_ = 0;
};

}  // namespace yume::protocol
