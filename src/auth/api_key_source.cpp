// SPDX-License-Identifier: MIT
#include "auth/api_key_source.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace yume::auth {
namespace {

std::string trimmed(std::string text) {
  constexpr std::string_view k_space = " \t\r\n";
  text.erase(text.find_last_not_of(k_space) + 1);
  text.erase(0, text.find_first_not_of(k_space));
  return text;
}

// Such a key could add a header of its own to the request.
bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
}

}  // namespace

ApiKeySource::ApiKeySource(const platform::Environment& environment) {
  for (const char* name : {"GEMINI_API_KEY", "GOOGLE_API_KEY"}) {
    std::string value = trimmed(environment.get(name).value_or(""));
    if (value.empty()) continue;
    variable_ = name;
    key_ = Secret(std::move(value));
    return;
  }
}

std::optional<std::string> ApiKeySource::variable() const {
  if (variable_.empty()) return std::nullopt;
  return variable_;
}

Result<std::optional<Credential>> ApiKeySource::fetch(platform::WallTime /*now*/,
                                                      const CancelToken& /*cancel*/) {
  if (variable_.empty()) return std::optional<Credential>();
  if (has_control_character(key_.reveal())) {
    return Error{.code = ErrorCode::auth,
                 .message = variable_ + " holds a line break or another control character"};
  }
  return std::optional<Credential>({.kind = CredentialKind::api_key,
                                    .origin = CredentialOrigin::api_key,
                                    .source = variable_,
                                    .header = {.name = "x-goog-api-key", .value = key_}});
}

void ApiKeySource::invalidate(const Credential& /*credential*/) {
  // A key has no fresher version to offer; the server's refusal stands.
}

}  // namespace yume::auth
