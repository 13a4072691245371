// SPDX-License-Identifier: MIT
// Error answers that are documents for people, as proxies, load balancers and wrong addresses send
// them: what they say, in a few words. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace yume::gemini {

// The title of a page in HTML or XML, on one line and not long; empty when it has none. nullopt
// when `body` is no such page.
std::optional<std::string> title_of_page(std::string_view body);

}  // namespace yume::gemini
