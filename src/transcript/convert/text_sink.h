// SPDX-License-Identifier: MIT
// Where a converted session goes, piece by piece.
#pragma once

#include <functional>
#include <string_view>

namespace yume::transcript {

using TextSink = std::function<void(std::string_view)>;

// One value of JSON for all records, or one on each line.
enum class JsonForm { whole, lines };

}  // namespace yume::transcript
