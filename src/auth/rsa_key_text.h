// SPDX-License-Identifier: MIT
// An RSA key out of its PEM text, for systems whose library does not read that. Pure: every system
// tests it, though only Windows uses it.
#pragma once

#include <string>
#include <string_view>

#include "util/result.h"

namespace yume::auth {

// Numbers as their bytes, the highest first, without zeros in front.
struct RsaKeyParts {
  std::string modulus;
  std::string public_exponent;
  std::string first_prime;
  std::string second_prime;
};

// An unencrypted key, "PRIVATE KEY" (PKCS #8) or "RSA PRIVATE KEY" (PKCS #1). The error says only
// what kind of thing it is not, and nothing of the text.
Result<RsaKeyParts> read_rsa_key(std::string_view pem);

}  // namespace yume::auth
