// SPDX-License-Identifier: MIT
// Why a text that should be replaced was not found: the usual mistakes, tried one by one, and the
// most similar place. For the model to correct itself; nothing is ever replaced on a guess. Pure;
// the cost is bounded.
#pragma once

#include <string>
#include <string_view>

namespace yume::tools {

// One or several sentences and, where there is one, the place in the file with its line numbers.
std::string explain_mismatch(std::string_view content, std::string_view old_text);

}  // namespace yume::tools
