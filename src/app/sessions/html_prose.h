// SPDX-License-Identifier: MIT
// Text for web pages: escaped, and what models write most (code, headings, lists, bold) as such.
// Nothing in a text becomes markup of its own. Pure.
#pragma once

#include <string>
#include <string_view>

namespace yume::app {

// For element content and quoted attributes. Controls that no page may have are replaced.
std::string escaped(std::string_view text);

std::string prose_html(std::string_view text);

}  // namespace yume::app
