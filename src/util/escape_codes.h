// SPDX-License-Identifier: MIT
// Text that was made for a terminal, for readers that are none, and text of others for a terminal.
// Pure.
#pragma once

#include <string>
#include <string_view>

namespace yume {

// `text` without the escape sequences of ECMA-48: colours, cursor movements, titles and links. A
// sequence that is cut off at the end goes, too. All other bytes stay.
std::string without_escape_codes(std::string_view text);

// `text` for a terminal: without control characters but line feeds and tabs, and without what turns
// the direction of writing around. From a model, a command or a file's name they could change what
// the person sees. Invalid UTF-8 becomes U+FFFD, because some terminals take single bytes from 0x80
// on for commands.
std::string safe_for_terminal(std::string_view text);

// The same for a person who decides about the text: nothing is left out. What a terminal would obey
// or not show is spelled out (`<U+001B>`), and so is what turns the direction of writing around.
std::string spelled_for_terminal(std::string_view text);

}  // namespace yume
