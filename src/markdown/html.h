// SPDX-License-Identifier: MIT
// Markdown as HTML for pages that load and run nothing: text becomes no markup of its own, links
// lead only where a browser may go without running anything, pictures from elsewhere are links.
// Pure.
#pragma once

#include <string>
#include <string_view>

namespace yume::markdown {

// For element content and quoted attributes. Controls that no page may have are replaced.
std::string escaped(std::string_view text);

// Headings begin below those of the page itself.
std::string page_html(std::string_view text);

}  // namespace yume::markdown
