// SPDX-License-Identifier: MIT
// SHA-256, by OpenSSL or by Windows itself.
#pragma once

#include <string>
#include <string_view>

namespace yume::auth {

// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace yume::auth
