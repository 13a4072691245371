// SPDX-License-Identifier: MIT
// A sandbox in the words of macOS: the text that `sandbox-exec -p` takes. Pure, so that it can be
// tested on every system.
#pragma once

#include <string>
#include <vector>

#include "platform/sandbox.h"
#include "platform/sandbox_places.h"

namespace yume::platform {

// `sandbox.temporary` is writable in it, too. All paths in it are real: the system compares them
// after it has followed links (/tmp is one). What `real_path` gives for a path that does not exist
// is closed or read-only from the moment on in which it does.
std::string sandbox_profile(const Sandbox& sandbox, const RealPath& real_path);

// What stands before the words of a program that is to have this profile.
std::vector<std::string> sandbox_starter(const std::string& profile);

}  // namespace yume::platform
