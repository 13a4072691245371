// SPDX-License-Identifier: MIT
// The tools that look through many files.
#pragma once

#include <memory>

#include "tools/tool.h"

namespace yume::tools {

std::unique_ptr<Tool> make_glob_tool();
std::unique_ptr<Tool> make_grep_tool();
std::unique_ptr<Tool> make_ls_tool();

}  // namespace yume::tools
