// SPDX-License-Identifier: MIT
// Base64, in the two alphabets that HTTP and JWT use.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace yume {

std::string base64(std::string_view bytes);      // padded
std::string base64_url(std::string_view bytes);  // for URLs and JWTs, not padded

// The bytes of text in the first alphabet, padded or not, without anything between its digits;
// nullopt for other text. Of a long one only the first `most` bytes, the rest is not looked at.
std::optional<std::string> from_base64(std::string_view text,
                                       std::size_t most = static_cast<std::size_t>(-1));
bool is_base64(std::string_view text);  // and not empty

}  // namespace yume
