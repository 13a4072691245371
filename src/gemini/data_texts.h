// SPDX-License-Identifier: MIT
// The data files of this folder, compiled in.
#pragma once

#include <string_view>

namespace yume::gemini {

// The content of `<file_stem>.json`; empty when there is no such file.
std::string_view data_text(std::string_view file_stem);

}  // namespace yume::gemini
