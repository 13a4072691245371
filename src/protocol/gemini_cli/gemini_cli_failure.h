// SPDX-License-Identifier: MIT
// How a turn that did not end well is named in Gemini CLI's lines, and on stderr, where hosts look
// for words.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/event.h"

namespace yume::protocol {

struct GeminiCliFailure {
  std::string_view type;  // Gemini CLI's own name for it, where it has one
  std::string message;
  friend bool operator==(const GeminiCliFailure&, const GeminiCliFailure&) = default;
};

// nullopt: the turn ended well.
std::optional<GeminiCliFailure> gemini_cli_failure(const core::TurnDone& done);

// One line, without its end. Hosts tell failures apart by the words "auth" and "Quota exceeded".
std::string gemini_cli_error_line(const core::TurnDone& done, const GeminiCliFailure& failure);

}  // namespace yume::protocol
