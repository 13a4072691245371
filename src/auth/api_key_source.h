// SPDX-License-Identifier: MIT
// API keys from the environment, stored nowhere: GEMINI_API_KEY, then GOOGLE_API_KEY.
#pragma once

#include "auth/credential_source.h"
#include "platform/environment.h"

namespace yume::auth {

class ApiKeySource final : public CredentialSource {
 public:
  explicit ApiKeySource(const platform::Environment& environment);

  [[nodiscard]] CredentialOrigin origin() const override { return CredentialOrigin::api_key; }
  [[nodiscard]] bool seems_configured() const override { return !variable_.empty(); }
  Result<std::optional<Credential>> fetch(platform::WallTime now,
                                          const CancelToken& cancel) override;
  void invalidate(const Credential& credential) override;

  // The variable that would be used, or nothing. Needs no fetch.
  [[nodiscard]] std::optional<std::string> variable() const;

 private:
  std::string variable_;
  Secret key_;
};

}  // namespace yume::auth
