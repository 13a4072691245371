// SPDX-License-Identifier: MIT
// Flags of Claude's that are accepted here but not served yet. Whoever passes one is told; one that
// would restrict what may happen is refused, because ignoring it would let that happen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/argv.h"

namespace yume::app {

struct UnservedFlags {
  std::vector<std::string> notices;         // one for each flag without effect
  std::optional<std::string> refusal = {};  // why the program cannot start
};

UnservedFlags find_unserved(const Arguments& arguments);

}  // namespace yume::app
