// SPDX-License-Identifier: MIT
// The web addresses that a sentence mentions. Gemini CLI's fetching tool takes them that way. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yume::tools::web {

// Each once, in order, without the punctuation that ends a sentence.
std::vector<std::string> urls_in(std::string_view text);

}  // namespace yume::tools::web
