// SPDX-License-Identifier: MIT
// Keeps out of a conversation what its server would refuse, or has refused: a picture or document
// becomes a text that says what it was and why it is not there. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/media.h"
#include "core/message.h"

namespace yume::agent {

// Before it is sent for the first time: what cannot be what it says it is goes.
void keep_sendable(core::UserMessage& message);
void keep_sendable(std::string& text, std::vector<core::Media>& media);

// After a refusal: all of them go. How many there were.
std::size_t withhold_media(core::UserMessage& message, std::string_view why);
std::size_t withhold_media(std::string& text, std::vector<core::Media>& media,
                           std::string_view why);

// Why, in words for the model, given the server's.
std::string refused_because(std::string_view failure);

}  // namespace yume::agent
