// SPDX-License-Identifier: MIT
#include "auth/jwt.h"

#include <chrono>
#include <utility>

#include "auth/rs256.h"
#include "util/base64.h"
#include "util/json_io.h"

namespace yume::auth {
namespace {

// A clock that is a little fast must not make a statement "from the future".
constexpr std::chrono::seconds k_back_dated{30};
constexpr std::chrono::seconds k_valid{3600};  // the most Google takes

}  // namespace

Result<Secret> make_jwt(const JwtClaims& claims, const std::string& key_id,
                        const Secret& private_key, platform::WallTime now) {
  const auto issued =
      std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()) - k_back_dated;
  std::string header;
  JsonWriter(header)
      .begin_object()
      .field("alg", "RS256")
      .field("typ", "JWT")
      .field("kid", key_id)
      .end_object();
  std::string body;
  JsonWriter(body)
      .begin_object()
      .field("iss", claims.issuer)
      .field("scope", claims.scope)
      .field("aud", claims.audience)
      .field("iat", std::int64_t{issued.count()})
      .field("exp", std::int64_t{(issued + k_valid).count()})
      .end_object();
  std::string text = base64_url(header) + "." + base64_url(body);
  YUME_TRY(const std::string signature, sign_rs256(private_key, text));
  return Secret(text + "." + base64_url(signature));
}

}  // namespace yume::auth
