// SPDX-License-Identifier: MIT
// Text that was made for a terminal, for readers that are none. Pure.
#pragma once

#include <string>
#include <string_view>

namespace yume {

// `text` without the escape sequences of ECMA-48: colours, cursor movements, titles and links. A
// sequence that is cut off at the end goes, too. All other bytes stay.
std::string without_escape_codes(std::string_view text);

}  // namespace yume
