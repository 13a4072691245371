// SPDX-License-Identifier: MIT
// Passes events on, and tells the debug log of calls whose input did not fit their tool: what was
// wrong with it, and what the input was.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include "core/event.h"
#include "util/json_io.h"
#include "util/log.h"

namespace yume::session {

class MismatchLog final : public core::EventSink {
 public:
  // Both outlive this.
  MismatchLog(core::EventSink& next, Log& log) : next_(next), log_(log) {}

  bool post(core::Event event) override {
    if (const auto* finished = std::get_if<core::ToolFinished>(&event)) look_at(*finished);
    return next_.post(std::move(event));
  }
  bool flush(const CancelToken& cancel) override { return next_.flush(cancel); }

 private:
  void look_at(const core::ToolFinished& finished) {
    constexpr std::size_t k_longest_string = 1'000;
    const auto* failed = std::get_if<core::CallFailed>(&finished.outcome.details);
    if (failed == nullptr || !failed->text.starts_with("InputValidationError:")) return;
    std::string line = finished.call.name + " (" + finished.call.id + "): " + failed->text +
                       "; the input was " +
                       shorten_json_strings(finished.call.input.text, k_longest_string);
    std::replace(line.begin(), line.end(), '\n', ' ');
    log_.write("tools", line);
  }

  core::EventSink& next_;
  Log& log_;
};

}  // namespace yume::session
