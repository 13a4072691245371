// SPDX-License-Identifier: MIT
// The tools that look things up on the web.
#pragma once

#include <memory>

#include "tools/tool.h"

namespace yume::tools {

std::unique_ptr<Tool> make_web_fetch_tool();
std::unique_ptr<Tool> make_web_search_tool();

}  // namespace yume::tools
