// SPDX-License-Identifier: MIT
#include "foreign/failure_words.h"

#include "util/ascii.h"

#include <algorithm>
#include <array>
#include <string>

namespace yume::foreign {
namespace {

using core::FailureKind;

struct Words {
  std::string_view words;  // in lower case
  FailureKind kind;
  int http_status;
};

// The API's own names for its errors, and what the official CLI says without having asked it.
constexpr std::array k_words = {
    Words{"unauthenticated", FailureKind::authentication, 401},
    Words{"api key not valid", FailureKind::authentication, 400},
    Words{"api_key_invalid", FailureKind::authentication, 400},
    Words{"permission_denied", FailureKind::authentication, 403},
    Words{"please set an auth method", FailureKind::authentication, 0},
    Words{"fatalauthenticationerror", FailureKind::authentication, 0},
    Words{"gemini_api_key", FailureKind::authentication, 0},
    Words{"authentication required", FailureKind::authentication, 0},
    Words{"resource_exhausted", FailureKind::rate_limit, 429},
    Words{"quota", FailureKind::rate_limit, 429},
    Words{"too many requests", FailureKind::rate_limit, 429},
    Words{"not_found", FailureKind::model_not_found, 404},
    Words{"modelnotfounderror", FailureKind::model_not_found, 404},
    Words{"invalid_argument", FailureKind::invalid_request, 400},
    Words{"unavailable", FailureKind::server_error, 503},
    Words{"overloaded", FailureKind::server_error, 503},
    Words{"internal error", FailureKind::server_error, 500},
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The first number of three digits that could be one: "got status: 429", "\"code\":401".
int status_in(std::string_view text) {
  for (const std::string_view lead : {"status: ", "status code ", "\"code\":", "[http "}) {
    const std::size_t at = text.find(lead);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = text.substr(at + lead.size());
    const std::size_t from = rest.find_first_not_of(' ');
    if (from == std::string_view::npos || rest.size() < from + 3) continue;
    const std::string_view digits = rest.substr(from, 3);
    if (std::all_of(digits.begin(), digits.end(), is_digit) && digits[0] >= '4' &&
        digits[0] <= '5') {
      return (digits[0] - '0') * 100 + (digits[1] - '0') * 10 + (digits[2] - '0');
    }
  }
  return 0;
}

}  // namespace

FailureKind failure_kind_of(int http_status) {
  if (http_status == 401 || http_status == 403) return FailureKind::authentication;
  if (http_status == 429) return FailureKind::rate_limit;
  if (http_status == 404) return FailureKind::model_not_found;
  if (http_status >= 500 && http_status < 600) return FailureKind::server_error;
  if (http_status >= 400 && http_status < 500) return FailureKind::invalid_request;
  return FailureKind::unknown;
}

FailureGuess guess_failure(std::string_view text) {
  const std::string lower = ascii_lower(text);
  const int status = status_in(lower);
  for (const Words& one : k_words) {
    if (lower.find(one.words) == std::string::npos) continue;
    return {.kind = one.kind, .http_status = status != 0 ? status : one.http_status};
  }
  return {.kind = failure_kind_of(status), .http_status = status};
}

}  // namespace yume::foreign
