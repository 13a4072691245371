// SPDX-License-Identifier: MIT
// A way to the model for tests: an API key and a server that is only a name.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "agent/model_access.h"
#include "auth/api_key_source.h"
#include "auth/credential_chain.h"
#include "platform/clock.h"
#include "platform/environment.h"
#include "util/log.h"
#include "util/redactor.h"

namespace yume::test {

class TestAccess {
 public:
  explicit TestAccess(const platform::Clock& clock)
      : chain_(key_alone(), auth::ChainMode::automatic, clock, null_log()),
        access_(chain_, {.endpoint = {.api_base = "http://server"}, .extra_headers = {}},
                redactor_) {}

  operator agent::ModelAccess&() { return access_; }  // NOLINT: stands for it

 private:
  static std::vector<std::unique_ptr<auth::CredentialSource>> key_alone() {
    platform::Environment environment;
    environment.variables = {{"GEMINI_API_KEY", "key"}};
    std::vector<std::unique_ptr<auth::CredentialSource>> sources;
    sources.push_back(std::make_unique<auth::ApiKeySource>(environment));
    return sources;
  }

  auth::CredentialChain chain_;
  Redactor redactor_;
  agent::ModelAccess access_;
};

}  // namespace yume::test
