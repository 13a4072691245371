// SPDX-License-Identifier: MIT
// The texts of --help and --version.
#pragma once

#include <string>

namespace yume::app {

std::string help_text();
// Starts with the Claude Code version we behave as: hosts read digits from the front.
std::string version_text();

}  // namespace yume::app
