// SPDX-License-Identifier: MIT
// Whether a picture or document may be sent. A server that gets one it cannot read refuses the
// whole request, and would for as long as it is in the conversation. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/media.h"

namespace yume::core {

// What is wrong with it: "its header is cut off or damaged"; nullopt when its header is fine. Then
// its type is that of its bytes, whatever type was given. Only pictures and PDFs are checked.
std::optional<std::string> media_fault(Media& media);

// What stands in the place of a medium that is not sent: its type, its size and why.
std::string withheld_text(const Media& media, std::string_view why);

}  // namespace yume::core
