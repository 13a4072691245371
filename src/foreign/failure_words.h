// SPDX-License-Identifier: MIT
// What kind of failure another agent reports, by what little it says: the numbers and words of the
// API's errors, which it repeats. Pure.
#pragma once

#include <string_view>

#include "core/event.h"

namespace yume::foreign {

struct FailureGuess {
  core::FailureKind kind = core::FailureKind::unknown;
  int http_status = 0;  // 0: it names none

  friend bool operator==(const FailureGuess&, const FailureGuess&) = default;
};

FailureGuess guess_failure(std::string_view text);
// An HTTP status alone.
core::FailureKind failure_kind_of(int http_status);

}  // namespace yume::foreign
