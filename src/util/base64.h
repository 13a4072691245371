// SPDX-License-Identifier: MIT
// Base64, in the two alphabets that HTTP and JWT use.
#pragma once

#include <string>
#include <string_view>

namespace yume {

std::string base64(std::string_view bytes);      // padded
std::string base64_url(std::string_view bytes);  // for URLs and JWTs, not padded

}  // namespace yume
