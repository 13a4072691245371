// SPDX-License-Identifier: MIT
#include "auth/rs256.h"

#include "auth/rsa_key_text.h"
#include "platform/crypto_win32.h"

namespace yume::auth {

Result<std::string> sign_rs256(const Secret& private_key, std::string_view text) {
  YUME_TRY(const RsaKeyParts key, read_rsa_key(private_key.reveal()));
  std::string signature = platform::sign_digest({.modulus = key.modulus,
                                                 .public_exponent = key.public_exponent,
                                                 .first_prime = key.first_prime,
                                                 .second_prime = key.second_prime},
                                                platform::sha256(text));
  if (signature.empty())
    return Error{.code = ErrorCode::auth, .message = "private_key cannot sign"};
  return signature;
}

}  // namespace yume::auth
