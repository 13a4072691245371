// SPDX-License-Identifier: MIT
// The tools that read and change single files.
#pragma once

#include <memory>

#include "tools/tool.h"

namespace yume::tools {

std::unique_ptr<Tool> make_read_tool();
std::unique_ptr<Tool> make_write_tool();
std::unique_ptr<Tool> make_edit_tool();
std::unique_ptr<Tool> make_multi_edit_tool();
std::unique_ptr<Tool> make_notebook_edit_tool();

}  // namespace yume::tools
