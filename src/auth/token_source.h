// SPDX-License-Identifier: MIT
// Makes access tokens, a new one at each call. Caching them is auth/cached_token_source.h.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "auth/credential_source.h"
#include "util/secret.h"

namespace yume::auth {

enum class TokenOwner {
  service,
  user,  // Google charges a user's requests to a project only when one is named
};

struct Token {
  Secret value;
  std::chrono::seconds lifetime{};  // from now on
  std::string account = {};         // whose it is; empty when unknown
  std::string project = {};         // both as the credential names them
  std::string quota_project = {};
  TokenOwner owner = TokenOwner::service;
};

// Not configured, or nobody is logged in.
struct NoToken {
  std::chrono::seconds remember{0};  // finding that out was slow: do not ask again for so long
};

// What decides whose token comes out. Neither part holds a secret.
struct TokenIdentity {
  std::string place;    // one cache entry for each
  std::string version;  // changes when somebody else logs in there
};

class TokenSource {
 public:
  virtual ~TokenSource() = default;
  [[nodiscard]] virtual CredentialOrigin origin() const = 0;
  [[nodiscard]] virtual bool seems_configured() const = 0;
  // Costs a few file look-ups. nullopt: there is nothing to fetch from.
  [[nodiscard]] virtual std::optional<TokenIdentity> identity() const = 0;
  virtual Result<std::variant<Token, NoToken>> fetch(platform::WallTime now,
                                                     const CancelToken& cancel) = 0;
};

// The characters an access token may have (RFC 6750) and a sane length. Anything else might be an
// error message, or add a header of its own to a request.
bool is_access_token(std::string_view text);

// A digest for TokenIdentity::version: not for secrets that could be guessed.
std::string fingerprint(std::string_view text);

}  // namespace yume::auth
