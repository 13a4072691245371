// SPDX-License-Identifier: MIT
// A sandbox in the words of macOS: the text that `sandbox-exec -p` takes. Pure, so that it can be
// tested on every system.
#pragma once

#include <string>

#include "platform/sandbox.h"

namespace yume::platform {

// `sandbox.temporary` is writable in it, too. Paths must be real: the system compares them after
// it has followed links (/tmp is one).
std::string sandbox_profile(const Sandbox& sandbox);

}  // namespace yume::platform
