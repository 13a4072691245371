// SPDX-License-Identifier: MIT
// Where the rules that hosts rely on read a command line differently than a person means it. For a
// terminal only: hosts pass flags of the future, and show every byte of stderr as an error.
#pragma once

#include <string>
#include <vector>

#include "app/argv.h"

namespace yume::app {

// One line each, without a line end. `tools` are the names that lists of tools can have.
std::vector<std::string> argument_warnings(const Arguments& arguments,
                                           const std::vector<std::string>& tools);

}  // namespace yume::app
