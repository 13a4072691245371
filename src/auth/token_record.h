// SPDX-License-Identifier: MIT
// What the processes of one user tell each other about a token source: a short-lived token, or that
// there is none. Never a refresh token or a key. Values only, no I/O.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "auth/token_source.h"
#include "platform/clock.h"

namespace yume::auth {

struct TokenRecord {
  enum class Kind {
    token,
    absent,  // nobody is logged in
    failed,  // for those who were waiting for this very answer
  };

  Kind kind = Kind::absent;
  std::string version = {};  // TokenIdentity::version
  platform::WallTime made = {};
  platform::WallTime expires = {};
  Token token = {};
  std::string message = {};  // of a failure
};

// When it must be replaced: five minutes before it expires, or half-way for a short-lived one,
// which would otherwise be old at birth.
platform::WallTime stale_at(const TokenRecord& record);

std::string encode(const TokenRecord& record);
// nullopt for anything that encode() did not write.
std::optional<TokenRecord> decode(std::string_view text);

}  // namespace yume::auth
