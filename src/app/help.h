// SPDX-License-Identifier: MIT
// The texts of --help and --version.
#pragma once

#include <string>

#include "app/argv.h"

namespace yume::app {

std::string help_text();
// One flag of a help text: its spellings, its value, what it does.
std::string flag_line(const FlagSpec& flag);
// Starts with the Claude Code version we behave as: hosts read digits from the front.
std::string version_text();

}  // namespace yume::app
