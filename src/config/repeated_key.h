// SPDX-License-Identifier: MIT
// JSON leaves open what a key counts for that stands twice in one object, and readers keep the
// last: a second "deny" would drop the first without a word. Pure.
#pragma once

#include <string>
#include <string_view>

#include "util/result.h"

namespace yume::config {

// Of valid JSON: an error that names the first repeated key that could hold a restriction, which is
// one of `permissions`, `sandbox` and `hooks`, or anything within them. Other keys may repeat.
Result<void> check_for_repeated_keys(std::string_view text);

}  // namespace yume::config
