// SPDX-License-Identifier: MIT
// The escapes of bash's $'...'.
#pragma once

#include <string>
#include <string_view>

namespace yume::permissions {

// `text` begins behind the opening quote. Appends what the quotes stand for to `out`; returns how
// many bytes were read, the closing quote included.
std::size_t decode_ansi_quotes(std::string_view text, std::string& out);

}  // namespace yume::permissions
