// SPDX-License-Identifier: MIT
// How code of a page is set off from its text: fences that it cannot close, and the language that
// the page says it is in. Pure.
#pragma once

#include <string>

#include "tools/web/html_nodes.h"

namespace yume::tools::web {

// As an info string of Markdown, by what highlighters write into classes; empty when no one says.
std::string code_language(const GumboNode* pre);

// Backticks for a block, or a piece of a line, with this text: more than it has in a row itself.
std::string block_fence(std::string_view code);
std::string inline_fence(std::string_view code);

}  // namespace yume::tools::web
