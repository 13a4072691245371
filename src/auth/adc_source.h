// SPDX-License-Identifier: MIT
// Application default credentials, where Google's own libraries look for them: the file that
// GOOGLE_APPLICATION_CREDENTIALS names (which then must work), the file that gcloud writes, the
// metadata server.
#pragma once

#include <filesystem>
#include <optional>
#include <variant>

#include "auth/metadata_server.h"
#include "auth/oauth_client.h"
#include "auth/token_source.h"
#include "platform/environment.h"
#include "platform/file_system.h"

namespace yume::auth {

class AdcSource final : public TokenSource {
 public:
  // All borrowed.
  AdcSource(const platform::Environment& environment, const platform::FileSystem& files,
            net::Transport& transport, const platform::Clock& clock);

  [[nodiscard]] CredentialOrigin origin() const override { return CredentialOrigin::adc; }
  [[nodiscard]] bool seems_configured() const override;
  [[nodiscard]] std::optional<TokenIdentity> identity() const override;
  Result<std::variant<Token, NoToken>> fetch(platform::WallTime now,
                                             const CancelToken& cancel) override;

 private:
  using Place = std::variant<std::monostate, std::filesystem::path, MetadataServer>;

  [[nodiscard]] Place locate() const;
  Result<Token> fetch_from_file(const std::filesystem::path& path, platform::WallTime now,
                                const CancelToken& cancel);

  const platform::Environment& environment_;
  const platform::FileSystem& files_;
  OauthClient client_;
};

}  // namespace yume::auth
