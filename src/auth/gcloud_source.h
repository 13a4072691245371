// SPDX-License-Identifier: MIT
// Tokens of the account that is logged in to gcloud, by running `gcloud auth print-access-token`.
// What it prints is taken for a token only when it looks like one, and never shown otherwise.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "auth/gcloud_program.h"
#include "auth/token_source.h"
#include "platform/environment.h"
#include "platform/file_system.h"
#include "platform/process.h"

namespace yume::auth {

struct GcloudSettings {
  GcloudSearch search = {};
  std::chrono::milliseconds limit = std::chrono::seconds(10);
};

class GcloudSource final : public TokenSource {
 public:
  // All but the settings are borrowed.
  GcloudSource(GcloudSettings settings, const platform::Environment& environment,
               const platform::FileSystem& files, platform::ProcessRunner& processes);

  [[nodiscard]] CredentialOrigin origin() const override { return CredentialOrigin::gcloud; }
  [[nodiscard]] bool seems_configured() const override;
  [[nodiscard]] std::optional<TokenIdentity> identity() const override;
  Result<std::variant<Token, NoToken>> fetch(platform::WallTime now,
                                             const CancelToken& cancel) override;

 private:
  [[nodiscard]] std::vector<std::string> child_environment() const;

  GcloudSettings settings_;
  const platform::Environment& environment_;
  const platform::FileSystem& files_;
  platform::ProcessRunner& processes_;
};

}  // namespace yume::auth
