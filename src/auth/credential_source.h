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

struct Credential {
  std::string source;        // for people: "GEMINI_API_KEY"
  net::SecretHeader header;  // how it is sent
};

class CredentialSource {
 public:
  virtual ~CredentialSource() = default;
  // May block (a helper program, a token endpoint) until done or cancelled.
  virtual Result<std::optional<Credential>> fetch(platform::WallTime now,
                                                  const CancelToken& cancel) = 0;
  // The server refused it: do not hand it out again.
  virtual void invalidate(const Credential& credential) = 0;
};

}  // namespace yume::auth
