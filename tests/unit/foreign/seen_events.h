// SPDX-License-Identifier: MIT
// Events as short lines, so that a test compares whole turns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "foreign/line_decoder.h"

namespace yume::foreign {

// Events that the decoders of other agents do not make are "?".
std::string seen(const core::Event& event);

// What the lines come to; bad ones are "bad <beginning>". `end`: whether the stream ends then.
enum class AtEnd { finish, stay_open };
std::vector<std::string> decode_all(LineDecoder& decoder, const std::vector<std::string>& lines,
                                    AtEnd at_end = AtEnd::finish);

}  // namespace yume::foreign
