// SPDX-License-Identifier: MIT
#include "auth/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <new>

namespace yume::auth {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  const int done = EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(),
                              /*impl=*/nullptr);
  if (done != 1) throw std::bad_alloc();  // nothing else can fail
  constexpr std::string_view k_digits = "0123456789abcdef";
  std::string hex;
  for (unsigned int i = 0; i < length; ++i) {
    hex.push_back(k_digits[digest[i] >> 4U]);
    hex.push_back(k_digits[digest[i] & 0xfU]);
  }
  return hex;
}

}  // namespace yume::auth
