// SPDX-License-Identifier: MIT
// Where a credential may come from. A value: use it. Nothing: not configured, try the next source.
// An error: configured but broken, and never skipped silently.
#pragma once

#include <optional>
#include <string>

#include "net/http.h"
#include "platform/clock.h"
#include "util/cancel.h"
#include "util/result.h"

namespace yume::auth {

enum class CredentialKind { api_key, access_token };
enum class CredentialOrigin { gcloud, adc, api_key };

struct Credential {
  CredentialKind kind = CredentialKind::api_key;
  CredentialOrigin origin = CredentialOrigin::api_key;
  std::string source;        // for people: "GEMINI_API_KEY", "gcloud"
  net::SecretHeader header;  // how it is sent
  std::string account = {};  // whose it is; empty when unknown
  std::optional<platform::WallTime> expires = std::nullopt;
  std::string project = {};        // the project it names, if any
  std::string quota_project = {};  // for x-goog-user-project; empty: send none
};

class CredentialSource {
 public:
  virtual ~CredentialSource() = default;
  [[nodiscard]] virtual CredentialOrigin origin() const = 0;
  // A guess that costs a few file look-ups at most: runs nothing and asks nobody.
  [[nodiscard]] virtual bool seems_configured() const = 0;
  // May block (a helper program, a token endpoint) until done or cancelled.
  virtual Result<std::optional<Credential>> fetch(platform::WallTime now,
                                                  const CancelToken& cancel) = 0;
  // The server refused it: do not hand it out again.
  virtual void invalidate(const Credential& credential) = 0;
};

}  // namespace yume::auth
