// SPDX-License-Identifier: MIT
#include "auth/sha256.h"

#include <new>

#include "platform/crypto_win32.h"

namespace yume::auth {

std::string sha256_hex(std::string_view bytes) {
  const std::string digest = platform::sha256(bytes);
  if (digest.empty()) throw std::bad_alloc();  // nothing else can fail
  constexpr std::string_view k_digits = "0123456789abcdef";
  std::string hex;
  for (const char c : digest) {
    const auto byte = static_cast<unsigned char>(c);
    hex.push_back(k_digits[byte >> 4U]);
    hex.push_back(k_digits[byte & 0xfU]);
  }
  return hex;
}

}  // namespace yume::auth
