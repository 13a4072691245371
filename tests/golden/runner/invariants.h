// SPDX-License-Identifier: MIT
// The rules that hold for every line a host reads, whatever the case is about. Checked on the raw
// bytes of stdout, before normalisation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yume::golden {

// One message per broken rule and line, "rule: line N: what"; empty when all hold.
std::vector<std::string> broken_invariants(std::string_view stdout_text);

}  // namespace yume::golden
