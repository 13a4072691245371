// SPDX-License-Identifier: MIT
// Signatures and digests by the system. Private to the *_win32.cpp files of src/platform and
// src/auth.
#pragma once

#include <string>
#include <string_view>

namespace yume::platform {

// 32 bytes. Empty only when the system has no memory.
std::string sha256(std::string_view bytes);

// Numbers as their bytes, the highest first, without zeros in front.
struct RsaNumbers {
  std::string modulus;
  std::string public_exponent;
  std::string first_prime;
  std::string second_prime;
};
// RSASSA-PKCS1-v1_5 of a SHA-256 digest. Empty when the system does not take the key.
std::string sign_digest(const RsaNumbers& key, std::string_view digest);

}  // namespace yume::platform
