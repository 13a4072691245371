// SPDX-License-Identifier: MIT
// What this process was started with, as UTF-8.
#pragma once

#include <string>
#include <vector>

namespace yume::platform {

// The program's own name first; empty when the system says nothing.
std::vector<std::string> program_arguments(int argc, const char* const* argv);

}  // namespace yume::platform
