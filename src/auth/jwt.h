// SPDX-License-Identifier: MIT
// The signed statement with which a service account asks for a token (RFC 7523).
#pragma once

#include <string>

#include "platform/clock.h"
#include "util/result.h"
#include "util/secret.h"

namespace yume::auth {

struct JwtClaims {
  std::string issuer;
  std::string audience;
  std::string scope;
};

// RS256, valid for an hour. auth when `private_key` is not an RSA key in PEM form.
Result<Secret> make_jwt(const JwtClaims& claims, const std::string& key_id,
                        const Secret& private_key, platform::WallTime now);

}  // namespace yume::auth
